// The parts `days` and `real` of bench/growth.mjs: what commands and hooks cost by the number of days, and on real conversations beside W and N.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { writeWorkspace } from "./corpora/audit-year.mjs";
import { program, temporaryFolder } from "./harness.mjs";
import { today } from "./growth-projects.mjs";
import { bounded, inTurns, shownTime, shownValue, table } from "./growth-measure.mjs";

const flat = new Set(["`root`", "`trace ROOT:10`", "`status`", "prompt hook", "`search`", "`recall`"]);
const changed = ["changed day, newest", "changed day, old"];

/** All that is done with a project of this size, in the order of a session: changes, reads, then an entry. */
function casesOf({ command, hook, change, projectOf }, size, prompts) {
  const of = (run) => prompts[run % prompts.length];
  const log = () => rmSync(join(projectOf(size), "memory", `${today}.md`), { force: true });
  const entry = ["log", "add", "--topic", "Pump", "--body", "- decisions: the second pump stays"];
  return [
    command(size, changed[0], ["compact"], { before: () => change(size, "newest") }),
    command(size, "`index` after it", ["index"]),
    command(size, changed[1], ["compact"], { before: () => change(size, "old") }),
    command(size, "`index` after that", ["index"]),
    command(size, "`compact`, nothing to do", ["compact"]),
    command(size, "`root`", ["root"]),
    command(size, "`trace ROOT:10`", ["trace", "ROOT:10"]),
    command(size, "`status`", ["status"]),
    hook(size, "start hook", "SessionStart", () => ({ source: "compact" })),
    hook(size, "prompt hook", "UserPromptSubmit", (run) => ({ prompt: of(run) })),
    command(size, "`search`", (run) => ["search", of(run)]),
    command(size, "`recall`", (run) => ["recall", of(run)]),
    command(size, "`log add`", entry, { after: log }),
  ];
}

/** A case of each size after the other, so that sizes are compared at about the same time. */
function interleaved(all) {
  return all[0].flatMap((_, at) => all.map((cases) => cases[at]));
}

const nameIn = ({ key }) => key.slice(0, key.lastIndexOf(", "));

export function measureDays(projects, { sizes, runs }) {
  const prompts = projects.answeredPrompts(sizes, runs);
  const all = sizes.map((size) => casesOf(projects, size, prompts));
  // Fills the caches of compiled code.
  inTurns(all[0], { runs: 1 });
  const found = inTurns(interleaved(all), { runs });
  const builds = (size) => (size > 3650 ? 1 : 3);
  const colds = sizes.flatMap((size) => [
    projects.W(size, builds(size)),
    projects.cold(size, "cold `compact`", ["compact"], builds(size)),
    projects.cold(size, "cold `index`", ["index"], builds(size)),
  ]);
  const built = inTurns(colds, { runs: Math.min(3, runs) });
  const [first, long] = [sizes[0], sizes.includes(3650) ? 3650 : sizes.at(-1)];
  const lines = all[0].map(nameIn).map((name) => {
    const at = (size) => found.get(`${name}, ${size}`);
    const ratio = at(long).ms / at(first).ms;
    const isBounded = flat.has(name) || changed.includes(name);
    const judged = isBounded ? bounded(`${name}: ${long} ÷ ${first} days`, ratio, 1.5) : [shownValue(ratio), "", ""];
    return [name, ...sizes.map((size) => shownTime(at(size))), ...judged];
  });
  const coldLines = ["W", "cold `compact`", "cold `index`"].map((name) => {
    const cells = sizes.map((size) => {
      const { ms, failed } = built.get(`${name}, ${size}`);
      if (failed !== undefined) return "failed";
      const inW = ms / built.get(`W, ${size}`).ms;
      return name === "W" ? shownValue(ms) : `${shownValue(ms)} (${shownValue(inW)} W)`;
    });
    return [name, ...cells];
  });
  const peakOf = (map, name, size) => map.get(`${name}, ${size}`)?.peak;
  const inW = built.get(`cold \`compact\`, ${long}`).ms / built.get(`W, ${long}`).ms;
  const hookPeak = Math.max(...["start hook", "prompt hook"].map((name) => peakOf(found, name, long)));
  const judged = [
    [`cold \`compact\`, ${long} days`, inW, 1.2, " W"],
    [`peak of a cold \`compact\`, ${long} days`, peakOf(built, "cold `compact`", long), 300, " MB"],
    ...changed.map((name) => [`peak of a ${name}, ${long} days`, peakOf(found, name, long), 150, " MB"]),
    [`peak of a hook, ${long} days`, hookPeak, 80, " MB"],
  ].map(([name, value, bound, unit]) => [name, ...bounded(name, value, bound, { unit })]);
  const days = sizes.map((size) => `${size} days`);
  return `## By the number of days

Logs of 54 kB a day (\`bench/corpora/decade.mjs\`). Milliseconds of a whole process, and its user CPU time in parentheses. Changed days are \`compact\` after a section was appended to a log.

${table(["work", ...days, `${long} ÷ ${first}`, "bound", ""], lines)}

Builds from the logs alone (${Math.min(3, runs)} runs; one above 3,650 days), in ms; W is \`yardstick.mjs\` on the same logs.

${table(["work", ...days], coldLines)}

${table(["work", "measured", "bound", ""], judged)}
`;
}

/** The 91 days of real conversations. */
export function measureReal(projects, { runs }) {
  const size = "real";
  const prompts = projects.answeredPrompts([size], runs);
  const workspace = join(temporaryFolder(), "year");
  writeWorkspace(workspace);
  const audit = {
    key: "`audit` of 365 notes, real",
    args: () => [program, "audit", "--dir", workspace],
    options: () => ({ env: { ...projects.env, HEARTWOOD_TODAY: "2026-01-02" }, statuses: [0, 1] }),
  };
  const cases = [
    projects.N,
    projects.W(size),
    ...casesOf(projects, size, prompts),
    audit,
    projects.cold(size, "cold `compact`", ["compact"]),
    projects.cold(size, "cold `index`", ["index"]),
  ];
  inTurns(cases, { runs: 1 });
  const found = inTurns(cases, { runs });
  const units = { W: found.get(`W, ${size}`).ms, N: found.get("N").ms };
  const bounds = new Map([
    ["cold `compact`", [1.2, "W"]],
    [changed[0], [0.25, "W"]],
    [changed[1], [0.25, "W"]],
    ["`audit` of 365 notes", [0.25, "W"]],
    ["`status`", [2, "N"]],
    ["prompt hook", [3, "N"]],
    ["`recall`", [5, "N"]],
  ]);
  const lines = cases.slice(2).map((one) => {
    const name = nameIn(one);
    const figures = found.get(one.key);
    const cells = [name, shownTime(figures), shownValue(figures.peak ?? Number.NaN)];
    const [bound, unit] = bounds.get(name) ?? [];
    if (bound === undefined) return [...cells, "", "", ""];
    return [...cells, ...bounded(`${name}, real conversations`, figures.ms / units[unit], bound, { unit: ` ${unit}` })];
  });
  return `## On 91 days of real conversations

W is ${shownValue(units.W)} ms and N (\`node -e 0\`) is ${shownValue(units.N)} ms. Milliseconds of a whole process, and its user CPU time in parentheses; peaks in MB.

${table(["work", "ms", "peak", "measured", "bound", ""], lines)}
`;
}
