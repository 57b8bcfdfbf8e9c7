import type { OAuthAuth } from "./types.js";

export interface LazyOAuthOptions {
  name: string;
  isSubscription?: boolean | undefined;
  loginLabel?: string | undefined;
  load: () => Promise<OAuthAuth>;
}

/** A sign-in whose code is loaded when it is first used. */
export function lazyOAuth({ name, isSubscription, loginLabel, load }: LazyOAuthOptions): OAuthAuth {
  let loading: Promise<OAuthAuth> | undefined;
  const loaded = (): Promise<OAuthAuth> => {
    loading ??= load();
    return loading;
  };
  return {
    name,
    ...(isSubscription !== undefined && { isSubscription }),
    ...(loginLabel !== undefined && { loginLabel }),
    login: async (interaction, options) => (await loaded()).login(interaction, options),
    refresh: async (credential, signal) => (await loaded()).refresh(credential, signal),
    toAuth: async (credential) => (await loaded()).toAuth(credential),
  };
}
