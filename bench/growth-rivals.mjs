// The part `rivals` of bench/growth.mjs: other programs on the same logs, where they do the same work, in turns with heartwood.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { daysIn } from "./corpora/decade.mjs";
import { temporaryFolder } from "./harness.mjs";
import { inTurns, shownTime, table } from "./growth-measure.mjs";

const script = fileURLToPath(new URL("growth-rival.mjs", import.meta.url));
/** No process may take longer, in milliseconds. */
const timeout = 600_000;

export function measureRivals(projects, { sizes, runs, work, hipocampus: source }) {
  const minisearch = installMinisearch(work);
  const hipocampus = installHipocampus(work, source);
  const question = projects.answeredPrompts(sizes, 1)[0];
  const all = sizes.map((size) => {
    const folder = temporaryFolder();
    const logs = join(projects.projectOf(size), "memory");
    const newest = daysIn(logs).at(-1);
    const rival = (which, act, given, more) => ({
      key: `${nameOf(which, act)}, ${size}`,
      args: () => [script, which, act, logs, join(folder, which), given, minisearch ?? ""],
      options: () => ({ timeout }),
      ...more,
    });
    const gone = (name) => ({ runs: 1, before: () => rmSync(join(folder, name), { recursive: true, force: true }) });
    const change = { before: () => projects.change(size, "newest") };
    const old = { before: () => projects.change(size, "old") };
    const indexes = ["fts5", ...(minisearch === undefined ? [] : ["minisearch"])];
    return [
      projects.cold(size, "heartwood: cold `index`", ["index"], 1),
      ...indexes.map((which) => rival(which, "build", "", gone(which))),
      projects.command(size, "heartwood: `index`, newest day changed", ["index"], change),
      ...indexes.map((which) => rival(which, "change", newest, change)),
      projects.command(size, "heartwood: `search`", ["search", question]),
      ...indexes.map((which) => rival(which, "query", question)),
      projects.cold(size, "heartwood: cold `compact`", ["compact"], 1),
      ...(hipocampus === undefined ? [] : [hipocampusCase(projects, { size, folder, hipocampus, act: "cold" })]),
      projects.command(size, "heartwood: `compact`, newest day changed", ["compact"], change),
      ...(hipocampus === undefined ? [] : [hipocampusCase(projects, { size, folder, hipocampus, act: "changed" })]),
      projects.command(size, "heartwood: `compact`, old day changed", ["compact"], old),
    ];
  });
  const found = inTurns(
    all[0].flatMap((_, at) => all.map((cases) => cases[at])),
    { runs },
  );
  const lines = all[0].map(({ key }) => {
    const name = key.slice(0, key.lastIndexOf(", "));
    return [name, ...sizes.map((size) => shownTime(found.get(`${name}, ${size}`)))];
  });
  return `## Beside others

Milliseconds of a whole process, and its user CPU time in parentheses, in turns; builds from nothing once. "Failed" is an error or more than ten minutes.

${table(["work", ...sizes.map((size) => `${size} days`)], lines)}

- Bare FTS5 (\`node:sqlite\`) and minisearch index the sections of the logs and are told which log changed; minisearch loads its JSON, and writes all of it after a change. Neither has a tree, layers of answers or sources of lines.
- hipocampus ${hipocampus === undefined ? "could not be had in this run (`--hipocampus SOURCE`: a git URL or a path)" : "(`cli/compact.mjs`) copies days of at most 200 lines and marks longer ones for a model, so it does part of the work; it never looks at an old day again, and has no index, recall or hook for a prompt"}. It is not in the npm registry.
- rip (Rust) is not measured: it appends a message only together with the run of a model, has no batch append, and no logs of days.
- memory-guardian is not measured: neither npm nor PyPI has it, and no public repository of its name contains its compaction.
`;
}

function nameOf(which, act) {
  const name = which === "fts5" ? "bare FTS5" : which;
  return { build: `${name}: build`, change: `${name}: newest day changed`, query: `${name}: query` }[act];
}

/** The file of minisearch; `undefined` if it cannot be installed. */
function installMinisearch(work) {
  const folder = join(work, "rivals");
  const file = join(folder, "node_modules", "minisearch", "dist", "es", "index.js");
  if (!existsSync(file)) {
    mkdirSync(folder, { recursive: true });
    spawnSync("npm", ["install", "--silent", "--no-save", "--prefix", folder, "minisearch@7"], { stdio: "inherit" });
  }
  return existsSync(file) ? pathToFileURL(file).href : undefined;
}

/** The script of hipocampus; `undefined` if it cannot be cloned. */
function installHipocampus(work, source) {
  const folder = join(work, "rivals", "hipocampus");
  const file = join(folder, "cli", "compact.mjs");
  if (!existsSync(file)) spawnSync("git", ["clone", "--quiet", "--depth", "1", source, folder], { stdio: "inherit" });
  return existsSync(file) ? file : undefined;
}

/** hipocampus takes the clock's day; here it is that of the newest log, which it would not read otherwise. */
function hipocampusCase(projects, { size, folder, hipocampus, act }) {
  const dir = join(folder, "hipocampus");
  const day = "2023-06-30T12:00:00";
  const clock = `globalThis.Date = class extends Date { constructor(...given) { if (given.length === 0) super(${JSON.stringify(day)}); else super(...given); } };`;
  const before = {
    cold: () => {
      rmSync(dir, { recursive: true, force: true });
      projects.copyLogs(size, dir);
    },
    changed: () => projects.changeIn(join(dir, "memory"), "newest"),
  }[act];
  return {
    key: `hipocampus: ${act === "cold" ? "cold" : "newest day changed"}, ${size}`,
    args: () => ["--import", `data:text/javascript,${encodeURIComponent(clock)}`, hipocampus],
    options: () => ({ cwd: dir, timeout, env: { PATH: process.env.PATH, HOME: folder, TZ: "UTC" } }),
    before,
    ...(act === "cold" && { runs: 1 }),
  };
}
