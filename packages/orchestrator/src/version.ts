import { version as own } from "../package.json";

/** Version of the contract, as of all our packages. */
export const version: string = own;
