// esbuild makes a file of its own for every set of entries that share a module: dozens of some hundred bytes. The loader spends a millisecond or two on
// each, more than the parser on all of them, so the small ones are joined into one.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, posix } from "node:path";
import { build } from "esbuild";

/** Larger ones are bundled packages and whole rooms, which few commands need. Bytes. */
const small = 32 * 1024;

/**
 * Joins the small shared chunks into `shared.js` in their folder, apart from those that the entries in `without` load at once: these stay as light as they are.
 * `outputs` is that of esbuild's metafile, with paths relative to `root`. Returns how many were joined.
 */
export async function joinChunks({ root, outputs, without }) {
  const kept = new Set(without.flatMap((entry) => [...closureOf(outputs, outputOf(outputs, entry))]));
  const joined = withoutOthers(
    outputs,
    kept,
    Object.keys(outputs).filter((path) => {
      const { entryPoint, bytes } = outputs[path];
      return basename(path).startsWith("chunk-") && entryPoint === undefined && bytes < small && !kept.has(path);
    }),
  );
  if (joined.length < 2) return 0;
  const numbers = new Map(joined.map((path, number) => [path, number]));
  const shared = posix.join(posix.dirname(joined[0]), "shared.js");
  await writeShared(root, { shared, outputs, numbers });
  for (const path of Object.keys(outputs)) if (!numbers.has(path)) pointToShared(root, { path, shared, numbers });
  for (const path of joined) rmSync(join(root, path));
  return joined.length;
}

/** Those that need nothing but each other and what is kept: a file that is neither might need them, and then each would wait for the other. */
function withoutOthers(outputs, kept, paths) {
  const known = new Set([...paths, ...kept]);
  const fit = paths.filter((path) =>
    outputs[path].imports.every(
      ({ path: next, kind }) => kind !== "import-statement" || outputs[next] === undefined || known.has(next),
    ),
  );
  return fit.length === paths.length ? fit : withoutOthers(outputs, kept, fit);
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

async function writeShared(root, { shared, outputs, numbers }) {
  const lines = [...numbers].map(([path, number]) => {
    const names = outputs[path].exports.map((name) => `${name} as ${name}$${number}`);
    const from = JSON.stringify(`./${basename(path)}`);
    return names.length === 0 ? `import ${from};` : `export { ${names.join(", ")} } from ${from};`;
  });
  const folder = join(root, dirname(shared));
  const joinedNames = new Set([...numbers.keys()].map((path) => `./${basename(path)}`));
  await build({
    stdin: { contents: lines.join("\n"), resolveDir: folder },
    outfile: join(root, shared),
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

function pointToShared(root, { path, shared, numbers }) {
  const file = join(root, path);
  const text = readFileSync(file, "utf8");
  const relative = posix.relative(posix.dirname(path), shared);
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
