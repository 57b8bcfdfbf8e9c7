import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

/** The contract of extensions as the compiler reads it, and which parts of it each example uses. */
const root = fileURLToPath(new URL("../../../../..", import.meta.url));
export const examplesFolder = join(root, "examples", "extensions");
const source = join(root, "packages", "coding-agent", "src");

/** Where members come from, and the word they are known by. A member that several types share counts for the first. */
const families: readonly (readonly [prefix: string, file: string, type: string])[] = [
  ["pi", "core/extensions/types/api.ts", "ExtensionAPI"],
  ["pi.events", "core/extensions/types/api.ts", "EventBus"],
  ["ctx", "core/extensions/types/context.ts", "ExtensionContext"],
  ["ctx", "core/extensions/types/context.ts", "ExtensionToolContext"],
  ["ctx", "core/extensions/types/context.ts", "ExtensionCommandContext"],
  ["fresh", "core/extensions/types/context.ts", "ReplacedSessionContext"],
  ["session", "core/extensions/types/context.ts", "ReadonlySessionManager"],
  ["trust", "core/extensions/types/session-events.ts", "ProjectTrustContext"],
  ["ui", "core/extensions/types/ui.ts", "ExtensionUIContext"],
  ["dialog", "core/extensions/types/ui.ts", "ExtensionUIDialogOptions"],
  ["custom", "core/extensions/types/ui.ts", "CustomUIOptions"],
  ["footer", "core/extensions/types/ui.ts", "ReadonlyFooterDataProvider"],
  ["tool", "core/extensions/types/tool.ts", "ToolDefinition"],
  ["row", "core/extensions/types/tool.ts", "ToolRenderContext"],
  ["theme", "core/themes/theme.ts", "Theme"],
  ["models", "core/model-registry.ts", "ModelRegistry"],
];

export interface Contract {
  /** Every member: `pi.exec`, `ui.notify`, `event:tool_call`, ... */
  members: ReadonlySet<string>;
  /** What each example uses, by the name of its file without `.ts`. */
  uses: ReadonlyMap<string, ReadonlySet<string>>;
}

export function readContract(): Contract {
  const names = readdirSync(examplesFolder, { recursive: true, encoding: "utf8" }).filter((name) => /\.ts$/.test(name));
  const files = names.map((name) => join(examplesFolder, name));
  const program = compile([...files, ...new Set(families.map(([, file]) => join(source, file)))]);
  const checker = program.getTypeChecker();
  const ids = new Map<ts.Node, string>();
  for (const [prefix, file, type] of families) {
    for (const property of exportedType(program, file, type).getProperties()) {
      for (const declaration of property.declarations ?? []) {
        if (isHidden(declaration) || ids.has(declaration)) continue;
        ids.set(declaration, `${prefix}.${property.name}`);
      }
    }
  }
  const events = exportedType(program, "core/extensions/types/event-map.ts", "ExtensionHandlers").getProperties();
  const members = new Set([...ids.values(), ...events.map(({ name }) => `event:${name}`)]);
  const uses = new Map<string, Set<string>>();
  for (const [at, name] of names.entries()) {
    const file = program.getSourceFile(files[at] ?? "");
    // An example of several files is named after its folder.
    const [folder = ""] = name.split("/");
    const example = basename(folder, ".ts");
    const used = uses.get(example) ?? new Set<string>();
    uses.set(example, used);
    if (file) for (const use of usesOf(file, checker, ids)) if (members.has(use)) used.add(use);
  }
  return { members, uses };

  function exportedType(all: ts.Program, file: string, type: string): ts.Type {
    const module = all.getSourceFile(join(source, file));
    const symbol = module && checker.getSymbolAtLocation(module);
    const found = symbol && checker.getExportsOfModule(symbol).find(({ name }) => name === type);
    if (!found) throw new Error(`${file} exports no ${type}`);
    return checker.getDeclaredTypeOfSymbol(found);
  }
}

/**
 * What the compiler needs to know which member is meant: the types of the contract. The rest of the packages, and what
 * others have written, would take it half a minute; names from there have no type here.
 */
const surfaces: Readonly<Record<string, string>> = {
  "@earendil-works/pi-agent-core": join(root, "packages", "agent", "src", "types.ts"),
  "@earendil-works/pi-ai": join(root, "packages", "ai", "src", "types.ts"),
  "@earendil-works/pi-coding-agent": join(source, "surface-of-examples.ts"),
  "@earendil-works/pi-tui": join(root, "packages", "tui", "src", "types.ts"),
};
const surfaceOfExamples = `
  export type * from "./core/extensions/types.js";
  export { defineTool } from "./core/extensions/define-tool.js";
`;

function compile(files: string[]): ts.Program {
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    strict: true,
    skipLibCheck: true,
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const { readFile, fileExists } = host;
  const isSurface = (name: string) => name === surfaces["@earendil-works/pi-coding-agent"];
  host.fileExists = (name) => isSurface(name) || fileExists(name);
  host.readFile = (name) => (isSurface(name) ? surfaceOfExamples : readFile(name));
  host.resolveModuleNameLiterals = (literals, containingFile) =>
    literals.map(({ text }) => {
      const path = surfaces[text];
      if (path !== undefined) return { resolvedModule: { resolvedFileName: path, extension: ts.Extension.Ts } };
      if (/^\.|^#/.test(text) || containingFile.includes("node_modules")) {
        return ts.resolveModuleName(text, containingFile, options, host);
      }
      return { resolvedModule: undefined };
    });
  return ts.createProgram(files, options, host);
}

/** Private members of classes. */
function isHidden(declaration: ts.Declaration): boolean {
  const name = ts.getNameOfDeclaration(declaration);
  return name !== undefined && ts.isPrivateIdentifier(name);
}

/** Reads, calls and given fields of members, and the names of events that handlers are added for. */
function* usesOf(file: ts.SourceFile, checker: ts.TypeChecker, ids: ReadonlyMap<ts.Node, string>): Generator<string> {
  const idsOf = (symbol: ts.Symbol | undefined) =>
    (symbol?.declarations ?? []).flatMap((declaration) => ids.get(declaration) ?? []);
  const nodes: ts.Node[] = [file];
  for (let node = nodes.pop(); node; node = nodes.pop()) {
    node.forEachChild((child) => void nodes.push(child));
    if (ts.isPropertyAccessExpression(node)) yield* idsOf(checker.getSymbolAtLocation(node.name));
    if (ts.isBindingElement(node) && ts.isObjectBindingPattern(node.parent)) {
      const name = (node.propertyName ?? node.name).getText(file);
      yield* idsOf(checker.getTypeAtLocation(node.parent).getProperty(name));
    }
    if (ts.isObjectLiteralElementLike(node) && node.name && ts.isObjectLiteralExpression(node.parent)) {
      const name = node.name.getText(file);
      const type = checker.getContextualType(node.parent);
      yield* idsOf(type && checker.getNonNullableType(type).getProperty(name));
    }
    if (ts.isCallExpression(node) && node.arguments[0]) {
      const called = ts.isPropertyAccessExpression(node.expression) ? node.expression.name : node.expression;
      if (!idsOf(checker.getSymbolAtLocation(called)).includes("pi.on")) continue;
      const type = checker.getTypeAtLocation(node.arguments[0]);
      for (const one of type.isUnion() ? type.types : [type]) if (one.isStringLiteral()) yield `event:${one.value}`;
    }
  }
}
