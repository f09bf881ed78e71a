// Writes bench/root.md: the figures from bench/root.mjs, and example nodes.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const intro = `# What ROOT.md is worth

\`node bench/root.mjs\` builds memories of three kinds with the built program and measures their \`ROOT.md\`; \`node bench/root.mjs --write\` renews
this page. The conversations are a corpus that is not part of the package: \`--shared DIR\` says where it is, and without it those figures are left
out. The other two are made from a seed by \`bench/corpora/\`, with truth planted in them that the figures are taken against.

- **pointer coverage**: the share of questions for which a line of \`ROOT.md\` leads to the evidence, to at most twelve sessions in all, and shares two
  words with what the question needs. **chance**: the same with every line's sources given to another line.
- Figures with a bound must hold; the others show how the choice behaves at other caps.
- What each part of the choice adds is in [root-pointer.md](root-pointer.md).
`;

const longest = 40;

/** Writes the page: the figures, `ROOT.md`, and one node of each level. */
export function writeReport(file, { tables, memories }) {
  const parts = [intro, ...tables.map(figures), ...memories.map(examples)];
  writeFileSync(file, `${parts.join("\n").trimEnd()}\n`);
}

/** A table with one row per figure and its values at all caps. */
function figures({ name, rows }) {
  const groups = Object.groupBy(rows, (row) => row.name.replace(/ at(?: a cap of)? \d+$/u, ""));
  const lines = Object.entries(groups).map(([what, group]) => `| ${[what, ...cells(group)].join(" | ")} |`);
  return [`## Figures: ${name}`, "", "| | values | bound | |", "|---|---|---|---|", ...lines, ""].join("\n");
}

function cells(group) {
  const values = group.map(({ name, value, unit }) => {
    const cap = / (\d+)$/u.exec(name)?.[1];
    return `${number(value)}${unit === "" ? "" : ` ${unit}`}${cap === undefined ? "" : ` at ${Number(cap).toLocaleString("en")}`}`;
  });
  const bounds = group.map(boundOf).filter((bound) => bound !== "");
  const sizes = group.every(({ name }) => name.startsWith("tokens at"));
  const missed = group.filter(({ holds }) => holds === false).length;
  const verdict = bounds.length === 0 ? "" : missed === 0 ? "holds" : "**missed**";
  return [values.join("; "), sizes ? "the cap" : [...new Set(bounds)].join("; "), verdict];
}

function boundOf({ name, least, most }) {
  if (least === undefined && most === undefined) return "";
  const where =
    least !== undefined && / \d+$/u.test(name) ? ` at ${Number(/\d+$/u.exec(name)[0]).toLocaleString("en")}` : "";
  return `${least !== undefined ? `at least ${least}` : `at most ${most}`}${where}`;
}

function number(value) {
  return Number.isInteger(value) ? String(value) : value.toFixed(1);
}

/** The whole `ROOT.md`, and one node of each level: the first summarized one, else the longest. */
function examples({ name, dir }) {
  const files = ["daily", "weekly", "monthly"].map((level) => exampleOf(join(dir, "memory", level))).filter(Boolean);
  const nodes = files.map(({ path, text }) => `### ${path.slice(dir.length + 1)}\n\n${fenced(shortened(text))}`);
  const root = readFileSync(join(dir, "memory", "ROOT.md"), "utf8");
  return [`## How it reads: ${name}`, "", "### memory/ROOT.md", "", fenced(root), ...nodes].join("\n");
}

function exampleOf(folder) {
  if (!existsSync(folder)) return undefined;
  const nodes = readdirSync(folder)
    .filter((file) => file.endsWith(".md"))
    .map((file) => ({ path: join(folder, file), text: readFileSync(join(folder, file), "utf8") }));
  const summarised = nodes.find(({ text }) => /^made-by: built-in/mu.test(text));
  return summarised ?? nodes.toSorted((a, b) => b.text.length - a.text.length)[0];
}

function shortened(text) {
  const lines = text.trimEnd().split("\n");
  const rest = lines.length - longest;
  return rest <= 0 ? lines.join("\n") : [...lines.slice(0, longest), `(${rest} lines more)`].join("\n");
}

/** A fence longer than any in the text. */
function fenced(text) {
  const runs = (text.match(/`{3,}/gu) ?? []).map((run) => run.length);
  const fence = "`".repeat(Math.max(3, ...runs.map((length) => length + 1)));
  return `${fence}markdown\n${text.trimEnd()}\n${fence}\n`;
}
