import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { parseHookErrors } from "../../src/agents/hooks/errors.ts";
import { trustFolders } from "../fixtures/trusted.ts";
import { bin, chosenLogs, fire, heartwood, projectWith, type Project } from "./fired.ts";

/** A hook that cannot work tells the user, and never fails the client. */
const open: Project[] = [];
afterEach(() => {
  for (const project of open.splice(0)) project.remove();
});

/** Below a home whose name a shell would split. */
function project(files: Readonly<Record<string, string>> = chosenLogs): Project {
  const made = projectWith(files);
  open.push(made);
  const home = join(made.dir, "..", `it's a "home" $(x)`);
  mkdirSync(home);
  trustFolders(home, made.dir);
  return { ...made, env: { ...made.env, HOME: home } };
}

const start = (at: Project, session = "s", source = "startup"): string =>
  JSON.stringify({ session_id: session, cwd: at.dir, source });
const asks = (at: Project, session = "s"): string =>
  JSON.stringify({
    session_id: session,
    cwd: at.dir,
    prompt: "Which limiter did we take?",
    prompt_id: String(Math.random()),
  });

function noticeOf(stdout: string): string {
  const { systemMessage } = JSON.parse(stdout) as { readonly systemMessage?: string };
  return systemMessage ?? "";
}

function errorsOf({ dir }: Project): readonly string[] {
  const path = join(dir, ".heartwood/hooks/errors.jsonl");
  if (!existsSync(path)) return [];
  return parseHookErrors(readFileSync(path, "utf8")).map(({ client, event, code }) => `${client} ${event} ${code}`);
}

/** For each client: the file with its hooks, its name for the start of a session, and where the notice is in its input. */
const installed = [
  { client: "claude-code", path: ".claude/settings.json", event: "SessionStart", key: "systemMessage" },
  { client: "codex", path: ".codex/hooks.json", event: "SessionStart", key: "systemMessage" },
  { client: "gemini", path: ".gemini/settings.json", event: "SessionStart", key: "systemMessage" },
  { client: "copilot", path: ".copilot/hooks/heartwood.json", event: "sessionStart", key: "additionalContext" },
  { client: "cursor", path: ".cursor/hooks.json", event: "sessionStart", key: "additional_context" },
] as const;

/** The command lines written by install, by the client's name for the event. */
function commandsOf({ env }: Project, path: string): ReadonlyMap<string, string> {
  const { hooks } = JSON.parse(readFileSync(join(env["HOME"] ?? "", path), "utf8")) as {
    readonly hooks: Readonly<Record<string, readonly object[]>>;
  };
  return new Map(
    Object.entries(hooks).map(([name, [entry]]) => {
      const { hooks: inner = [entry] } = entry as { readonly hooks?: readonly object[] };
      const { command, bash } = inner[0] as { readonly command?: string; readonly bash?: string };
      return [name, bash ?? command ?? ""];
    }),
  );
}

function shell(
  at: Project,
  command: string,
  input: string,
): { readonly status: number | null; readonly stdout: string } {
  const { status, stdout } = spawnSync("/bin/sh", ["-c", command], {
    env: at.env,
    cwd: at.dir,
    encoding: "utf8",
    input,
  });
  return { status, stdout };
}

