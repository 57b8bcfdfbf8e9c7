// `import text from "./main.ts?browser"`: a script for browsers, bundled from its sources into one text.
import * as esbuild from "esbuild";

/**
 * @param {string} path the script's entry
 * @returns {Promise<string>} fits into a `<script>` element
 */
export async function browserScript(path) {
  const { outputFiles } = await esbuild.build({
    entryPoints: [path],
    bundle: true,
    write: false,
    format: "iife",
    platform: "browser",
    target: ["chrome110", "firefox115", "safari16"],
    minify: true,
    // Pages are passed on: whose code is in them stays said.
    legalComments: "inline",
    logLevel: "warning",
  });
  const text = (outputFiles[0]?.text ?? "").trim();
  // Within a script, these two would begin and end what HTML has for it.
  return text.replaceAll("<!--", "\\x3c!--").replace(/<(\/?script)/gi, "\\x3c$1");
}
