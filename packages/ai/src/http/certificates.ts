import { readFile } from "node:fs/promises";
import { rootCertificates } from "node:tls";

/**
 * The certificates to trust where a file adds to those of Node.
 * @throws Error that names the file
 */
export async function trustedCertificates(file: string): Promise<string[]> {
  try {
    return [...rootCertificates, await readFile(file, "utf8")];
  } catch (error) {
    throw new Error(`The certificates in NODE_EXTRA_CA_CERTS cannot be read: ${file}`, { cause: error });
  }
}
