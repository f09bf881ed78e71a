// Measures what each part of line selection contributes, with builds of the program that lack that part. The product has no switches for
// this, so a variant replaces exact source text while the program is bundled.
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { repository, temporaryFolder } from "./harness.mjs";

/**
 * The variants of bench/root.md. Each text must occur exactly once in its file; otherwise the run stops, because the variant would not
 * be what it claims to be. For example:
 *
 *     { name: "age does not count", replace: [
 *       { file: "src/tree/root/root-lines.ts", from: "0.4 + 1 / (1 + topic.age / 45)", to: "1" },
 *     ] }
 */
export const variants = [
  one(
    "every sentence counts alike",
    "src/tree/extract/conversation.ts",
    "let weight = 1;\n  if (facts",
    "let weight = 1;\n  if (sentence !== '') return 1;\n  if (facts",
  ),
  one(
    "what the assistant says counts too",
    "src/tree/extract/conversation.ts",
    '    if (speaker === "other") continue;\n',
    "",
  ),
  one(
    "words of any talk count in full",
    "src/tree/extract/conversation.ts",
    "const talkFactor = 0.4;",
    "const talkFactor = 1;",
  ),
  one(
    "no phrases",
    "src/tree/extract/conversation.ts",
    "const together = pair === undefined ||",
    "const together = taken !== undefined ||",
  ),
  one("rarity counts in full", "src/base/topic-lines.ts", "const rarityTrust = 0.4;", "const rarityTrust = 1;"),
  one("rarity does not count", "src/base/topic-lines.ts", "const rarityTrust = 0.4;", "const rarityTrust = 0;"),
  one(
    "a crowded week keeps one topic a line",
    "src/tree/extract/found-topics.ts",
    "  if (topics.length <= lines) return topics;",
    "  if (topics.length > 0) return topics.slice(0, lines);",
  ),
  one(
    "weeks of up to 300 lines, months summarised again",
    "src/tree/compose/limits.ts",
    "const share = Math.floor(thresholds.monthly.lines / weeks) - linesOfChildHeading;",
    "const share = most.lines + 0 * weeks * linesOfChildHeading;",
  ),
  one("one conversation a line", "src/tree/root/root-index.ts", "const mostPlaces = 10;", "const mostPlaces = 1;"),
  one(
    "up to four conversations a line",
    "src/tree/root/root-index.ts",
    "const mostPlaces = 10;",
    "const mostPlaces = 4;",
  ),
  one(
    "a shared name is enough for a line",
    "src/base/coverage.ts",
    "others.filter((term) => all.has(term)).length < 2",
    "size === 0",
  ),
  one("age does not count", "src/tree/root/root-index.ts", "0.8 + 0.4 / (1 + age / 45)", "1 + 0 * age"),
];

function one(name, file, from, to) {
  return { name, replace: [{ file, from, to }] };
}

/** The name and the result of `measure` for the unchanged program and for each variant. */
export async function ablations(measure, list = variants) {
  const measured = [];
  const all = list.length === 0 ? [] : [{ name: "the program as it is", replace: [] }, ...list];
  for (const variant of all) measured.push({ name: variant.name, ...measure(await buildVariant(variant)) });
  return measured;
}

/** Bundles the command line with the replacements; returns the path of its `bin.js`. */
async function buildVariant(variant) {
  const folder = temporaryFolder();
  const dist = join(folder, "dist");
  mkdirSync(dist, { recursive: true });
  const version = JSON.parse(readFileSync(join(repository, "package.json"), "utf8")).version;
  const edited = replacements(variant);
  await build({
    absWorkingDir: repository,
    entryPoints: { main: "src/surfaces/cli/main.ts" },
    outdir: dist,
    alias: { "jsonc-parser": join(repository, "node_modules/jsonc-parser/lib/esm/main.js") },
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node22.13",
    chunkNames: "cli/[name]-[hash]",
    logLevel: "warning",
    plugins: [edited.plugin],
    define: { HEARTWOOD_VERSION: JSON.stringify(version) },
  });
  const unused = edited.files.filter((file) => !edited.loaded.has(file));
  if (unused.length > 0) throw new Error(`variant "${variant.name}": the program does not load ${unused.join(", ")}`);
  // The program expects its files next to the nearest package.json.
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module", version }));
  writeFileSync(join(dist, "bin.js"), 'import("./main.js").then((surface) => surface.main());\n');
  for (const table of readdirSync(join(repository, "dist")).filter((name) => /^[^.]+\.bin$/u.test(name)))
    cpSync(join(repository, "dist", table), join(dist, table));
  return join(dist, "bin.js");
}

function replacements({ name, replace }) {
  const files = [...new Set(replace.map(({ file }) => file))];
  const contents = new Map(files.map((file) => [join(repository, file), replaced(name, file, replace)]));
  const loaded = new Set();
  const plugin = {
    name: "replace",
    setup(builder) {
      builder.onLoad({ filter: /\.ts$/ }, ({ path }) => {
        if (!contents.has(path)) return undefined;
        loaded.add(path.slice(repository.length + 1));
        return { contents: contents.get(path), loader: "ts" };
      });
    },
  };
  return { files, loaded, plugin };
}

function replaced(name, file, replace) {
  let text = readFileSync(join(repository, file), "utf8");
  for (const { from, to } of replace.filter((one) => one.file === file)) {
    const parts = text.split(from);
    if (parts.length !== 2)
      throw new Error(
        `variant "${name}": ${file} has ${parts.length - 1} times ${JSON.stringify(from)}, once is wanted`,
      );
    text = parts.join(to);
  }
  return text;
}
