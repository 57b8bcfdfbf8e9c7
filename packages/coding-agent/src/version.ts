import { piRelease, version } from "../package.json";

/** Version of the published contract that this program keeps; what extensions read. */
export const VERSION: string = version;

/** Our own release number. */
export const RELEASE: string = piRelease;
