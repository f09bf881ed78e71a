import { describe, expect, it } from "vitest";
import { resumeForgetting, runForget } from "../../src/forget/forget.ts";
import { sha256 } from "../../src/base/digest.ts";
import { appendEntry } from "../../src/tree/logs/log-add.ts";
import { forgetPath } from "../../src/tree/logs/forgotten.ts";
import { printMoved } from "../../src/tree/model/moved-format.ts";
import { movedPath } from "../../src/tree/model/period.ts";
import { runCompact } from "../../src/tree/run/compact.ts";
import { runVerify } from "../../src/tree/inspect/verify.ts";
import { createFaultyFs, type FaultyFs } from "../fixtures/faulty-fs.ts";
import type { FaultyFsOptions } from "../fixtures/faulty/calls.ts";
import { isRawLog, nodesOf, only, openOn, printed, type Tree } from "../fixtures/crash-scene.ts";
import { litterIn } from "../fixtures/crash-rules.ts";
import { shorteningOf } from "../fixtures/shortened-notes.ts";

/** Forgetting on a disk that loses power at any point: afterwards, either nothing or everything is forgotten, and the next run finishes what was begun. */
const statesWanted = Number(process.env["HEARTWOOD_CRASH_STATES"] ?? (process.env["CI"] === undefined ? 600 : 10_000));
const today = "2026-03-20";
const text = "tangerine-4471";

/** Logs of four weeks with nodes, one of them shortened by an audit, notes and a session that have the text. */
async function start(): Promise<Record<string, Uint8Array | string>> {
  const fs = createFaultyFs({ files: { "MEMORY.md": `# Memory\n- vault: ${text}\n- door: six\n` } });
  for (let day = 2; day < 28; day += 4) {
    const date = `2026-02-${String(day).padStart(2, "0")}`;
    const memory = openOn(fs, { today: date, seed: 100 + day });
    await appendEntry(memory, {
      topic: `Work ${day}`,
      body: `- decisions: bucket ${day}\n- open: measure ${day}`,
      id: `w-${day}`,
    });
    if (day % 3 === 0) await appendEntry(memory, { topic: "Vault", body: `- the code is ${text}`, id: `s-${day}` });
    if (day === 22)
      await appendEntry(memory, {
        topic: "Doors",
        body: `- close at six\n- Tangerine-4471 opens\n- open: ask`,
        id: "d",
      });
    await appendEntry(memory, { topic: "Staging", body: `- outcome: shipped ${day}`, id: `z-${day}` });
  }
  await runCompact(openOn(fs, { today, seed: 90 }), {}, {});
  const files = Object.fromEntries(fs.files());
  const note = "memory/2026-02-06.md";
  const bytes = Buffer.from(files[note] as Uint8Array);
  const cut = bytes.indexOf("## Staging");
  const { step, before, after } = shorteningOf(
    { path: note, bytes, number: 1 },
    { kind: "cut", spans: [[cut, bytes.length]] },
  );
  const injected = {
    v: 1,
    at: "2026-03-01T00:00:00Z",
    event: "prompt",
    source: "",
    memory: "",
    lines: [],
    text: `It is ${text}.`,
  };
  return {
    ...files,
    [note]: after,
    [step.part]: before,
    [movedPath]: printMoved(new Map([[note, [step]]])),
    ".heartwood/sessions/claude-code-x.jsonl": `${JSON.stringify(injected)}\n`,
    "memory/archive/nodes/daily/2026-02-06.0123456789abcdef.md": `old ${text}\n`,
    "memory/archive/nodes/daily/2026-02-10.0123456789abcdef.md": "old\n",
  };
}

const kept = (files: Tree): Tree =>
  only(new Map([...nodesOf(files), ...only(files, (path) => isRawLog(path) || path === "MEMORY.md")]), () => true);
const logs = (files: Tree): Tree => only(files, (path) => isRawLog(path));
const hasText = (files: Tree): readonly string[] =>
  [...files]
    .filter(([, bytes]) => Buffer.from(bytes).toString("utf8").toLowerCase().includes(text))
    .map(([path]) => path);

async function forget(fs: FaultyFs, seed: number): Promise<void> {
  await runForget(openOn(fs, { today, seed }), { text, yes: true }, {});
}

async function recover(fs: FaultyFs, seed: number): Promise<void> {
  const memory = openOn(fs, { today, seed });
  await resumeForgetting(memory, {});
  await runCompact(memory, {}, {});
}

async function play(options: FaultyFsOptions = {}) {
  const files = await start();
  const fs = createFaultyFs({ ...options, files });
  await forget(fs, 7);
  return { fs, before: createFaultyFs({ files }).files(), done: fs.files() };
}

async function damageOf(states: number, seed: number, options: FaultyFsOptions = {}) {
  const { fs, before, done } = await play(options);
  const [was, is] = [printed(logs(before)), printed(logs(done))];
  const expected = printed(kept(done));
  const damage: string[] = [];
  const seen = new Map<string, readonly string[]>();
  const counts = { states: 0, different: 0, nothing: 0, everything: 0, nested: 0 };
  const inspect = async (crashed: FaultyFs, number: number): Promise<readonly string[]> => {
    const failure = await recover(crashed, number).then(
      () => undefined,
      (error: unknown) => String(error),
    );
    if (failure !== undefined) return [failure];
    const files = crashed.files();
    const now = printed(logs(files));
    if (now === was) {
      counts.nothing += 1;
      return files.has(forgetPath) ? ["the work was left"] : [];
    }
    counts.everything += 1;
    const found = [...litterIn(files), ...hasText(files).map((path) => `${path} has the text`)];
    if (now !== is) found.push("the logs are neither");
    if (printed(kept(files)) !== expected) found.push("the tree is not what an undisturbed run makes");
    if (files.has(forgetPath)) found.push("the work was left");
    return found;
  };
  for (const crash of fs.crashStates(seed, states)) {
    counts.states += 1;
    const key = sha256(printed(crash.fs.files()));
    let found = seen.get(key);
    if (found === undefined) {
      counts.different += 1;
      const wasBegun = crash.fs.files().has(forgetPath);
      found = await inspect(crash.fs, 1000 + crash.at);
      if (wasBegun && printed(logs(crash.fs.files())) === was) found = [...found, "what was begun was not finished"];
      if (counts.different % 10 === 0)
        for (const again of crash.fs.crashStates(seed, 1)) {
          counts.nested += 1;
          found = [...found, ...(await inspect(again.fs, 2000 + again.at))];
        }
      if (counts.different % 25 === 0) {
        const { findings } = await runVerify(openOn(crash.fs, { today, seed: 3 }), {});
        found = [...found, ...findings.filter(({ severity }) => severity !== "info").map(({ message }) => message)];
      }
      seen.set(key, found);
    }
    damage.push(...found.map((what) => `at ${crash.at}: ${what}`));
  }
  return { damage, counts };
}

describe("forgetting on a disk that loses power", () => {
  it(`forgets nothing or everything in ${statesWanted} crash states`, { timeout: 3_600_000 }, async () => {
    const { damage, counts } = await damageOf(statesWanted, 1);
    expect([...new Set(damage)].slice(0, 8)).toEqual([]);
    expect(counts.states).toBeGreaterThanOrEqual(statesWanted);
    expect([counts.nothing > 0, counts.everything > 20, counts.nested > 0]).toEqual([true, true, true]);
    console.log(JSON.stringify(counts));
  });

  it("fails if fsync is patched out (negative control)", async () => {
    const { damage } = await damageOf(80, 9, { ignoreFsync: "all" });
    expect(damage.length > 0).toBe(true);
  });
});
