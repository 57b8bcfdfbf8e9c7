/** Subpath `./providers/all`: the built-in providers and their models. */
export { getBuiltinModel, getBuiltinModels, getBuiltinProviders } from "./catalogue.js";
export { type BuiltinProvider, findProviderInfo, type ProviderInfo, providerTable } from "./provider-table.js";
