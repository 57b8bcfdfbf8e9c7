import type { WireError } from "../wire.js";

const typesByStatus: Record<number, string> = {
  400: "invalid_request_error",
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  405: "invalid_request_error",
  413: "request_too_large",
  429: "rate_limit_error",
  504: "timeout_error",
  529: "overloaded_error",
};

export function errorBody({ status, message, type }: WireError, requestId: string): object {
  const fallback = status >= 500 ? "api_error" : "invalid_request_error";
  return {
    type: "error",
    error: { type: type ?? typesByStatus[status] ?? fallback, message },
    request_id: requestId,
  };
}
