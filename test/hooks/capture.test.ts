import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { parseHookErrors } from "../../src/agents/hooks/errors.ts";
import { answer, claudeSession, lines, said, shortSession } from "../fixtures/transcripts/claude-code.ts";
import { chosenLogs, fire, heartwood, projectWith, type Fired, type Project } from "./fired.ts";

/** What hooks capture in background processes. */
const open: Project[] = [];
afterEach(() => {
  for (const project of open.splice(0)) project.remove();
});

function project(): Project & { readonly transcript: string } {
  const made = projectWith(chosenLogs);
  open.push(made);
  const folder = join(made.env["HOME"] ?? "", ".claude/projects/-srv-app");
  mkdirSync(folder, { recursive: true });
  const transcript = join(folder, `${claudeSession}.jsonl`);
  writeFileSync(transcript, lines(shortSession()));
  return { ...made, transcript };
}

function stop(at: ReturnType<typeof project>, event = "Stop"): Promise<Fired> {
  const input = { session_id: claudeSession, transcript_path: at.transcript, cwd: at.dir, hook_event_name: event };
  return fire(at, ["claude-code", event], JSON.stringify(input));
}

function logOf({ dir }: Project, day: string): string {
  const path = join(dir, `memory/${day}.md`);
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}

const entries = (log: string): number => log.match(/^<!-- hw id=capture-/gmu)?.length ?? 0;

/** Background work is finished when a capture in the foreground finds nothing new. */
async function settled(at: ReturnType<typeof project>): Promise<void> {
  await expect.poll(() => entries(logOf(at, "2026-03-10")), { timeout: 600_000 }).toBeGreaterThan(0);
  heartwood(at, "capture", "claude-code", at.transcript, "--ended", "session");
}

test("ten simultaneous hooks of one turn keep each message and each turn once", async () => {
  const at = project();
  const all = await Promise.all(Array.from({ length: 10 }, () => stop(at)));
  expect(all.every(({ status, stderr }) => status === 0 && stderr === "")).toBe(true);
  await settled(at);
  for (let time = 0; time < 3; time += 1) await stop(at, "SessionEnd");
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(entries(logOf(at, "2026-03-10"))).toBe(2);
  const frames = heartwood(at, "thread", "export", `claude-code-${claudeSession}`).trim().split("\n");
  const ids = frames.map((line) => (JSON.parse(line) as { readonly id?: string }).id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(frames.filter((line) => /"actor_id":"(?:user|assistant)"/u.test(line)).length).toBe(7);
  expect(existsSync(join(at.dir, ".heartwood/hooks/errors.jsonl"))).toBe(false);
});

test("a session that continues past midnight stays in the log of the day before, and a resumed one goes to the log of its day", async () => {
  const at = project();
  await stop(at);
  await settled(at);
  const times = ["10T14:30", "10T20:00", "11T01:00", "12T09:00"];
  for (const [number, time] of times.entries()) {
    appendFileSync(
      at.transcript,
      lines([
        said(`n${number}`, `And at ${time} the ledger?`, `2026-03-${time}:00.000Z`),
        answer(`m${number}`, `At ${time} it balances.`, `2026-03-${time}:10.000Z`),
      ]),
    );
    await stop({ ...at, env: { ...at.env, HEARTWOOD_TODAY: `2026-03-${time.slice(0, 2)}` } });
    const day = time.startsWith("12") ? "2026-03-12" : "2026-03-10";
    await expect.poll(() => logOf(at, day), { timeout: 600_000 }).toContain(`At ${time} it balances.`);
  }
  expect(entries(logOf(at, "2026-03-10"))).toBe(5);
  expect(logOf(at, "2026-03-11")).toBe("");
  expect(entries(logOf(at, "2026-03-12"))).toBe(1);
});

describe("background failures are reported by doctor", () => {
  function told({ dir }: Project): readonly string[] {
    const path = join(dir, ".heartwood/hooks/errors.jsonl");
    const kept = existsSync(path) ? parseHookErrors(readFileSync(path, "utf8")) : [];
    return kept.map(({ event, code, message }) => `${event} ${code} ${message}`);
  }

  async function soon(at: Project, expected: RegExp): Promise<void> {
    await expect.poll(() => told(at).join("\n"), { timeout: 600_000 }).toMatch(expected);
    const doctor = heartwood(at, "doctor");
    expect(doctor).toMatch(/note +hooks/u);
    expect(doctor).not.toContain("No problems found.");
  }

  test("a folder in the place of the log", async () => {
    const at = project();
    rmSync(join(at.dir, "memory/2026-03-10.md"), { force: true });
    mkdirSync(join(at.dir, "memory/2026-03-10.md"));
    expect(await stop(at)).toMatchObject({ status: 0, stderr: "" });
    await soon(at, /^captured [a-z_]+ capture: .*2026-03-10\.md/u);
    expect(told(at)[0]).not.toMatch(/^captured failed/u);
  });

  test("a missing transcript", async () => {
    const at = project();
    await stop({ ...at, transcript: `${at.transcript}.gone` });
    await soon(at, /^captured not_found capture: .*gone/u);
  });

  test("torn or unknown rows, although the rest is captured", async () => {
    const at = project();
    appendFileSync(at.transcript, '{"type":"telepathy","x":1}\n{"type":"user","mess\n{"type":"other"\n');
    await stop(at);
    await soon(at, /^captured warning capture: /u);
    expect(entries(logOf(at, "2026-03-10"))).toBeGreaterThan(0);
  });

  test("a file in the place of a folder of the tree", async () => {
    const at = project();
    rmSync(join(at.dir, "memory/daily"), { recursive: true, force: true });
    writeFileSync(join(at.dir, "memory/daily"), "in the way\n");
    await fire(
      at,
      ["claude-code", "SessionStart"],
      JSON.stringify({ session_id: "s", cwd: at.dir, source: "startup" }),
    );
    await soon(at, /^upkeep [a-z_]+ compact: .*memory\/daily/u);
  });
});
