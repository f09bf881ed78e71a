import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  readFileSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { parseHookErrors } from "../../src/agents/hooks/errors.ts";
import { claudeSession, lines, shortSession } from "../fixtures/transcripts/claude-code.ts";
import { logs } from "../mcp/served.ts";
import { chosenLogs, fire, heartwood, projectWith, type Fired, type Project } from "./fired.ts";

/** Hooks as processes: they never fail their client. */
const open: Project[] = [];
afterEach(() => {
  for (const project of open.splice(0)) project.remove();
});

function project(files: Readonly<Record<string, string>> = chosenLogs): Project {
  const made = projectWith(files);
  open.push(made);
  return made;
}

function compacted(): Project {
  const made = project();
  heartwood(made, "compact");
  heartwood(made, "index");
  return made;
}

function start(at: Project, source = "startup", session = "s-1"): Promise<Fired> {
  const input = { session_id: session, cwd: at.dir, hook_event_name: "SessionStart", source };
  return fire(at, ["claude-code", "SessionStart"], JSON.stringify(input));
}

function errorsOf({ dir }: Project): readonly string[] {
  const path = join(dir, ".heartwood/hooks/errors.jsonl");
  return existsSync(path)
    ? parseHookErrors(readFileSync(path, "utf8")).map(({ code, message }) => `${code}: ${message}`)
    : [];
}

test("of ten simultaneous processes of one prompt, one injects", async () => {
  const at = compacted();
  const input = { session_id: "s", prompt_id: "p", cwd: at.dir, prompt: "Which limiter did we take for payments?" };
  const all = await Promise.all(
    Array.from({ length: 10 }, () => fire(at, ["claude-code", "prompt"], JSON.stringify(input))),
  );
  expect(all.filter(({ stdout }) => stdout !== "")).toHaveLength(1);
  expect(all.every(({ status }) => status === 0)).toBe(true);
});

test("the text is injected again after a compaction, and in another session", async () => {
  const at = compacted();
  expect((await start(at)).stdout).toContain("Payments");
  expect((await start(at, "compact")).stdout).toContain("Payments");
  expect((await start(at, "startup", "s-2")).stdout).toContain("Payments");
});

test("a prompt that two hooks receive with the same id is answered once", async () => {
  const at = compacted();
  const input = { session_id: "s", prompt_id: "p", cwd: at.dir, prompt: "Which limiter did we take for payments?" };
  const all = [
    await fire(at, ["claude-code", "prompt"], JSON.stringify(input)),
    await fire(at, ["claude-code", "prompt"], JSON.stringify(input)),
  ];
  expect(all.map(({ stdout }) => stdout.includes("Payments"))).toEqual([true, false]);
});

test("marks older than a day are removed in the background", async () => {
  const at = compacted();
  const folder = join(at.env["HOME"] ?? "", ".cache/heartwood/injected");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "old"), "");
  utimesSync(join(folder, "old"), 1, 1);
  await start(at);
  await expect.poll(() => readdirSync(folder).includes("old"), { timeout: 600_000 }).toBe(false);
});

test("the start of a session compacts the tree in the background", async () => {
  const at = project();
  expect((await start(at)).stdout).not.toContain("ROOT.md");
  await expect.poll(() => existsSync(join(at.dir, "memory/ROOT.md")), { timeout: 600_000 }).toBe(true);
});

test("in a folder with logs that is neither trusted nor set up for heartwood, a hook does nothing and prints nothing", async () => {
  const at = project(logs);
  rmSync(join(at.env["HOME"] ?? "", ".local"), { recursive: true });
  rmSync(join(at.dir, "heartwood.config.json"));
  // An agent may have used recall there.
  mkdirSync(join(at.dir, ".heartwood/search"), { recursive: true });
  const transcript = join(at.env["HOME"] ?? "", ".claude/projects/-srv-app", `${claudeSession}.jsonl`);
  mkdirSync(dirname(transcript), { recursive: true });
  writeFileSync(transcript, lines(shortSession()));
  for (const event of ["SessionStart", "UserPromptSubmit", "Stop", "PreCompact", "SessionEnd", "Sneeze"]) {
    const input = { session_id: claudeSession, transcript_path: transcript, cwd: at.dir, prompt: "payments limiter" };
    const fired = await fire(at, ["claude-code", event], JSON.stringify(input));
    expect(fired).toMatchObject({ status: 0, stdout: "", stderr: "" });
  }
  // A capture or upkeep started by the hook would be visible by now.
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(readdirSync(at.dir)).toEqual([".heartwood", "memory"]);
  expect(readdirSync(join(at.dir, ".heartwood"))).toEqual(["search"]);
  expect(readdirSync(join(at.dir, "memory"))).toEqual(Object.keys(logs).map((path) => basename(path)));
  for (const [path, text] of Object.entries(logs)) expect(readFileSync(join(at.dir, path), "utf8")).toBe(text);
});

