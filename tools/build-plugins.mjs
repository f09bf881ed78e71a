// What esbuild does not do by itself. The first two are for start-up: figures in docs/decisions or bench/.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { basename, join } from "node:path";

/**
 * Node's own modules, each loaded when the first of its names is used. An `import` of `node:fs` or `node:crypto` reads
 * every export, among them getters that load streams and WebCrypto: 10 ms that most commands have no use for.
 */
export const lateBuiltins = {
  name: "late-builtins",
  setup(builder) {
    builder.onResolve({ filter: /^node:/ }, ({ path, kind }) =>
      // `import("node:…")` is late by itself, and of a CommonJS module it would get no names.
      kind === "dynamic-import" ? { path, external: true } : { path, namespace: "late-builtin" },
    );
    builder.onLoad({ filter: /.*/, namespace: "late-builtin" }, ({ path }) => ({
      contents: lateModule(path),
      loader: "js",
    }));
  },
};

/** esbuild copies all names of such a module in each file that imports it, which takes 9 ms of a recall; only a default import needs the copy. */
export function withoutCopies(paths) {
  for (const path of paths) {
    const text = readFileSync(path, "utf8");
    const changed = text.replace(/\b(\w+)=__toESM\((require_node_\w+\(\)),1\)/g, (whole, name, module) =>
      text.includes(`${name}.default`) ? whole : `${name}=${module}`,
    );
    if (changed !== text) writeFileSync(path, changed);
  }
}

function lateModule(path) {
  const names = Object.keys(process.getBuiltinModule(path)).filter((name) => /^[A-Za-z_$][\w$]*$/.test(name));
  return `let loaded;
const load = () => (loaded ??= process.getBuiltinModule(${JSON.stringify(path)}));
module.exports = {
${names.map((name) => `  get ${name}() { return load().${name}; },`).join("\n")}
};`;
}

/** yaml is CommonJS; a `createRequire` for it in every chunk would cost each command a millisecond. */
export const builtinsWithoutRequire = {
  name: "builtins-without-require",
  setup(builder) {
    builder.onLoad({ filter: /[\\/]node_modules[\\/]yaml[\\/].*\.js$/ }, ({ path }) => {
      const source = readFileSync(path, "utf8");
      const contents = source.replace(/\brequire\((["'])([^"'./][^"']*)\1\)/g, (call, _quote, name) =>
        isBuiltin(name) ? builtin(name) : call,
      );
      return { contents, loader: "js" };
    });
  },
};

function builtin(name) {
  return `globalThis.process.getBuiltinModule(${JSON.stringify(name)})`;
}

/**
 * The operations of each src/engine/operations*.ts, each imported late there, as one file of the build instead of dozens of
 * shared ones: with each file the loader spends a millisecond or two, with all operations of a table the parser spends two.
 */
export function operationsAsOneFile(root) {
  const folder = join(root, "src/engine");
  const lateImport = /\bimport\("\.\/([a-z/-]+)\.ts"\)/g;
  // The way to "nothing to do" must not load the engine.
  const isThere = (name) => name !== "idle" && existsSync(join(folder, `${name}.ts`));
  const textOf = (table) => readFileSync(join(folder, `${table}.ts`), "utf8");
  return {
    name: "operations-as-one-file",
    setup(builder) {
      builder.onLoad({ filter: /[\\/]engine[\\/]operations[a-z-]*\.ts$/ }, ({ path }) => {
        const table = basename(path, ".ts");
        const contents = textOf(table).replace(lateImport, (call, name) =>
          isThere(name) ? `import("all:${table}").then((all) => all[${JSON.stringify(name)}])` : call,
        );
        return { contents, loader: "ts" };
      });
      builder.onResolve({ filter: /^all:/ }, ({ path }) => ({ path: path.slice("all:".length), namespace: "all" }));
      builder.onLoad({ filter: /.*/, namespace: "all" }, ({ path }) => {
        const names = new Set([...textOf(path).matchAll(lateImport)].map(([, name]) => name));
        const lines = [...names]
          .filter(isThere)
          .map((name) => `export * as ${JSON.stringify(name)} from "./${name}.ts";`);
        return { contents: lines.join("\n"), loader: "ts", resolveDir: folder };
      });
    },
  };
}
