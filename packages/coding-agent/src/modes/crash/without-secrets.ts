/** Keeps keys and tokens out of what is stored about a crash. */
import { join } from "node:path";
import { readTextIfExists } from "../../core/storage/read-text.js";

const secretName = /KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL|AUTH/i;
/** Shorter ones would hide ordinary words. */
const shortest = 8;

export interface SecretSources {
  env: Readonly<Record<string, string | undefined>>;
  argv: readonly string[];
  agentDir: string;
}

/** The text without any value of the environment, the command line or the credentials file that is secret. */
export function withoutSecrets(text: string, sources: SecretSources): string {
  const hidden = secretsOf(sources)
    .sort((a, b) => b.length - a.length)
    .reduce((rest, secret) => rest.replaceAll(secret, "[hidden]"), text);
  // Keys of providers, whoever they belong to, and logins in addresses.
  return hidden
    .replace(/\b(?:sk|pk|key|ghp|gho|xai|gsk)[-_][\w-]{12,}/g, "[hidden]")
    .replace(/\b(Bearer\s+)[\w.~+/=-]{8,}/gi, "$1[hidden]")
    .replace(/(\w:\/\/)[^\s/:@]+:[^\s/@]+@/g, "$1[hidden]@");
}

function secretsOf({ env, argv, agentDir }: SecretSources): string[] {
  const ofEnvironment = Object.entries(env).flatMap(([name, value]) => (secretName.test(name) && value ? [value] : []));
  const ofCommand = argv.flatMap((word, index) => (word === "--api-key" ? (argv[index + 1] ?? []) : []));
  const stored = ["auth.json", "models.json"].flatMap((name) => textsOf(join(agentDir, name)));
  return [...ofEnvironment, ...ofCommand, ...stored].filter((secret) => secret.length >= shortest);
}

/** Values of members that may be secret. */
function textsOf(path: string): string[] {
  try {
    const texts: string[] = [];
    JSON.parse(readTextIfExists(path) ?? "{}", (name, value) => {
      if (typeof value === "string" && /key|access|refresh|token|secret/i.test(name)) texts.push(value);
      return value;
    });
    return texts;
  } catch {
    return [];
  }
}
