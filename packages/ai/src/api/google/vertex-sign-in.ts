import type { GoogleAuth } from "google-auth-library";
import { thrownText } from "../../errors/cause.js";
import { fetchFor } from "../../http/fetch-for.js";
import type { FetchFunction } from "../../types.js";
import { environmentVariable } from "../environment.js";
import { unlessAborted } from "../unless-aborted.js";
import type { GoogleVertexOptions } from "./google-options.js";

const SCOPE = "https://www.googleapis.com/auth/cloud-platform";
const WHAT_TO_DO =
  "Set GOOGLE_CLOUD_API_KEY, run `gcloud auth application-default login`, or let GOOGLE_APPLICATION_CREDENTIALS name a " +
  "file of credentials.";

/** One sign-in for each file of credentials: it keeps its token until that expires. */
const signIns = new Map<string, GoogleAuth>();

/**
 * A token of the application default credentials: those of the file that `GOOGLE_APPLICATION_CREDENTIALS` names, of
 * gcloud, or of the machine. Google's library is loaded here, and sends its requests the way of all others.
 * @throws Error that says what to do
 */
export async function vertexToken(options: GoogleVertexOptions | undefined): Promise<string> {
  let token: string | null | undefined;
  try {
    const auth = await signIn(options);
    token = await unlessAborted(auth.getAccessToken(), options?.signal);
  } catch (error) {
    if (options?.signal?.aborted) throw error;
    throw new Error(`Vertex AI sign-in failed: ${thrownText(error)} ${WHAT_TO_DO}`, { cause: error });
  }
  if (!token) throw new Error(`Vertex AI sign-in gave no token. ${WHAT_TO_DO}`);
  return token;
}

async function signIn(options: GoogleVertexOptions | undefined): Promise<GoogleAuth> {
  const file = environmentVariable("GOOGLE_APPLICATION_CREDENTIALS", options);
  const key = file ?? "";
  const known = options?.fetch ? undefined : signIns.get(key);
  if (known) return known;
  const { GoogleAuth } = await import("./google-auth.js");
  const env = options?.env;
  const send: FetchFunction =
    options?.fetch ??
    (async (url, init) => (await fetchFor(url instanceof Request ? url.url : String(url), { env }))(url, init));
  const made = new GoogleAuth({
    scopes: SCOPE,
    ...(file === undefined ? {} : { keyFilename: file }),
    clientOptions: { transporterOptions: { fetchImplementation: send } },
  });
  if (!options?.fetch) signIns.set(key, made);
  return made;
}
