// Measures what each part of line selection contributes, with builds of the program that lack that part. The product has no switches for
// this, so a variant replaces exact source text while the program is bundled.
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { repository, temporaryFolder } from "./harness.mjs";

const formerSentenceWeight = `
const formerFacts =
  /\\bmy\\b|\\bI(?:['’](?:ve|d been|m)| have| had| was| am| got| went| bought| started| finished| just| recently| finally| live| work| own| use| used to| prefer| love| hate| moved| decided| need to)\\b|나는|내가|제가|저는|私は|私の|僕は|我的|我在/;
function sentenceWeight(sentence: string): number {
  let weight = ownWords.test(sentence) || ownWordsElsewhere.test(sentence) ? 1.5 : 1;
  if (formerFacts.test(sentence)) weight = 3;
  if (/[?？]\\s*$/u.test(sentence)) weight *= 0.7;
  return sentence.split(" ", 61).length > 60 ? weight * 0.3 : weight;
}
`;

/** Why a part stays, where pointers do not show it. */
const reasons = {
  "what the assistant says counts too": "what an assistant says is not the user's word",
  "words of any talk count in full": "keywords that say something",
  "weeks of up to 300 lines, months summarised again": "months keep their weeks word for word",
  "no phrases": "two words that belong together read as one",
  "a shared name is enough for a line": "no strangers in a line",
  "age does not count": "the questions ask about all times alike",
  "sentences are told by length alone": "chooses the sentences of Active Context, which few questions need",
  "repeats of a newer topic stay": "one line for one thing",
  "a topic is named by its best keyword": "names that read as names",
};

/**
 * The variants of bench/root-pointer.md. Each text must occur exactly once in its file; otherwise the run stops, because the variant would not
 * be what it claims to be. For example:
 *
 *     { name: "age does not count", replace: [
 *       { file: "src/tree/root/root-lines.ts", from: "0.4 + 1 / (1 + topic.age / 45)", to: "1" },
 *     ] }
 */
export const variants = [
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
  one(
    "sentences are told by length alone",
    "src/tree/extract/conversation.ts",
    "let value = Math.min(6, words.length) / 2;\n",
    "let value = Math.min(6, words.length) / 2;\n  if (value > 0) return value + 1;\n",
  ),
  one(
    "many places count no more than one",
    "src/tree/root/root-index.ts",
    "value: size ** 0.8 * fresh",
    "value: fresh",
  ),
  one("each place counts in full", "src/tree/root/root-index.ts", "value: size ** 0.8 * fresh", "value: size * fresh"),
  one(
    "repeats of a newer topic stay",
    "src/tree/root/root-index.ts",
    "if (newer.some((one) =>",
    "if (kept.size < 0 && newer.some((one) =>",
  ),
  one(
    "frequent topics weigh no more in a summary",
    "src/tree/extract/found-topics.ts",
    "const worth = Math.sqrt(passage.refs.length);",
    "const worth = 1;",
  ),
  one(
    "a topic is named by its best keyword",
    "src/tree/extract/found-topics.ts",
    "return name === undefined ? keywords :",
    "return name !== undefined || name === undefined ? keywords :",
  ),
  one(
    "two words with the line do not suffice",
    "src/base/coverage.ts",
    "others.filter((term) => all.has(term)).length < 2",
    "all.size > 0",
  ),
  one(
    "the first topic of a line is that of most worth",
    "src/base/coverage.ts",
    "const value = worth + others.reduce((sum, term) => sum + (shared.get(term) ?? 0) - worth, 0);",
    "const value = worth + 0 * others.length * shared.size;",
  ),
  one("words are added while any gains", "src/base/coverage.ts", "const leastReturn = 0.5;", "const leastReturn = 0;"),
  one("rank does not lower the odds", "src/base/topic-lines.ts", "const oddsByRank = 0.95;", "const oddsByRank = 1;"),
  back("what people tell of themselves counts 3, the first person 1.5, questions ×0.7, pasted text ×0.3", [
    ["word.shown, talkWords.has", "word.shown, sentenceWeight(text) * (talkWords.has"],
    ["talkFactor : 1);", "talkFactor : 1));"],
    ["/** Small talk counts less. */", formerSentenceWeight],
  ]),
  back("a name inside a sentence counts 1.6", [
    ["talkFactor : 1);", "talkFactor : start > 0 && /^\\p{Lu}/u.test(word.shown) ? 1.6 : 1);"],
  ]),
  back("a word with a digit counts 0.7", [["talkFactor : 1);", "talkFactor : /\\d/u.test(word.shown) ? 0.7 : 1);"]]),
];

function one(name, file, from, to) {
  return { name, because: reasons[name], replace: [{ file, from, to }] };
}

/** A part that the program no longer has, put back. */
function back(name, texts) {
  const file = "src/tree/extract/conversation.ts";
  return { name, puts: "back", replace: texts.map(([from, to]) => ({ file, from, to })) };
}

/** The name and the result of `measure` for the unchanged program and for each variant; bench/recall-quality.mjs has variants of its own. */
export async function ablations(measure, list) {
  const measured = [];
  const all = list.length === 0 ? [] : [{ name: "the program as it is", replace: [] }, ...list];
  for (const variant of all) measured.push({ name: variant.name, ...measure(await buildVariant(variant)) });
  return measured;
}

/** Bundles the command line with the replacements; returns the path of its `bin.js`. */
export async function buildVariant(variant) {
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
