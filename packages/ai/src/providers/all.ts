/** Subpath `./providers/all`: the built-in providers and their models. */
export { clientIdVariable, type OAuthClient, type OAuthClientOverride, type OAuthFlow } from "../auth/oauth/clients.js";
export {
  type BuiltinProvidersOptions,
  builtinModels,
  builtinProviders,
  getAllBuiltinModels,
  getBuiltinClassifierModel,
  getBuiltinClassifierModels,
  getBuiltinImageModel,
  getBuiltinImageModels,
  getBuiltinModelDataGeneratedAt,
  onlyAvailable,
  refreshBuiltin,
  registeredStreams,
} from "./builtin-providers.js";
export { getBuiltinModel, getBuiltinModels, getBuiltinProviders } from "./catalogue.js";
export { radiusProvider } from "./entries/radius.js";
export { type OAuthClientSource, providerAuth } from "./provider-auth.js";
export { type BuiltinProvider, findProviderInfo, type ProviderInfo, providerTable } from "./provider-table.js";
