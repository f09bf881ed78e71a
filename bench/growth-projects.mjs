// The projects that bench/growth.mjs measures: trusted, compacted and indexed, in a home of their own; and the cases that both it and the rivals' part run.
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { changeDay, daysIn, writeDecade } from "./corpora/decade.mjs";
import { program, runNode, temporaryFolder } from "./harness.mjs";

export const today = "2023-07-01";
const megabytesOfDay = 0.0543;
const made = new Map();
let changes = 0;
let fired = 0;

export function openProjects({ shared, work }) {
  const corpus = join(shared, "data", "memaware", "corpus");
  const home = temporaryFolder();
  const env = { PATH: process.env.PATH, HOME: home, TZ: "UTC", LANG: "C.UTF-8", HEARTWOOD_TODAY: today };

  /** The folder of logs: of the real conversations, or of so many days made from them. Kept between runs of the benchmark. */
  function logsOf(size) {
    if (size === "real") return corpus;
    const folder = join(work, `logs-${size}`);
    if (!existsSync(folder)) {
      rmSync(`${folder}.new`, { recursive: true, force: true });
      writeDecade(corpus, `${folder}.new`, { days: size, megabytes: size * megabytesOfDay });
      cpSync(`${folder}.new`, folder, { recursive: true });
      rmSync(`${folder}.new`, { recursive: true });
    }
    return folder;
  }

  function projectOf(size) {
    const dir = made.get(size) ?? join(temporaryFolder(), "project");
    if (made.has(size)) return dir;
    made.set(size, dir);
    copyLogs(size, dir);
    for (const command of ["init", "compact", "index"]) runNode([program, command, "--quiet", "--dir", dir], { env });
    runNode([program, "trust", dir], { env });
    return dir;
  }

  function copyLogs(size, dir) {
    mkdirSync(dir, { recursive: true });
    cpSync(logsOf(size), join(dir, "memory"), { recursive: true });
  }

  /** A case that runs a command. */
  function command(size, name, words, more = {}) {
    const dir = projectOf(size);
    const args = (run) => [program, ...(typeof words === "function" ? words(run) : words), "--dir", dir];
    return { key: `${name}, ${size}`, args, options: () => ({ env, statuses: [0, 1] }), ...more };
  }

  function hook(size, name, event, given) {
    const dir = projectOf(size);
    const options = (run) => {
      const session_id = `8f14e45f-ceea-467f-9f5c-${String(++fired).padStart(12, "0")}`;
      const call = { session_id, prompt_id: `p-${fired}`, cwd: dir, hook_event_name: event, ...given(run) };
      return { env, input: JSON.stringify({ transcript_path: join(dir, "..", "transcript.jsonl"), ...call }) };
    };
    return { key: `${name}, ${size}`, args: () => [program, "hook", "claude-code", event], options };
  }

  /** Appends to a log of the project: the newest one, or one in the middle. */
  function change(size, which) {
    changeIn(join(projectOf(size), "memory"), which);
  }

  function changeIn(folder, which) {
    const days = daysIn(folder).filter((name) => name < today);
    changeDay(folder, which === "newest" ? days.at(-1) : days[Math.floor(days.length / 2)], ++changes);
  }

  /** A case that builds from the logs alone. */
  function cold(size, name, words, runs) {
    const dir = join(temporaryFolder(), "cold");
    const before = () => {
      rmSync(dir, { recursive: true, force: true });
      copyLogs(size, dir);
    };
    const after = () => rmSync(dir, { recursive: true, force: true });
    const options = () => ({ env });
    return { key: `${name}, ${size}`, args: () => [program, ...words, "--dir", dir], options, before, after, runs };
  }

  /** Messages for which a prompt hook answers at each of these sizes, at most `most`. */
  function answeredPrompts(sizes, most) {
    const all = readFileSync(join(shared, "data", "memaware", "dev.questions.jsonl"), "utf8").split("\n");
    const questions = all.filter(Boolean).map((line) => JSON.parse(line).question);
    const found = [];
    for (let at = 0; at < 4 * most && found.length < most; at++) {
      const prompt = questions[(at * 37) % questions.length];
      const isAnswered = sizes.every((size) => {
        const { args, options } = hook(size, "prompt", "UserPromptSubmit", () => ({ prompt }));
        return runNode(args(at), options(at)).stdout.length > 2;
      });
      if (isAnswered) found.push(prompt);
    }
    if (found.length === 0) throw new Error("no prompt is answered at all sizes");
    return found;
  }

  const yardstick = join(shared, "eval", "yardstick.mjs");
  const W = (size, runs) => ({ key: `W, ${size}`, args: () => [yardstick, logsOf(size)], runs });
  const N = { key: "N", args: () => ["-e", "0"] };
  return { corpus, env, logsOf, projectOf, copyLogs, command, hook, change, changeIn, cold, answeredPrompts, W, N };
}
