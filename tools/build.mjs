// Builds dist/: the program (program.cjs, which bin.js runs), the entry points of the library, the token table, the licenses
// of bundled packages, and the types. `--without-types` skips the types, which take longest.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { licencesOf } from "./licences.mjs";
import { bundleTypes } from "./types.mjs";

if (!process.features.typescript) {
  console.error(
    `Building heartwood needs Node 22.18 or newer, and this is Node ${process.versions.node}: install a newer one (https://nodejs.org), or run \`npm ci\` with its scripts allowed, which installs one here.`,
  );
  process.exit(2);
}

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, "dist");
// Built elsewhere and renamed when complete, so a program running from dist/ keeps working.
const made = join(root, "node_modules", `.heartwood-build-${process.pid}`);
const { version, exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const started = performance.now();

/** The surfaces that bin.js runs, and the threads of the program, by their names in it. */
const surfaces = {
  command: "./src/surfaces/cli/main.ts",
  server: "./src/surfaces/mcp/main.ts",
  http: "./src/surfaces/http/main.ts",
  hook: "./src/surfaces/hook/main.ts",
  worker: "./src/tree/run/compose-threads.ts",
};
/** The entry points of the library, each with its name in dist/ and its source: for `heartwood/testing`, src/testing.ts or src/testing/index.ts. */
const entries = Object.entries(exports)
  .filter(([, entry]) => typeof entry === "object")
  .map(([path, entry]) => ({
    name: entry.default.slice("./dist/".length, -".js".length),
    source: [`src/${path}.ts`, `src/${path}/index.ts`]
      .map(posix.normalize)
      .find((source) => existsSync(join(root, source))),
  }));

try {
  mkdirSync(made);
  const bundled = await bundleProgram();
  writeEntries();
  copyScripts();
  bundled.push(...(await buildPage()));
  runNode("tools/o200k-table.mjs", join(made, "o200k.bin"));
  copyFileSync(join(root, "tools/word-vectors.bin"), join(made, "word-vectors.bin"));
  writeFileSync(join(made, "LICENSES.txt"), licencesOf(root, bundled));
  if (!process.argv.includes("--without-types")) await makeTypes();
  putInPlace();
} finally {
  rmSync(made, { recursive: true, force: true });
}
console.error(`built dist/ in ${((performance.now() - started) / 1000).toFixed(1)} s`);

/**
 * Bundles everything into one script; each surface and entry point is loaded when it is called (docs/decisions/0024). The digest at the start tells bin.js
 * whether its compile cache is current. Returns the bundled paths, relative to the package.
 */
async function bundleProgram() {
  const { metafile, outputFiles } = await build({
    absWorkingDir: root,
    stdin: { contents: programSource(), resolveDir: root },
    bundle: true,
    format: "cjs",
    platform: "node",
    target: "node22.13",
    // Otherwise each use of a pattern with \\p{…} creates it again.
    supported: { "regexp-unicode-property-escapes": true },
    minify: true,
    // Node prints the source line of an uncaught error; it should not fill a page.
    lineLimit: 120,
    legalComments: "none",
    logLevel: "warning",
    metafile: true,
    write: false,
    alias: {
      "@modelcontextprotocol/server/_shims": join(root, "tools/mcp-shims.mjs"),
      // Its main file is UMD, which esbuild cannot follow.
      "jsonc-parser": join(root, "node_modules/jsonc-parser/lib/esm/main.js"),
    },
    banner: { js: `var moduleUrl=require("node:url").pathToFileURL(__filename).href;` },
    define: { HEARTWOOD_VERSION: JSON.stringify(version), "import.meta.url": "moduleUrl" },
  });
  const text = inAscii(outputFiles[0].text);
  const digest = createHash("sha256").update(text).digest("hex").slice(0, 16);
  writeFileSync(join(made, "program.cjs"), `/*${digest}*/${text}`);
  return Object.keys(metafile.inputs);
}

function programSource() {
  const lines = Object.entries(surfaces).map(([name, source]) => `exports.${name} = () => import("${source}");`);
  for (const { name, source } of entries) lines.push(`exports.${name} = () => require("./${source}");`);
  return lines.join("\n");
}

/** Escapes non-ASCII characters, because an ASCII script takes half the memory and needs no decoding. esbuild leaves them in regular expressions and templates. */
function inAscii(text) {
  const escaped = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return Array.from({ length: text.length }, (_, at) =>
    text.charCodeAt(at) < 128 ? text[at] : escaped(text[at]),
  ).join("");
}

/** `import` needs the exported names before the program runs. */
function writeEntries() {
  const program = createRequire(import.meta.url)(join(made, "program.cjs"));
  for (const { name } of entries) {
    const names = Object.keys(program[name]()).join(", ");
    writeFileSync(
      join(made, `${name}.js`),
      `import program from "./program.cjs";\n\nexport const { ${names} } = program.${name}();\n`,
    );
  }
}

function copyScripts() {
  const target = join(made, "bin.js");
  cpSync(join(root, "src/surfaces/cli/bin.js"), target);
  chmodSync(target, 0o755);
  cpSync(join(root, "src/surfaces/hook/cannot-run.js"), join(made, "cannot-run.js"));
}

/** The page of `heartwood serve`: one script, one style sheet and an icon, without anything from elsewhere. Returns the bundled paths. */
async function buildPage() {
  const assets = join(made, "page", "assets");
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: { page: "web/src/app.tsx", styles: "web/src/page.css" },
    outdir: assets,
    entryNames: "[name]",
    bundle: true,
    format: "esm",
    platform: "browser",
    target: ["chrome120", "firefox120", "safari17"],
    jsx: "automatic",
    jsxImportSource: "preact",
    minify: true,
    legalComments: "none",
    logLevel: "warning",
    metafile: true,
  });
  copyFileSync(join(root, "web/index.html"), join(made, "page", "index.html"));
  copyFileSync(join(root, "web/icon.svg"), join(assets, "icon.svg"));
  return Object.keys(metafile.inputs);
}

async function makeTypes() {
  const all = join(made, "all-types");
  runNode("node_modules/typescript/bin/tsc", "-p", "tools/tsconfig.types.json", "--outDir", all);
  const inputs = entries.map(({ name, source }) => [name, join(all, source.replace(/^src\/(.*)\.ts$/, "$1.d.ts"))]);
  await bundleTypes(Object.fromEntries(inputs), join(made, "types"));
  rmSync(all, { recursive: true });
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
