// esbuild makes a file of its own for every set of entries that share a module: dozens of some hundred bytes. The loader spends a millisecond or two on
// each, more than the parser on all of them, so the small ones are joined into one.
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, posix } from "node:path";
import { build } from "esbuild";

/** Larger ones are bundled packages and whole rooms, which few commands need. Bytes. */
const small = 32 * 1024;
/** What is loaded with the redaction, which not every command needs, is not to become much longer by it. Bytes. */
const tiny = 6 * 1024;
/** Bytes. */
const least = 512;

/**
 * Joins chunks in their folder: into `start.js` those that `main` loads at once; into `shared.js` the small ones that need nothing larger, apart from those that the
 * entries in `light` load at once, which stay as light as they are; into `redact.js` the one that `redacting` stands in, and the tiny ones that need that and these.
 * `outputs` is that of esbuild's metafile, with paths relative to `root`.
 */
export async function joinChunks({ root, outputs, main, light, redacting }) {
  const chunks = Object.keys(outputs).filter(
    (path) => basename(path).startsWith("chunk-") && outputs[path].entryPoint === undefined,
  );
  const atOnce = (entry) => closureOf(outputs, outputOf(outputs, entry));
  const kept = new Set(light.flatMap((entry) => [...atOnce(entry)]));
  const started = atOnce(main);
  // A name or a pattern that the light entries share with others costs more as a file than it does here.
  const isName = (path) => kept.has(path) && outputs[path].bytes < least && outputs[path].imports.length === 0;
  const start = chunks.filter((path) => started.has(path) || isName(path));
  const smallOnes = chunks.filter((path) => outputs[path].bytes < small && !start.includes(path) && !kept.has(path));
  const shared = needingOnly(outputs, smallOnes, [...start, ...kept]);
  const redact = chunks.filter((path) => redacting in outputs[path].inputs);
  const rest = smallOnes.filter((path) => !shared.includes(path) && outputs[path].bytes < tiny);
  const withRedact = needingOnly(outputs, [...redact, ...rest], [...start, ...kept, ...shared]);
  const files = Object.keys(outputs);
  for (const [name, joined] of Object.entries({ start, shared, redact: withRedact }))
    if (joined.length > 1) files.push(await joinInto(root, { name, joined, files, outputs }));
}

async function joinInto(root, { name, joined, files, outputs }) {
  const numbers = new Map(joined.map((path, number) => [path, number]));
  const target = posix.join(posix.dirname(joined[0]), `${name}.js`);
  await writeJoined(root, { target, outputs, numbers });
  for (const path of files) if (existsSync(join(root, path))) pointTo(root, { path, target, numbers });
  for (const path of joined) rmSync(join(root, path));
  return target;
}

/** Those of `paths` that need nothing but each other and what is `there`: a file that is neither might need them, and then each would wait for the other. */
function needingOnly(outputs, paths, there) {
  const known = new Set([...paths, ...there]);
  const fit = paths.filter((path) =>
    outputs[path].imports.every(
      ({ path: next, kind }) => kind !== "import-statement" || outputs[next] === undefined || known.has(next),
    ),
  );
  return fit.length === paths.length ? fit : needingOnly(outputs, fit, there);
}

function outputOf(outputs, entry) {
  const found = Object.keys(outputs).find((path) => outputs[path].entryPoint === entry);
  if (found === undefined) throw new Error(`${entry} is no entry of the build`);
  return found;
}

/** What is loaded together with an output. */
function closureOf(outputs, path, seen = new Set()) {
  if (seen.has(path)) return seen;
  seen.add(path);
  for (const { path: next, kind } of outputs[path].imports)
    if (kind === "import-statement" && outputs[next] !== undefined) closureOf(outputs, next, seen);
  return seen;
}

async function writeJoined(root, { target, outputs, numbers }) {
  const lines = [...numbers].map(([path, number]) => {
    const names = outputs[path].exports.map((name) => `${name} as ${name}$${number}`);
    const from = JSON.stringify(`./${basename(path)}`);
    return names.length === 0 ? `import ${from};` : `export { ${names.join(", ")} } from ${from};`;
  });
  const folder = join(root, dirname(target));
  const joinedNames = new Set([...numbers.keys()].map((path) => `./${basename(path)}`));
  await build({
    stdin: { contents: lines.join("\n"), resolveDir: folder },
    outfile: join(root, target),
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node22.13",
    minifyWhitespace: true,
    legalComments: "none",
    logLevel: "warning",
    plugins: [
      {
        name: "only-joined",
        setup(builder) {
          builder.onResolve({ filter: /.*/ }, ({ path, kind }) =>
            kind !== "dynamic-import" && joinedNames.has(path) ? undefined : { path, external: true },
          );
        },
      },
    ],
  });
}

const statement = /\bimport(?:\s*\{([^}]*)\}\s*from)?\s*"(\.{1,2}\/[^"]+)";/g;

function pointTo(root, { path, target: joined, numbers }) {
  const file = join(root, path);
  const text = readFileSync(file, "utf8");
  const relative = posix.relative(posix.dirname(path), joined);
  const target = JSON.stringify(relative.startsWith(".") ? relative : `./${relative}`);
  const changed = text.replace(statement, (whole, names, from) => {
    const number = numbers.get(posix.join(posix.dirname(path), from));
    if (number === undefined) return whole;
    return names === undefined ? `import ${target};` : `import { ${renamed(names, number)} } from ${target};`;
  });
  if (changed !== text) writeFileSync(file, changed);
}

/** `a, b as c` as it is called in the joined file. */
function renamed(names, number) {
  const parts = names.split(",").map((part) => part.trim());
  return parts
    .filter((part) => part !== "")
    .map((part) => {
      const [name, , alias = name] = part.split(/\s+/);
      return `${name}$${number} as ${alias}`;
    })
    .join(", ");
}
