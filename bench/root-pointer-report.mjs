// The tables of bench/root-pointer.mjs.
import { writeFileSync } from "node:fs";
import { generator } from "./recall-conversation-score.mjs";

const draws = 2000;

/** `rows`: variant → corpus → one `{ real, chance }` per cap. The effect of a part: with it, less without it, in points, over the caps. */
export function effectsOf(read, rows, variants) {
  const measured = variants.filter(({ name }) => rows[name] !== undefined);
  return measured.map((variant) => ({
    ...variant,
    on: read.map((corpus) => {
      const [without, base] = [rows[variant.name][corpus.name], rows[""][corpus.name]];
      const [with_, less] = variant.puts === "back" ? [without, base] : [base, without];
      const gains = corpus.questions.map((_, at) => netOf(with_, at) - netOf(less, at));
      return paired(gains, corpus.questions);
    }),
  }));
}

function netOf(caps, at) {
  return caps.reduce((sum, { real, chance }) => sum + real[at] - chance[at], 0) / caps.length;
}

/** The mean in points with its interval at 95 %. Questions about the same evidence are drawn together. */
function paired(gains, questions) {
  const groups = [...Map.groupBy(gains.keys(), (at) => questions[at].group).values()].map((all) => [
    all.reduce((sum, at) => sum + gains[at], 0),
    all.length,
  ]);
  const random = generator(1);
  const sampled = Array.from({ length: draws }, () => ratio(groups.map(() => groups[random(groups.length)])));
  sampled.sort((a, b) => a - b);
  return { value: ratio(groups), low: sampled[Math.floor(0.025 * draws)], high: sampled[Math.floor(0.975 * draws)] };
}

function ratio(groups) {
  let [sum, count] = [0, 0];
  for (const [value, number] of groups) [sum, count] = [sum + value, count + number];
  return (100 * sum) / count;
}

/** `helps` and `harms` are those whose interval excludes 0. */
function verdictOf({ low, high }) {
  return low > 0 ? "helps" : high < 0 ? "harms" : "";
}

export function printLevels(read, base) {
  for (const corpus of read) console.log(`${corpus.name}: ${levels(corpus, base[corpus.name]).join("; ")}`);
}

function levels({ caps }, scores) {
  return caps.map((cap, at) => {
    const { real, chance } = scores[at];
    return `${points(real)} % at ${cap.toLocaleString("en")} tokens, chance ${points(chance)}`;
  });
}

function points(values) {
  return ((100 * values.reduce((sum, value) => sum + value, 0)) / values.length).toFixed(1);
}

export function printEffects(read, effects) {
  for (const { name, on } of effects)
    console.log(`${name.padEnd(64)} ${on.map((one) => `${cell(one)} ${verdictOf(one)}`.padEnd(28)).join("")}`);
}

function cell(one) {
  const sign = (value) => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(1)}`;
  return `${sign(one.value)} (${sign(one.low)} to ${sign(one.high)})`;
}

const intro = `# What each part of ROOT.md's choice adds

\`node bench/root-pointer.mjs --write\` renews this page. It measures how much \`ROOT.md\` points at in corpora of different kinds, and again with
builds of the program that each lack one part, so that a part that fits only one corpus can be seen. The corpora are not part of the
package; options say where they are, and what is missing is left out.

- **MemAware**: 91 days of a person and an assistant, with messages that need an earlier conversation but seldom share its words.
- **LoCoMo**: ten conversations of two invented people over months, written by models. **REALTALK**: ten of two real people over three weeks. Both
  people are users there; the ten are one memory.
- **BEAM**: twenty long conversations (100K) of a person and an assistant about one matter each, as one memory; a session is the messages of one step.
- A question is **pointed at** when a line of \`ROOT.md\` leads to a session with its evidence, to at most twelve sessions in all, and shares two
  words with what is wanted: in MemAware what should be recalled and the answer, elsewhere the question and the answer, without the names of the
  speakers. **Chance** is the same with every line's sources given to another line, in 20 draws.
- \`ROOT.md\` has as many tokens per session everywhere as 3,000 and 10,000 are for MemAware.
`;

const rule = `An effect is the pointed-at share less chance with the part, minus the same without it, in points, as the mean over both caps. In brackets: 95 %
over 2,000 draws of the same questions for both, where questions about the same evidence are drawn together. **Bold**: the interval excludes 0.
An effect of 0.0 without an interval: the part changes nothing there.

A part that helps one corpus alone is dropped, because it may only fit its questions. A part that helps two stays, and so does one with a reason
that pointers do not measure, in the last column. Rows of one number (places a line, rarity) are neighbours of the value that the program has.
Rows without a reason that help none are the next to be dropped. Of this many intervals, some exclude 0 by chance.
`;

/** Writes the page: levels, effects of the parts that the program has, and of those it no longer has. */
export function writePointerReport(file, { corpora: read, base, effects }) {
  const [dropped, kept] = [
    effects.filter(({ puts }) => puts === "back"),
    effects.filter(({ puts }) => puts !== "back"),
  ];
  const levelRows = read.map(
    (corpus) => `| ${[corpus.name, ...sizes(corpus), ...levelCells(corpus, base)].join(" | ")} |`,
  );
  const parts = [
    intro,
    "## Levels\n",
    "| | sessions | questions | lower cap | pointed at | chance | higher cap | pointed at | chance |",
    "|---|---:|---:|---:|---:|---:|---:|---:|---:|",
    ...levelRows,
    "",
    "## Effects of the parts\n",
    rule,
    ...table(read, "without the part", kept),
    ...(dropped.length === 0 ? [] : ["## Dropped\n", "Effects of putting each of these parts back alone.\n"]),
    ...(dropped.length === 0 ? [] : table(read, "the part", dropped)),
  ];
  writeFileSync(file, `${parts.join("\n").trimEnd()}\n`);
}

function sizes({ places, questions }) {
  return [places.length.toLocaleString("en"), questions.length.toLocaleString("en")];
}

function levelCells({ name, caps }, base) {
  return caps.flatMap((cap, at) => {
    const { real, chance } = base[name][at];
    return [cap.toLocaleString("en"), `${points(real)} %`, `${points(chance)} %`];
  });
}

function table(read, head, effects) {
  const rows = effects.map(({ name, on, because = "" }) => {
    const cells = on.map((one) => {
      if (one.low === 0 && one.high === 0) return "0.0";
      return verdictOf(one) === "" ? cell(one) : `**${cell(one)}**`;
    });
    return `| ${[name, ...cells, because].join(" | ")} |`;
  });
  return [
    `| ${[head, ...read.map(({ name }) => name), "why"].join(" | ")} |`,
    `|---|${read.map(() => "---:|").join("")}---|`,
    ...rows,
    "",
  ];
}