describe.skipIf(process.platform === "win32").each(installed)(
  "the hooks of $client",
  ({ client, path, event, key }) => {
    const installedBy = (program: string, at: Project): ReadonlyMap<string, string> => {
      const done = spawnSync(process.execPath, [program, "install", client, "--yes"], {
        env: at.env,
        cwd: at.dir,
        encoding: "utf8",
      });
      expect(done.status, done.stderr).toBe(0);
      return commandsOf(at, path);
    };
    const ready = (): {
      readonly at: Project;
      readonly script: string;
      readonly commands: ReadonlyMap<string, string>;
    } => {
      const at = project();
      heartwood(at, "compact");
      const commands = installedBy(bin, at);
      return { at, script: join(at.env["HOME"] ?? "", ".local/state/heartwood/heartwood"), commands };
    };
    const told = (stdout: string): string => {
      const value = JSON.parse(stdout) as Readonly<Record<string, string>>;
      expect(Object.keys(value)).toEqual([key]);
      return value[key] ?? "";
    };
    const othersAreSilent = (at: Project, commands: ReadonlyMap<string, string>): void => {
      for (const [name, command] of commands)
        // This one only allows `memory_log`, without heartwood.
        if (name !== event && name !== "preToolUse")
          expect(shell(at, command, asks(at))).toEqual({ status: 0, stdout: "" });
    };

    test("run if nothing is missing", () => {
      const { at, commands } = ready();
      // Some clients get the text with the first prompt.
      const prompts: Readonly<Record<string, string>> = { gemini: "BeforeAgent", copilot: "userPromptSubmitted" };
      const name = prompts[client] ?? event;
      const input = name === event ? start(at) : asks(at);
      const { status, stdout } = shell(at, commands.get(name) ?? "", input);
      expect({ status, has: stdout.includes("Payments") }).toEqual({ status: 0, has: true });
    });

    test("say at the start of a session that the program was removed, and what to do", () => {
      const at = project();
      const copy = join(at.env["HOME"] ?? "", "package");
      cpSync(dirname(bin), join(copy, "dist"), { recursive: true });
      for (const name of ["package.json", "skills", "plugins"])
        cpSync(join(dirname(bin), "..", name), join(copy, name), { recursive: true });
      const gone = join(copy, "dist/bin.js");
      const commands = installedBy(gone, at);
      rmSync(copy, { recursive: true });
      const { status, stdout } = shell(at, commands.get(event) ?? "", start(at));
      expect(status).toBe(0);
      expect(told(stdout)).toContain(
        `heartwood cannot run: the program ${gone} is gone. Install heartwood again and run: heartwood install ${client} (or remove its hooks: heartwood uninstall ${client})`,
      );
      othersAreSilent(at, commands);
    });

    test("say that Node is missing", () => {
      const { at, script, commands } = ready();
      writeFileSync(script, readFileSync(script, "utf8").replace(/^node=.*$/mu, "node=/no/such/node"));
      const bare = { ...at, env: { ...at.env, PATH: "/usr/sbin" } };
      const command = (commands.get(event) ?? "").replace(/^sh /u, "/bin/sh ");
      expect(told(shell(bare, command, start(at)).stdout)).toContain(
        "heartwood cannot run: no Node was found. Install Node",
      );
    });

    test("say that the script was removed", () => {
      const { at, script, commands } = ready();
      rmSync(script);
      const { status, stdout } = shell(at, commands.get(event) ?? "", start(at));
      expect(status).toBe(0);
      expect(told(stdout)).toContain(
        `heartwood cannot run: ${script} was not found. Install it again: heartwood install ${client}`,
      );
      othersAreSilent(at, commands);
    });
  },
);

describe("a program with missing files", () => {
  const halfDeleted = (at: Project): string => {
    const copy = join(at.env["HOME"] ?? "", "package");
    cpSync(dirname(bin), join(copy, "dist"), { recursive: true });
    cpSync(join(dirname(bin), "../package.json"), join(copy, "package.json"));
    rmSync(join(copy, "dist/program.cjs"));
    return join(copy, "dist");
  };
  const hook = (at: Project, dist: string, words: readonly string[]): unknown => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(dist, "bin.js"), "hook", ...words], {
      env: at.env,
      cwd: at.dir,
      encoding: "utf8",
      input: start(at),
    });
    const [shown = ""] = stdout === "" ? [] : Object.values(JSON.parse(stdout) as Readonly<Record<string, string>>);
    return { status, stderr, shown };
  };

  test("says so at the start of a session, and never fails the client", () => {
    const at = project();
    const dist = halfDeleted(at);
    const notice = `heartwood cannot run: files are missing in ${dist}. Install heartwood again and run: heartwood install`;
    const quiet = { status: 0, stderr: "" };
    const shows = (client: string): unknown => ({ ...quiet, shown: expect.stringContaining(`${notice} ${client}`) });
    expect(hook(at, dist, ["claude-code", "SessionStart"])).toEqual(shows("claude-code"));
    expect(hook(at, dist, ["cursor", "session-start"])).toEqual(shows("cursor"));
    expect(hook(at, dist, ["claude-code", "UserPromptSubmit"])).toEqual({ ...quiet, shown: "" });
    expect(hook(at, dist, ["nosuch", "session-start"])).toEqual({ ...quiet, shown: "" });
  });

  test("says nothing if the files that print the message are missing too", () => {
    const at = project();
    const dist = halfDeleted(at);
    rmSync(join(dist, "cannot-run.js"));
    expect(hook(at, dist, ["claude-code", "SessionStart"])).toEqual({ status: 0, stderr: "", shown: "" });
  });
});

