// Simulates days of use for bench/growth-kept.mjs. Usage: node growth-daily-use.mjs DIR CORPUS FROM UNTIL, with HOME set. Hooks and their background work run in this process,
// one after the other, with `Date.now` set to each day, and what they wrote gets that day's time.
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
} from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

const [, , dir, corpus, from, until] = process.argv;
const aDay = 86_400_000;
const start = Date.parse("2016-01-01T09:00:00Z");
let now = start;
Date.now = () => now;

const { openMemory } = await import("../src/open.ts");
const { runHook } = await import("../src/agents/hooks/run-hook.ts");
const { runCapture, runUpkeep } = await import("../src/agents/hooks/upkeep.ts");
const { forgetOldNotes, noteMemory } = await import("../src/agents/hooks/session-notes.ts");
const { openTrusted } = await import("../src/platform/trust.ts");

const sentences = readdirSync(corpus)
  .slice(0, 30)
  .flatMap((name) => readFileSync(join(corpus, name), "utf8").match(/^(?:User|Assistant): .{40,300}$/gmu) ?? []);
const transcripts = join(homedir(), ".claude", "projects", dir.replaceAll(/[^A-Za-z0-9]/gu, "-"));
const of = { client: "claude-code", profile: "wanted", captured: "yes" };
const space = { characters: 9500, tokens: 2000 };

mkdirSync(join(dir, "memory"), { recursive: true });
mkdirSync(transcripts, { recursive: true });
openTrusted().add(dir, "trust");
for (let day = Number(from); day < Number(until); day++) await use(day);

async function use(day) {
  now = start + day * aDay;
  const session = `${String(day).padStart(8, "0")}-2b6e-4d1c-8f3a-${String(day).padStart(12, "0")}`;
  const transcript = join(transcripts, `${session}.jsonl`);
  await fire({ event: "session-start", source: "startup", session, transcript });
  for (let turn = 0; turn < 3; turn++) {
    now += 60_000;
    const [said, answered] = [0, 1].map((at) => sentences[(day * 61 + turn * 17 + at) % sentences.length]);
    const prompt = `${said.replace(/^\w+: /u, "")} (${day})`;
    await fire({ event: "prompt", prompt, promptId: `${day}-${turn}`, session, transcript });
    write(transcript, session, { role: "user", text: prompt, turn });
    write(transcript, session, { role: "assistant", text: answered.replace(/^\w+: /u, ""), turn });
  }
  await fire({ event: "turn-end", session, transcript });
  await fire({ event: "session-end", session, transcript });
  age(transcripts);
  for (const name of readdirSync(transcripts))
    if (statSync(join(transcripts, name)).mtimeMs < now - 30 * aDay) rmSync(join(transcripts, name));
}

/** A hook, and at once what it would start in the background. */
async function fire(given) {
  const empty = {
    agent: "",
    agentKind: "",
    source: "",
    prompt: "",
    promptId: "",
    root: "wanted",
    compaction: undefined,
  };
  const call = { ...empty, start: "kept", space, ...of, ...given };
  const memory = await openMemory({ dir });
  const started = [];
  const background = { start: async (words) => (started.push(words), "started") };
  if (call.event === "session-start") noteMemory(call, dir);
  const answer = await runHook({ memory, background }, call, new AbortController().signal);
  await answer.record?.();
  for (const [, , what, , ended] of started) {
    if (what === "captured") await runCapture(memory, { ...call, ended });
    else if (what === "upkeep") await runUpkeep(memory, call);
    forgetOldNotes();
  }
  await memory.close();
  for (const folder of [join(dir, ".heartwood"), join(homedir(), ".cache", "heartwood")]) age(folder);
}

function write(transcript, session, { role, text, turn }) {
  const row = {
    type: role,
    uuid: `${session.slice(0, 24)}${role === "user" ? "0" : "1"}${String(turn).padStart(11, "0")}`,
    sessionId: session,
    cwd: dir,
    timestamp: new Date(now).toISOString(),
    message: { role, content: [{ type: "text", text }], ...(role === "assistant" && { stop_reason: "end_turn" }) },
  };
  appendFileSync(transcript, `${JSON.stringify(row)}\n`);
}

/** Gives the files that were written since the last call the simulated time. */
function age(folder) {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) age(path);
    else if (!/\.sqlite/u.test(entry.name) && statSync(path).mtimeMs > now + aDay)
      utimesSync(path, now / 1000, now / 1000);
  }
}
