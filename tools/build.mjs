// Builds dist/: the command line (bin.js, main.js and its chunks), the library (index.js, ports.js, operations.js, testing.js), the token
// table, the table of word vectors, the licences of what is bundled, and the types. `--without-types` leaves out the last, which is the slow part.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { builtinsWithoutRequire, operationsAsOneFile, lateBuiltins, withoutCopies } from "./build-plugins.mjs";
import { joinChunks } from "./join-chunks.mjs";
import { latePatterns, lateSyntax, sharePatterns } from "./late-patterns.mjs";
import { licencesOf } from "./licences.mjs";

if (!process.features.typescript) {
  console.error(
    `Building heartwood needs Node 22.18 or newer, and this is Node ${process.versions.node}: install a newer one (https://nodejs.org), or run \`npm ci\` with its scripts allowed, which installs one here.`,
  );
  process.exit(2);
}

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, "dist");
// Made beside dist/ and put in its place when whole, so that a program that runs from dist/ meanwhile is not cut off.
const made = join(root, "node_modules", `.heartwood-build-${process.pid}`);
const version = JSON.parse(readFileSync(join(root, "package.json"), "utf8")).version;
/** The main file of this package is UMD, which esbuild cannot follow. */
const esModules = { "jsonc-parser": join(root, "node_modules/jsonc-parser/lib/esm/main.js") };
const started = performance.now();

try {
  mkdirSync(made);
  const bundled = [
    ...(await bundleCommandLine()),
    ...(await bundleServer()),
    ...(await bundleHooks()),
    ...(await bundleLibrary()),
  ];
  copyEntry();
  const tokenTable = makeTokenTable();
  writeFileSync(join(made, "LICENSES.txt"), licencesOf(root, bundled, { tokenTable }));
  if (!process.argv.includes("--without-types")) makeTypes();
  putInPlace();
} finally {
  rmSync(made, { recursive: true, force: true });
}
console.error(`built dist/ in ${((performance.now() - started) / 1000).toFixed(1)} s`);

/** Apart from the library, so that a command loads few files: each file of a split costs half a millisecond. */
async function bundleCommandLine() {
  const { inputs, outputs } = await bundle({ main: "src/surfaces/cli/main.ts" }, "cli", { supported: lateSyntax });
  const [main, light] = ["src/surfaces/cli/main.ts", ["src/engine/idle.ts"]];
  await joinChunks({ root, outputs, main, light, redacting: "src/base/redact/redact.ts" });
  const written = writtenIn(made);
  withoutCopies(written);
  sharePatterns(written);
  return inputs;
}

function writtenIn(folder) {
  return readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith(".js"))
    .map((name) => join(folder, name));
}

/** The MCP server, which starts once and stays: what an operation needs is in chunks that are loaded when it is called. */
async function bundleServer() {
  const shims = { "@modelcontextprotocol/server/_shims": join(root, "tools/mcp-shims.mjs") };
  return (await bundle({ mcp: "src/surfaces/mcp/main.ts" }, "mcp", { alias: shims })).inputs;
}

/**
 * The hooks of clients, which start at each turn of a conversation: one script, of which each event runs what it needs. Its value is a function of a module and of the
 * script's address; bin.js keeps what V8 compiled of it, by the digest at its beginning.
 */
async function bundleHooks() {
  const { inputs } = await bundle({ "hook.script": "src/surfaces/hook/main.ts" }, "hook", {
    format: "cjs",
    splitting: false,
    supported: lateSyntax,
    define: { "import.meta.url": "moduleUrl" },
  });
  const path = join(made, "hook.script.js");
  withoutCopies([path]);
  sharePatterns([path]);
  // esbuild leaves the letters of patterns and templates as they are, where escapes mean the same.
  const text = readFileSync(path, "utf8").replaceAll(
    /[^\x00-\x7f]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  const digest = createHash("sha256").update(text).digest("hex").slice(0, 16);
  writeFileSync(path, `/*${digest}*/(function (module, moduleUrl) {${text}\n})`);
  return inputs;
}

async function bundleLibrary() {
  const entries = { index: "src/index.ts", ports: "src/ports.ts", operations: "src/operations.ts" };
  if (existsSync(join(root, "src/testing/index.ts"))) entries.testing = "src/testing/index.ts";
  else console.error("build: src/testing/index.ts is not there; dist/testing.js was left out");
  return (await bundle(entries, "lib")).inputs;
}

/** Returns the paths of what went in, relative to the package, and what came out. */
async function bundle(
  entryPoints,
  chunkFolder,
  { format = "esm", splitting = true, supported = {}, alias = {}, define = {} } = {},
) {
  const result = await build({
    absWorkingDir: root,
    entryPoints,
    outdir: made,
    bundle: true,
    splitting,
    format,
    platform: "node",
    target: "node22.13",
    chunkNames: `${chunkFolder}/[name]-[hash]`,
    minifyWhitespace: true,
    supported,
    alias: { ...esModules, ...alias },
    legalComments: "none",
    metafile: true,
    logLevel: "warning",
    plugins: [operationsAsOneFile(root), latePatterns, lateBuiltins, builtinsWithoutRequire],
    define: { HEARTWOOD_VERSION: JSON.stringify(version), ...define },
  });
  return { inputs: Object.keys(result.metafile.inputs), outputs: result.metafile.outputs };
}

function copyEntry() {
  const target = join(made, "bin.js");
  cpSync(join(root, "src/surfaces/cli/bin.js"), target);
  chmodSync(target, 0o755);
  cpSync(join(root, "src/surfaces/hook/cannot-run.js"), join(made, "cannot-run.js"));
}

function makeTokenTable() {
  if (!existsSync(join(root, "tools/o200k-table.mjs"))) {
    console.error("build: tools/o200k-table.mjs is not there; dist/o200k.bin was left out");
    return false;
  }
  runNode("tools/o200k-table.mjs", join(made, "o200k.bin"));
  return true;
}

function makeTypes() {
  runNode("node_modules/typescript/bin/tsc", "-p", "tools/tsconfig.types.json", "--outDir", join(made, "types"));
}

function putInPlace() {
  const old = `${made}-old`;
  if (existsSync(dist)) renameSync(dist, old);
  renameSync(made, dist);
  rmSync(old, { recursive: true, force: true });
}

function runNode(script, ...args) {
  const { status } = spawnSync(process.execPath, [join(root, script), ...args], { cwd: root, stdio: "inherit" });
  if (status !== 0) throw new Error(`${script} failed`);
}
