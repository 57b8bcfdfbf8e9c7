import { getAgentDir } from "../../../config.js";
import { ThemeLoader, userThemes } from "./theme-loader.js";

let loader: ThemeLoader | undefined;

/**
 * Sets the theme for components that are used outside of the interactive mode.
 *
 * @param name default: `system`
 * @param watch follow the file while it is edited; default false
 * @throws `No theme is called "<name>". …`, and for a theme that is not valid
 */
export function initTheme(name = "system", watch = false): void {
  loader?.close();
  loader = new ThemeLoader(() => userThemes(getAgentDir()));
  const problem = loader.use(name);
  if (!watch) loader.close();
  if (problem !== undefined) throw new Error(problem);
}