describe("a Node that is too old", () => {
  /** Pretends to be an old Node. */
  const pretends = `data:text/javascript,Object.defineProperty(process.versions,"node",{value:"20.1.0"})`;
  const old = (
    at: Project,
    client: string,
    event: string,
  ): { readonly status: number | null; readonly stdout: string } => {
    const { status, stdout } = spawnSync(process.execPath, ["--import", pretends, bin, "hook", client, event], {
      env: at.env,
      cwd: join(at.dir, "memory"),
      encoding: "utf8",
      input: start(at),
    });
    return { status, stdout };
  };

  test("is reported to the user at the start of a session, and to doctor once per event", () => {
    const at = project();
    heartwood(at, "compact");
    const { status, stdout } = old(at, "claude-code", "session-start");
    expect(status).toBe(0);
    expect(noticeOf(stdout)).toBe(
      "heartwood cannot run: Node 20.1.0 is too old. Install Node 22.13 or newer (https://nodejs.org) and run: heartwood install claude-code",
    );
    for (let round = 0; round < 3; round++) expect(old(at, "claude-code", "prompt")).toEqual({ status: 0, stdout: "" });
    expect(errorsOf(at)).toEqual(["claude-code session-start node_too_old", "claude-code prompt node_too_old"]);
    expect(heartwood(at, "doctor")).toContain("Node 20.1.0 is too old");
    expect(readdirSync(join(at.dir, ".heartwood/hooks")).toSorted()).toEqual([".gitignore", "errors.jsonl"]);
  });

  test("is reported in an untrusted folder too, where nothing is written", () => {
    const at = project();
    trustFolders(at.env["HOME"] ?? "");
    expect(old(at, "copilot", "sessionStart").stdout).toContain(
      '{"additionalContext":"Tell the user: heartwood cannot run',
    );
    expect(readdirSync(at.dir).toSorted()).toEqual(["heartwood.config.json", "memory"]);
  });

  const found = ["/usr/bin/node", "/usr/local/bin/node"].find((path) => {
    const [major = 99] =
      spawnSync(path, ["-p", "process.versions.node"], { encoding: "utf8" }).stdout?.split(".").map(Number) ?? [];
    return major >= 14 && major < 22;
  });
  if (found === undefined) console.error("NOT RUN: a hook on a real old Node, which this machine does not have");
  test.skipIf(found === undefined)("is reported with a real old Node, if this machine has one", () => {
    const at = project();
    const words = [bin, "hook", "gemini", "session-start"];
    const { status, stdout } = spawnSync(found ?? "", words, {
      env: at.env,
      cwd: at.dir,
      encoding: "utf8",
      input: start(at),
    });
    expect(status).toBe(0);
    expect(noticeOf(stdout)).toMatch(/^heartwood cannot run: Node \d+\.\d+\.\d+ is too old\./u);
    expect(errorsOf(at)).toEqual(["gemini session-start node_too_old"]);
  });
});

