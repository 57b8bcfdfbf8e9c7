/** The part of Google's library that is used, behind one dynamic import. */
export { GoogleAuth } from "google-auth-library";
