// Builds dist/: the command line (bin.js, main.js and its chunks), the library (index.js, testing.js), the token
// table, the licences of what is bundled, and the types. `--without-types` leaves out the last, which is the slow part.
import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { builtinsWithoutRequire, engineAsOneFile, lateBuiltins, missingModules } from "./build-plugins.mjs";
import { licencesOf } from "./licences.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, "dist");
const version = JSON.parse(readFileSync(join(root, "package.json"), "utf8")).version;
const started = performance.now();

rmSync(dist, { recursive: true, force: true });
mkdirSync(dist, { recursive: true });
const bundled = [...(await bundleCommandLine()), ...(await bundleLibrary())];
copyEntry();
const table = makeTokenTable();
writeFileSync(join(dist, "LICENSES.txt"), licencesOf(root, bundled, { tokenTable: table }));
if (!process.argv.includes("--without-types")) makeTypes();
console.error(`built dist/ in ${((performance.now() - started) / 1000).toFixed(1)} s`);

/** Apart from the library, so that a command loads few files: each file of a split costs half a millisecond. */
async function bundleCommandLine() {
  return bundle({ main: "src/surfaces/cli/main.ts" }, "cli");
}

async function bundleLibrary() {
  const entries = { index: "src/index.ts" };
  if (existsSync(join(root, "src/testing/index.ts"))) entries.testing = "src/testing/index.ts";
  else console.error("build: src/testing/index.ts is not there; dist/testing.js was left out");
  return bundle(entries, "lib");
}

/** Returns the paths of what went in, relative to the package. */
async function bundle(entryPoints, chunkFolder) {
  const result = await build({
    absWorkingDir: root,
    entryPoints,
    outdir: dist,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node22.13",
    chunkNames: `${chunkFolder}/[name]-[hash]`,
    minifyWhitespace: false,
    legalComments: "none",
    metafile: true,
    logLevel: "warning",
    plugins: [engineAsOneFile(root), missingModules(root), lateBuiltins, builtinsWithoutRequire],
    define: { HEARTWOOD_VERSION: JSON.stringify(version) },
  });
  return Object.keys(result.metafile.inputs);
}

function copyEntry() {
  const target = join(dist, "bin.js");
  cpSync(join(root, "src/surfaces/cli/bin.js"), target);
  chmodSync(target, 0o755);
}

function makeTokenTable() {
  if (!existsSync(join(root, "tools/o200k-table.mjs"))) {
    console.error("build: tools/o200k-table.mjs is not there; dist/o200k.bin was left out");
    return false;
  }
  runNode("tools/o200k-table.mjs");
  console.error(`dist/o200k.bin: ${statSync(join(dist, "o200k.bin")).size} bytes`);
  return true;
}

function makeTypes() {
  runNode("node_modules/typescript/bin/tsc", "-p", "tools/tsconfig.types.json");
}

function runNode(script, ...args) {
  const { status } = spawnSync(process.execPath, [join(root, script), ...args], { cwd: root, stdio: "inherit" });
  if (status !== 0) {
    console.error(`build: ${script} failed`);
    process.exit(1);
  }
}
