import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, describe, expect, test } from "vitest";
import { clientNames } from "../../src/agents/install/client-files.ts";
import { clients } from "../../src/agents/install/clients/index.ts";
import { longestMs } from "../../src/agents/hooks/hook-call.ts";
import { fakePlaces, fakeShipped } from "../fixtures/client-files.ts";
import { chosenLogs, fire, heartwood, projectWith, type Project } from "./fired.ts";

/** How long hooks delay a client. */
const open: Project[] = [];
afterEach(() => {
  for (const project of open.splice(0)) project.remove();
});

function project(): Project {
  const made = projectWith(chosenLogs);
  open.push(made);
  return made;
}

const most = 5000;
/** Installed for the user and for the project. */
const installs = 2;

test("the hooks of one prompt end by themselves within 5 seconds, even one after another", () => {
  const { prompt, "turn-end": turnEnd, "session-start": start, "before-compaction": compaction } = longestMs;
  expect(installs * (prompt + turnEnd)).toBeLessThan(most);
  expect(installs * (compaction + start)).toBeLessThan(most);
});

/** Whether a client starts the hooks of one event in parallel, and the unit of its time limits. */
const counting = {
  "claude-code": { unit: 1000, inTurn: 1 },
  codex: { unit: 1000, inTurn: 1 },
  gemini: { unit: 1, inTurn: installs },
  copilot: { unit: 1000, inTurn: installs },
  cursor: { unit: 1000, inTurn: 1 },
} as const;

test.each(Object.keys(counting) as (keyof typeof counting)[])(
  "%s ends the hooks of one prompt within 5 seconds if they do not end by themselves",
  (name) => {
    const { unit, inTurn } = counting[name];
    const limits = limitsOf(name);
    expect(limits.get("session-start")).toBeGreaterThan(0);
    const together = ((limits.get("prompt") ?? Number.NaN) + (limits.get("turn-end") ?? 0)) * unit * inTurn;
    expect(together).toBeLessThanOrEqual(most);
    expect(together).toBeGreaterThan(0);
  },
);

test("the plugins for OpenCode and OpenClaw wait just as long", () => {
  for (const path of ["opencode/heartwood.js", "openclaw/index.js"]) {
    const text = readFileSync(join(import.meta.dirname, "../../plugins", path), "utf8");
    const [, withText, withoutText] = /^const \[withText, withoutText\] = \[(\d+), (\d+)\];$/mu.exec(text) ?? [];
    expect(installs * (Number(withText) + Number(withoutText))).toBeLessThanOrEqual(most);
    expect(text).not.toMatch(/, \d{3,}\)/u);
  }
});

/** The limits that install writes, by our names for the events. */
function limitsOf(name: keyof typeof counting): ReadonlyMap<string, number> {
  const plan = clients[name]({
    scope: "user",
    places: fakePlaces,
    shipped: fakeShipped,
    script: "/x/heartwood",
  });
  const found = new Map<string, number>();
  const look = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    const { command, bash, timeout, timeoutSec } = value as Readonly<Record<string, unknown>>;
    const event = / hook [a-z-]+ ([a-z-]+)$/u.exec(String(bash ?? command))?.[1];
    if (event !== undefined) found.set(event, Number(timeout ?? timeoutSec));
    Object.values(value).forEach(look);
  };
  for (const wanted of plan.wanted) {
    if (wanted.kind === "json") wanted.entries.forEach(({ value }) => look(value));
    if (wanted.kind === "own" && wanted.path.endsWith(".json")) look(JSON.parse(wanted.text));
  }
  return found;
}

test("all clients are covered", () => {
  expect([...Object.keys(counting), "opencode", "openclaw", "windsurf"].toSorted()).toEqual(
    [...clientNames].toSorted(),
  );
});

describe("a hook that takes too long", () => {
  test("ends with status 0, and says so at the start of a session", async () => {
    const at = project();
    const hurried = { ...at, env: { ...at.env, HEARTWOOD_HOOK_MS: "1" } };
    const started = await fire(hurried, ["claude-code", "SessionStart"], "", "open");
    expect(started).toMatchObject({ status: 0, stderr: "" });
    expect(JSON.parse(started.stdout)).toEqual({
      systemMessage:
        "heartwood: The memory did not answer in time, so this session starts without it. Run `heartwood doctor`.",
    });
    for (const event of ["UserPromptSubmit", "Stop", "PreCompact", "SessionEnd", "Nothing"])
      expect(await fire(hurried, ["claude-code", event], "", "open")).toMatchObject({
        status: 0,
        stdout: "",
        stderr: "",
      });
  });

  test("ends while another process locks the index", async () => {
    const at = project();
    heartwood(at, "compact");
    heartwood(at, "index");
    const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
    const holder = new DatabaseSync(join(at.dir, ".heartwood/search/index.sqlite"));
    holder.exec("BEGIN EXCLUSIVE");
    const input = JSON.stringify({ session_id: "s", cwd: at.dir, prompt: "Which limiter did we take for payments?" });
    expect(await fire(at, ["claude-code", "UserPromptSubmit"], input)).toMatchObject({ status: 0, stderr: "" });
    holder.exec("ROLLBACK");
    holder.close();
  });

  test.skipIf(process.platform === "win32")("ends with status 0 if a file call hangs", () => {
    const base = mkdtempSync(join(tmpdir(), "heartwood-hang-"));
    mkdirSync(base, { recursive: true });
    spawnSync("mkfifo", [join(base, "fifo")]);
    const adapter = pathToFileURL(join(import.meta.dirname, "../../src/platform/program.ts")).href;
    const code = `import { readFile } from "node:fs";
import { endProcess } from ${JSON.stringify(adapter)};
readFile(${JSON.stringify(join(base, "fifo"))}, () => undefined);
setTimeout(endProcess, 10);`;
    const { status, stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", code], {
      encoding: "utf8",
      timeout: 600_000,
      killSignal: "SIGKILL",
    });
    rmSync(base, { recursive: true });
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: "", stderr: "" });
  });
});
