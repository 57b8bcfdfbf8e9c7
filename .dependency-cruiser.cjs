// The floors, rooms and doors of the house. Change a rule only together with AGENTS.md.
const test = "\\.test\\.ts$|/test/";
const floorsBelow = {
  ai: [],
  tui: [],
  agent: ["ai"],
  "coding-agent": ["ai", "tui", "agent"],
  orchestrator: ["ai", "tui", "agent", "coding-agent"],
  testkit: [],
};
const packages = Object.keys(floorsBelow);

const floors = packages.map((name) => ({
  name: `floor-${name}`,
  comment: `packages/${name} imports only from floors below: ${floorsBelow[name].join(", ") || "none"}`,
  severity: "error",
  from: { path: `^packages/${name}/src/`, pathNot: test },
  to: {
    path: "^packages/([^/]+)/",
    pathNot: `^packages/(${[name, ...floorsBelow[name]].join("|")})/`,
  },
}));

module.exports = {
  forbidden: [
    ...floors,
    {
      name: "no-circular",
      comment: "Cycles make every change meet every other.",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "no-deep-imports",
      comment: "Another package is imported by its name: what its exports map offers is its contract.",
      severity: "error",
      from: { path: "^packages/([^/]+)/" },
      to: {
        path: "^packages/([^/]+)/",
        pathNot: "^packages/$1/",
        dependencyTypes: ["local"],
      },
    },
    {
      name: "not-to-unresolvable",
      severity: "error",
      from: {},
      to: { couldNotResolve: true, pathNot: "\\?(raw|browser)$" },
    },
    {
      name: "no-test-in-product",
      severity: "error",
      from: { path: "^packages/(?!testkit)[^/]+/src/", pathNot: test },
      to: { path: `${test}|^packages/testkit/` },
    },
    {
      name: "door-http",
      comment:
        "Requests leave through packages/ai/src/http.ts and its parts in http/; sign-ins end at callback-server.ts.",
      severity: "error",
      from: {
        path: "^packages/(?!testkit)[^/]+/src/",
        pathNot: `^packages/ai/src/(http(\\.ts$|/)|auth/oauth/callback-server\\.ts$)|${test}`,
      },
      to: { path: "^(node:)?(http|https|http2|net|tls|dgram|undici)$|node_modules/(undici|ws)/" },
    },
    {
      name: "door-http-users",
      comment: "Only the API files open the HTTP door.",
      severity: "error",
      from: { path: "^packages/", pathNot: `^packages/ai/src/(api/|http)|${test}` },
      to: { path: "^packages/ai/src/http\\.ts$" },
    },
    {
      name: "door-http-json-users",
      comment: "Small requests beside the models' own: sign-in and lists of models.",
      severity: "error",
      from: { path: "^packages/", pathNot: `^packages/ai/src/(auth|models|providers)/|${test}` },
      to: { path: "^packages/ai/src/http-json\\.ts$" },
    },
    {
      name: "door-process",
      comment: "Child processes start in packages/coding-agent/src/core/process/.",
      severity: "error",
      from: {
        path: "^packages/(?!testkit)[^/]+/src/",
        pathNot: `^packages/coding-agent/src/core/process/|${test}`,
      },
      to: { path: "^(node:)?(child_process|cluster)$|node_modules/(execa|cross-spawn)/" },
    },
    {
      name: "door-storage",
      comment: "Files that must survive a crash or hold secrets are written through core/storage/.",
      severity: "error",
      from: {
        path: "^packages/coding-agent/src/core/(session-store|session-manager|settings|trust|models|project-trust|trust-manager)",
        pathNot: test,
      },
      to: { path: "^(node:)?fs(/promises)?$|node_modules/(proper-lockfile|write-file-atomic)/" },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "/dist/|^node_modules/|/test/fixtures/|/extension-types/.*\\.d\\.ts$" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["@pi/source", "import", "node", "default"] },
    cache: { folder: "node_modules/.cache/dependency-cruiser", strategy: "content" },
  },
};