describe("a broken configuration", () => {
  test("is reported at the start of a session, together with the memory, and not with each prompt", async () => {
    const at = project();
    heartwood(at, "compact");
    writeFileSync(join(at.dir, "heartwood.config.json"), "{ no");
    const { status, stdout, stderr } = await fire(at, ["claude-code", "SessionStart"], start(at));
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(noticeOf(stdout)).toMatch(/^heartwood: Recall and upkeep are paused: heartwood\.config\.json is not JSON/u);
    expect(stdout).toContain("Payments");
    expect(noticeOf((await fire(at, ["claude-code", "UserPromptSubmit"], asks(at))).stdout || "{}")).toBe("");
  });

  test("during a session is reported with the next prompt, once per session", async () => {
    const at = project();
    heartwood(at, "compact");
    await fire(at, ["claude-code", "SessionStart"], start(at));
    writeFileSync(join(at.dir, "heartwood.config.json"), "{ no");
    const first = await fire(at, ["claude-code", "UserPromptSubmit"], asks(at));
    expect(first).toMatchObject({ status: 0, stderr: "" });
    expect(noticeOf(first.stdout || "{}")).toMatch(
      /^heartwood: Recall and upkeep are paused: heartwood\.config\.json is not JSON/u,
    );
    expect(await fire(at, ["claude-code", "UserPromptSubmit"], asks(at))).toMatchObject({ status: 0, stdout: "" });
    expect(errorsOf(at)).toContain("claude-code UserPromptSubmit invalid_config");
    const other = await fire(at, ["claude-code", "UserPromptSubmit"], asks(at, "another"));
    expect(noticeOf(other.stdout || "{}")).toContain("Recall and upkeep are paused");
  });

  test("in the user's own settings is also reported with the next prompt", async () => {
    const at = project();
    await fire(at, ["codex", "SessionStart"], start(at));
    const folder = join(at.env["HOME"] ?? "", ".config/heartwood");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "config.json"), "{");
    const { stdout } = await fire(at, ["codex", "UserPromptSubmit"], asks(at));
    expect(noticeOf(stdout || "{}")).toMatch(/^heartwood: Recall and upkeep are paused: Your settings /u);
    expect(await fire(at, ["codex", "UserPromptSubmit"], asks(at))).toMatchObject({ status: 0, stdout: "" });
  });

  test("in the user's own settings is reported at the start of a session, and recorded for doctor", async () => {
    const at = project();
    const folder = join(at.env["HOME"] ?? "", ".config/heartwood");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "config.json"), "{");
    const { status, stdout } = await fire(at, ["codex", "SessionStart"], start(at));
    expect(status).toBe(0);
    expect(noticeOf(stdout)).toMatch(/^heartwood: This session starts without its memory: Your settings /u);
    expect(errorsOf(at)).toEqual(["codex SessionStart invalid_config"]);
    expect(await fire(at, ["codex", "UserPromptSubmit"], asks(at))).toMatchObject({ status: 0, stdout: "" });
  });
});

describe("a memory that is deleted during a session", () => {
  test("is reported once, with the next prompt", async () => {
    const at = project();
    // After a compaction no upkeep starts, which could write to memory/ again.
    await fire(at, ["claude-code", "SessionStart"], start(at, "s", "compact"));
    expect(await fire(at, ["claude-code", "UserPromptSubmit"], asks(at, "another"))).toMatchObject({ status: 0 });
    rmSync(join(at.dir, "memory"), { recursive: true });
    const told = await Promise.all([1, 2].map(() => fire(at, ["claude-code", "UserPromptSubmit"], asks(at))));
    const notices = told.map(({ stdout }) => noticeOf(stdout || "{}")).filter((notice) => notice !== "");
    expect(notices).toEqual([
      `heartwood: The memory in ${at.dir} is gone, so this session continues without it. Restore its files, or run \`heartwood init --dir ${at.dir}\` to create a new one.`,
    ]);
    expect(noticeOf((await fire(at, ["claude-code", "UserPromptSubmit"], asks(at))).stdout || "{}")).toBe("");
  });

  test("is not reported in a session that began without it", async () => {
    const at = project({});
    await fire(at, ["claude-code", "SessionStart"], start(at));
    expect(await fire(at, ["claude-code", "UserPromptSubmit"], asks(at))).toMatchObject({ status: 0, stdout: "" });
    expect(existsSync(join(at.env["HOME"] ?? "", ".cache/heartwood"))).toBe(false);
  });
});
