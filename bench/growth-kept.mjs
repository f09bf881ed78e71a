// The part `kept` of bench/growth.mjs: what `.heartwood/` and the user's folders contain after years of daily use, and what prunes it.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { folderBytes, temporaryFolder } from "./harness.mjs";
import { bounded, shownValue, table } from "./growth-measure.mjs";

const simulation = fileURLToPath(new URL("growth-daily-use.mjs", import.meta.url));

/** What may grow with what was said, and for the rest what keeps it small. */
const prunedBy = {
  ".heartwood/threads": "in proportion to the conversations: their messages and summaries; `forget` removes from it",
  ".heartwood/artifacts": "in proportion to the conversations: summaries of threads, recorded bodies and answers",
  ".heartwood/search": "in proportion to the logs; rows of a log that is gone are removed by the next `index`",
  ".heartwood/cache": "in proportion to the logs: an entry for each log, written anew by each `compact`",
  ".heartwood/capture": "cursors whose transcript is gone are removed at the start of a session",
  ".heartwood/sessions": "30 days and 64 MB, 4 MB each, at the start of a session",
  ".heartwood/hooks": "the newest 200 errors",
  ".heartwood/locks": "one file for each lock",
  ".heartwood/proof and ignore file": "one file each",
  "~/.cache/heartwood":
    "notes of sessions after 30 days, of injected texts after a day, compiled code of other versions at the next",
  "~/.local/state/heartwood": "the key, and a line for each trusted folder",
};
/** What is in proportion to the logs. */
const grows = new Set([".heartwood/threads", ".heartwood/artifacts", ".heartwood/search", ".heartwood/cache"]);

export function measureKept(projects, { days }) {
  const home = temporaryFolder();
  const dir = join(home, "project");
  const marks = [days / 10, days / 2, days].map(Math.round);
  const states = marks.map((until, at) => {
    const env = { PATH: process.env.PATH, HOME: home, TZ: "UTC", LANG: "C.UTF-8" };
    const args = [simulation, dir, projects.corpus, String(marks[at - 1] ?? 0), String(until)];
    const { status, stderr } = spawnSync(process.execPath, args, { env, maxBuffer: 1 << 28 });
    if (status !== 0) throw new Error(`${args.join(" ")} ended with ${status}: ${stderr}`);
    return stateOf(dir, home);
  });
  const last = states.at(-1);
  const logs = (state) => state.get("memory/ (logs)").bytes;
  const logGrowth = logs(last) / logs(states[0]);
  const names = [...last.keys()];
  const lines = names.map((name) => [
    `\`${name}\``,
    ...states.map((state) => shownState(state.get(name))),
    prunedBy[name] ?? "",
  ]);
  const judged = names
    .filter((name) => prunedBy[name] !== undefined)
    .map((name) => {
      const growth = (last.get(name).bytes + 1) / ((states[0].get(name)?.bytes ?? 0) + 1);
      const bound = grows.has(name) ? 1.5 * logGrowth : 2;
      return [
        `\`${name}\``,
        ...bounded(`${name}: size after ${days} days ÷ after ${marks[0]}`, growth, Number(bound.toFixed(1))),
      ];
    });
  return `## What is kept

${days.toLocaleString("en")} days of use, simulated in one process with the clock set to each day: each has a session with a start hook, three prompts, the end of a turn and of the session; its transcript is captured, the tree compacted and the index updated; the client removes transcripts after 30 days. Sizes in kB, with the number of files.

${table(["", ...marks.map((mark) => `${mark} days`), "what prunes it"], lines)}

The logs grew ${shownValue(logGrowth)} ×. What is in proportion to them may grow 1.5 times as much, everything else twice.

${table([`size after ${days} days ÷ after ${marks[0]}`, "measured", "bound", ""], judged)}
`;
}

function stateOf(dir, home) {
  const found = new Map();
  const add = (name, bytes, files) => {
    const before = found.get(name) ?? { bytes: 0, files: 0 };
    found.set(name, { bytes: before.bytes + bytes, files: before.files + files });
  };
  const state = join(dir, ".heartwood");
  for (const entry of readdirSync(state, { withFileTypes: true })) {
    const path = join(state, entry.name);
    const name = entry.isDirectory() ? entry.name : entry.name.startsWith("lock-") ? "locks" : "proof and ignore file";
    add(`.heartwood/${name}`, entry.isDirectory() ? folderBytes(path) : statSync(path).size, filesIn(path));
  }
  for (const name of [".cache/heartwood", ".local/state/heartwood"])
    add(`~/${name}`, folderBytes(join(home, name)), filesIn(join(home, name)));
  const memory = readdirSync(join(dir, "memory"), { withFileTypes: true });
  for (const entry of memory) {
    const path = join(dir, "memory", entry.name);
    if (entry.isDirectory()) add("memory/ (nodes)", folderBytes(path), filesIn(path));
    else add("memory/ (logs)", statSync(path).size, 1);
  }
  return found;
}

function filesIn(path) {
  if (!existsSync(path)) return 0;
  if (!statSync(path).isDirectory()) return 1;
  return readdirSync(path).reduce((sum, name) => sum + filesIn(join(path, name)), 0);
}

function shownState(state) {
  return state === undefined ? "–" : `${Math.ceil(state.bytes / 1000).toLocaleString("en")} (${state.files})`;
}
