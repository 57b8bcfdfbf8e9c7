import type { AuthType } from "@earendil-works/pi-ai";
import { type Desk, errorText } from "../desk.js";
import { choose, chooseOption } from "../selectors/choose.js";
import { LoginDialog } from "../selectors/login-dialog.js";
import { currentTheme } from "../theme/current.js";
import type { BuiltinCommand } from "./types.js";

export const accountCommands: readonly BuiltinCommand[] = [
  {
    name: "login",
    description: "Sign in, or store a key",
    argumentHint: "[provider]",
    complete: (prefix, { session }) =>
      session.modelRuntime
        .getProviders()
        .filter(({ id }) => id.startsWith(prefix))
        .map(({ id, name }) => ({ value: id, label: id, description: name })),
    run: (args, desk) => login(desk, args === "" ? undefined : args),
  },
  {
    name: "logout",
    description: "Forget a sign-in or a key",
    argumentHint: "[provider]",
    run: (args, desk) => logout(desk, args === "" ? undefined : args),
  },
];

const AUTH_TYPES = [
  { value: "oauth", label: "Subscription", description: "sign in with an account" },
  { value: "api_key", label: "API key", description: "store a key" },
];

export async function login(desk: Desk, wanted?: string): Promise<void> {
  const { modelRuntime } = desk.session;
  const named = wanted === undefined ? undefined : modelRuntime.getProvider(wanted);
  if (wanted !== undefined && !named) {
    desk.warning(`No provider is called "${wanted}".`);
    return;
  }
  const hasBoth = named?.auth.oauth !== undefined && named.auth.apiKey !== undefined;
  const known: AuthType | undefined = named && !hasBoth ? (named.auth.oauth ? "oauth" : "api_key") : undefined;
  const type =
    known ?? ((await chooseOption(desk.slot, "How do you want to sign in?", AUTH_TYPES)) as AuthType | undefined);
  if (type === undefined) return;
  const provider = named ?? (await chooseProvider(desk, type));
  if (!provider) return;
  const dialog = new LoginDialog(`Sign in: ${provider.name}`, desk.slot, desk.tui);
  try {
    const credential = await modelRuntime.login(provider.id, type, dialog);
    if (credential.type === "api_key" && !credential.key) {
      desk.status("No key was entered; nothing is stored.");
      return;
    }
    desk.status(`Signed in to ${provider.name}. /model chooses a model.`);
    await useFirstModel(desk, provider.id);
  } catch (error) {
    if (dialog.signal.aborted) desk.status("Sign-in was cancelled");
    else desk.error(`Could not sign in to ${provider.name}: ${errorText(error)}`);
  } finally {
    dialog.close();
  }
}

function chooseProvider(desk: Desk, type: AuthType) {
  const { modelRuntime } = desk.session;
  const providers = modelRuntime
    .getProviders()
    .filter(({ auth }) => (type === "oauth" ? auth.oauth !== undefined : auth.apiKey !== undefined))
    .toSorted((a, b) => a.name.localeCompare(b.name));
  return choose(desk.slot, {
    items: providers,
    title: () => currentTheme().style("Provider", { fg: "accent", bold: true }),
    searchText: ({ id, name }) => `${id} ${name}`,
    row: ({ id, name }, isSelected) => {
      const theme = currentTheme();
      const mark = modelRuntime.hasConfiguredAuth(id) ? theme.fg("success", " ✓ configured") : "";
      return `${isSelected ? theme.style(`→ ${name}`, { fg: "accent", bold: true }) : `  ${name}`}${mark}`;
    },
  });
}

/** Without a model yet, the new provider's first one is used: there is nothing else to choose from. */
async function useFirstModel(desk: Desk, provider: string): Promise<void> {
  const { session } = desk;
  if (session.model) return;
  const preferred = session.modelRuntime.defaultModelId(provider);
  const models = await session.modelRuntime.getAvailable(provider);
  const model = models.find(({ id }) => id === preferred) ?? models[0];
  if (!model) return;
  await session.setModel(model, { persist: true });
  desk.status(`Signed in. Model: ${model.id}`);
  desk.changed();
}

async function logout(desk: Desk, wanted: string | undefined): Promise<void> {
  const { modelRuntime } = desk.session;
  const stored = (await modelRuntime.listCredentials()).map(({ providerId }) => providerId);
  if (stored.length === 0) {
    desk.status("Nothing is stored. Keys in the environment and in models.json are not removed here.");
    return;
  }
  const options = stored.map((id) => ({ value: id, label: modelRuntime.getProvider(id)?.name ?? id }));
  const provider = wanted ?? (await chooseOption(desk.slot, "Sign out of", options));
  if (provider === undefined) return;
  if (!stored.includes(provider)) {
    desk.warning(`Nothing is stored for ${provider}. Stored: ${stored.join(", ")}`);
    return;
  }
  await modelRuntime.logout(provider);
  desk.status(`Signed out of ${modelRuntime.getProvider(provider)?.name ?? provider}`);
  desk.changed();
}