test("files made by hooks are ignored by git, as after init", async () => {
  const at = project();
  await start(at);
  const path = join(at.dir, ".heartwood/.gitignore");
  await expect.poll(() => existsSync(path) && readFileSync(path, "utf8"), { timeout: 600_000 }).toMatch(/^cache\/$/mu);
});

test("any bytes on standard input give status 0 and valid output", async () => {
  const at = compacted();
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 400 }),
    fc.json().map((text) => Buffer.from(text)),
    fc
      .constantFrom("", "{", '{"prompt":1}', '{"cwd":"\\u0000"}', '{"session_id":{"a":[]}}', "null", "\uFEFF{}")
      .map((text) => Buffer.from(text)),
  );
  const events = fc.constantFrom("SessionStart", "UserPromptSubmit", "Stop", "PreCompact", "SessionEnd", "Nothing");
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom("codex", "gemini", "claude-code", "nobody"),
      events,
      bytes,
      async (client, event, input) => {
        const { status, stdout, stderr } = await fire(at, [client, event], input);
        expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
        if (stdout !== "" && client !== "claude-code")
          expect(Object.keys(JSON.parse(stdout) as object)).toEqual(["hookSpecificOutput"]);
      },
    ),
    { numRuns: 40 },
  );
});

describe("failures are reported by doctor, not to the client", () => {
  test("broken JSON", async () => {
    const at = compacted();
    const { status, stdout } = await fire(at, ["codex", "Stop"], "{ no");
    expect({ status, stdout }).toEqual({ status: 0, stdout: "" });
    expect(errorsOf(at)).toEqual([
      "usage: Standard input was not a JSON object; a client writes one JSON object to it.",
    ]);
    expect(heartwood(at, "doctor")).toMatch(/hooks[^]*codex Stop[^]*not a JSON object/u);
  });

  test("an unknown event", async () => {
    const at = compacted();
    expect(await fire(at, ["codex", "Sneeze"], "{}")).toMatchObject({ status: 0, stdout: "" });
    expect(errorsOf(at)[0]).toMatch(/^usage: Unknown event; the events for codex are session-start \(SessionStart\)/u);
  });

  test("input of more than 8 MiB", async () => {
    const at = compacted();
    const { status } = await fire(at, ["codex", "Stop"], `{"a":"${"x".repeat(9 * 1024 * 1024)}"}`);
    expect(status).toBe(0);
    expect(errorsOf(at)[0]).toMatch(/^io: Standard input is longer than 8388608 bytes/u);
  });

  test("settings that cannot be read", async () => {
    const at = compacted();
    const config = join(at.env["HOME"] ?? "", ".config/heartwood");
    mkdirSync(config, { recursive: true });
    writeFileSync(join(config, "config.json"), "{");
    expect(await start(at)).toMatchObject({ status: 0, stderr: "" });
    expect(errorsOf(at)[0]).toMatch(/^invalid_config:/u);
  });

  test("a secret in an error is not recorded", async () => {
    const at = compacted();
    const secret = `ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`;
    await fire(at, ["codex", secret], "{}");
    expect(readFileSync(join(at.dir, ".heartwood/hooks/errors.jsonl"), "utf8")).not.toContain(secret);
  });
});

describe("a client's standard input", () => {
  test("that stays open after its JSON is not waited for", async () => {
    const at = compacted();
    const input = JSON.stringify({ session_id: "open", cwd: at.dir, source: "startup" });
    const { status, stdout } = await fire(at, ["claude-code", "SessionStart"], input, "open");
    expect({ status, has: stdout.includes("Payments") }).toEqual({ status: 0, has: true });
    // Otherwise it would report that the input did not end.
    expect(errorsOf(at)).toEqual([]);
  });

  test("that stays open and empty is not waited for long", async () => {
    const at = compacted();
    const { status, stdout } = await fire(at, ["claude-code", "SessionStart"], "", "open");
    expect({ status, has: stdout.includes("Payments") }).toEqual({ status: 0, has: true });
  });
});

test("the text is injected even if nothing can be written", async () => {
  const at = compacted();
  writeFileSync(join(at.env["HOME"] ?? "", ".cache"), "in the way\n");
  for (let time = 0; time < 2; time += 1) {
    const { status, stdout, stderr } = await start(at, "startup", `s-${time}`);
    expect({ status, stderr, has: stdout.includes("Payments") }).toEqual({ status: 0, stderr: "", has: true });
  }
});

test.skipIf(process.getuid?.() === 0)("a folder without write permission gives valid output", async () => {
  const at = compacted();
  chmodSync(join(at.dir, ".heartwood"), 0o500);
  const fired = await start(at);
  chmodSync(join(at.dir, ".heartwood"), 0o700);
  expect(fired).toMatchObject({ status: 0, stderr: "" });
  expect(fired.stdout).toContain("Payments");
});
