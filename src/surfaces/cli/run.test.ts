import { describe, expect, test } from "vitest";
import {
  createFakeTerminal,
  type FakeTerminal,
  type FakeTerminalOptions,
} from "../../../test/fixtures/fake-terminal.ts";
import { createFakeSearchIndex } from "../../../test/fixtures/fake-search-index.ts";
import { openTestMemory } from "../../../test/fixtures/memory.ts";
import { noTrust } from "../../../test/fixtures/trusted.ts";
import type { Memory } from "../../operations/operation.ts";
import { MemoryError } from "../../base/errors.ts";
import { runCommandLine } from "./run.ts";
import { type Host, type HostOptions } from "./terminal.ts";

interface Outcome {
  readonly status: number;
  readonly terminal: FakeTerminal;
  readonly opened: readonly HostOptions[];
}

async function run(
  line: string | readonly string[],
  options: FakeTerminalOptions = {},
  host: Partial<Host> = {},
): Promise<Outcome> {
  const terminal = createFakeTerminal(options);
  const opened: HostOptions[] = [];
  const refusing: Host = {
    version: async () => "1.2.3",
    open: async (wanted) => {
      opened.push(wanted);
      throw new MemoryError("no_memory", "Nothing is here.", { dir: "/somewhere" });
    },
    openSamples: async () => {
      throw new MemoryError("io", "No samples.");
    },
    openInstalling: async () => {
      throw new MemoryError("io", "No clients.");
    },
    openTrust: noTrust,
  };
  const status = await runCommandLine(
    typeof line === "string" ? line.split(" ").filter((word) => word !== "") : line,
    terminal,
    { ...refusing, ...host },
  );
  return { status, terminal, opened };
}

describe("opening a memory", () => {
  test("passes the common options to the host; only init accepts a folder without a memory", async () => {
    const { opened } = await run("status -C /x --today 2026-03-01 --time-zone UTC");
    expect(opened).toEqual([
      { dir: "/x", today: "2026-03-01", timeZone: "UTC", folder: "found", settings: "reported" },
    ]);
    expect((await run("init")).opened).toEqual([{ folder: "prepared" }]);
  });

  test("refuses a bad value before anything is opened", async () => {
    const { status, terminal, opened } = await run("compact --cycles x");
    expect([status, opened]).toEqual([2, []]);
    expect(terminal.err()).toContain('--cycles is "x"');
  });
});

describe("a memory", () => {
  function closing(heads: () => Promise<unknown>): { readonly host: Partial<Host>; readonly closed: () => number } {
    let closed = 0;
    const memory = {
      dir: "/somewhere",
      clock: {},
      trust: { state: () => "trusted" },
      threads: { heads, head: heads },
      close: async () => void (closed += 1),
    };
    return { host: { open: async () => memory as unknown as Memory }, closed: () => closed };
  }

  test("is closed when the command succeeds or fails", async () => {
    const done = closing(async () => ({ heads: [], total: 0 }));
    expect((await run("thread list", {}, done.host)).status).toBe(0);
    const failed = closing(() => Promise.reject(new MemoryError("busy", "Somebody writes.")));
    expect((await run("thread list", {}, failed.host)).status).toBe(3);
    expect([done.closed(), failed.closed()]).toEqual([1, 1]);
  });

  test("is closed after the last line of a stream", async () => {
    const frames = [{ line: "{}", seq: 0 }];
    const memory = closing(async () => ({ thread_id: "t", head_seq: 0 }));
    const host = {
      open: async () => {
        const opened = (await memory.host.open?.({ folder: "found" })) as Memory;
        const reading = async (): Promise<unknown> => (expect(memory.closed()).toBe(0), frames);
        return { ...opened, threads: { ...opened.threads, frames: reading } } as unknown as Memory;
      },
    };
    const { status, terminal } = await run("thread export t", {}, host);
    expect([status, terminal.out(), memory.closed()]).toEqual([0, "{}\n", 1]);
  });
});

describe("file fields", () => {
  test("are relative to the current folder, not to --dir, and - is standard input", async () => {
    const seen: string[] = [];
    const threads = {
      import: async (lines: AsyncIterable<{ readonly text: string }>) => {
        for await (const { text } of lines) seen.push(text);
        return [];
      },
    };
    const trust = { state: () => "trusted" };
    const memory = { dir: "/elsewhere", clock: {}, trust, threads, close: async () => undefined } as unknown as Memory;
    const files = { "/somewhere/a/b.jsonl": '{"a":1}', "/abs.jsonl": '{"b":2}' };
    const stdin = { kind: "pipe", chunks: ['{"c":3}\n'] } as const;
    for (const word of ["a/b.jsonl", "/abs.jsonl", "-"])
      await run(["thread", "import", word, "-C", "/elsewhere"], { files, stdin }, { open: async () => memory });
    expect(seen).toEqual(['{"a":1}', '{"b":2}', '{"c":3}']);
  });
});

describe("recall", () => {
  const said = { source: "memory/2026-03-14.md", text: "## Tea\nI like green tea, I drink 3 cups." };
  const memory = openTestMemory({ with: { searchIndex: createFakeSearchIndex([said]) } }).memory;
  const host = { open: async () => memory };

  test("reads its text from an argument, or from standard input if that is not a terminal", async () => {
    const stdin = { kind: "pipe", chunks: ["my green ", "tea\n"] } as const;
    const [given, piped] = [await run(["recall", "my green tea"], {}, host), await run("recall", { stdin }, host)];
    for (const { status, terminal } of [given, piped]) {
      expect(status).toBe(0);
      expect(terminal.out()).toContain("I like green tea, I drink 3 cups.");
    }
    const waiting = await run("recall", { stdin: { kind: "terminal", chunks: [] } }, host);
    expect(waiting.status).toBe(2);
    expect(waiting.terminal.err()).toContain("No message to recall for");
  });

  test("prints each warning of a batch once, on stderr only", async () => {
    const config = { "heartwood.config.json": '{"search":{"embedModel":"nowhere"}}' };
    const opened = openTestMemory({ files: config, with: { searchIndex: createFakeSearchIndex([said]) } }).memory;
    const line = '{"question_id":1,"question":"green tea"}\n';
    const files = { "/somewhere/q.jsonl": line.repeat(3) };
    for (const more of ["", " --json"]) {
      const { status, terminal } = await run(`recall --batch q.jsonl${more}`, { files }, { open: async () => opened });
      expect(status).toBe(0);
      expect(terminal.out().trim().split("\n")).toHaveLength(3);
      expect(terminal.out()).not.toContain("nowhere");
      expect(
        terminal
          .err()
          .split("\n")
          .filter((told) => told.includes("warning") && told.includes("nowhere")),
      ).toHaveLength(1);
    }
    const quiet = await run("recall --batch q.jsonl --quiet", { files }, { open: async () => opened });
    expect(quiet.terminal.err()).toBe("");
  });

  test("does not read standard input for a batch file, and stops at an invalid line with its number", async () => {
    const files = { "/somewhere/q.jsonl": '{"question_id":1,"question":"green tea"}\n{"question":"?"}\n' };
    const { status, terminal } = await run("recall --batch q.jsonl", { files }, host);
    expect(status).toBe(2);
    expect(JSON.parse(terminal.out())).toMatchObject({ question_id: 1, context: [{ date: "2026-03-14" }] });
    expect(terminal.err()).toContain("Line 2 of");
  });
});

describe("errors", () => {
  test("are one sentence on stderr, with a status that depends on the code", async () => {
    const { status, terminal } = await run("status");
    expect([status, terminal.out(), terminal.err()]).toEqual([2, "", "heartwood: Nothing is here.\n"]);
  });

  test("with --json are one document on stdout, with nothing on stderr", async () => {
    const { status, terminal } = await run("status --json");
    expect(status).toBe(2);
    expect(JSON.parse(terminal.out())).toEqual({
      error: { code: "no_memory", message: "Nothing is here.", dir: "/somewhere" },
    });
    expect(terminal.err()).toBe("");
  });

  test("are also JSON for an invalid command line, but not if --json is only a word after --", async () => {
    expect(JSON.parse((await run("compat --json")).terminal.out())).toMatchObject({ error: { code: "usage" } });
    expect((await run("compat -- --json")).terminal.out()).toBe("");
  });

  test("are internal with status 3 and no stack for an unknown exception", async () => {
    const { status, terminal } = await run("status --json", {}, { open: () => Promise.reject(new TypeError("boom")) });
    expect(status).toBe(3);
    expect(JSON.parse(terminal.out())).toMatchObject({ error: { code: "internal" } });
    expect(terminal.err()).toBe("");
  });
});

describe("help and version", () => {
  test("go to stdout with status 0; with --json, as a document", async () => {
    const { status, terminal } = await run("");
    expect(status).toBe(0);
    expect(terminal.out()).toContain("Usage: heartwood COMMAND");
    expect(terminal.err()).toBe("");
    expect(JSON.parse((await run("--version --json")).terminal.out())).toEqual({ version: "1.2.3" });
    expect((await run("--version")).terminal.out()).toBe("1.2.3\n");
  });
});

describe("completion", () => {
  test("needs no memory and prints the plain script, or a document", async () => {
    const { status, terminal, opened } = await run("completion bash");
    expect([status, opened]).toEqual([0, []]);
    expect(terminal.out()).toContain("complete -F _heartwood heartwood");
    const document = JSON.parse((await run("completion bash --json")).terminal.out());
    expect(document).toEqual({ shell: "bash", script: terminal.out() });
  });

  test("refuses an unknown shell and lists the known ones", async () => {
    const { status, terminal } = await run("completion tcsh");
    expect(status).toBe(2);
    expect(terminal.err()).toContain("bash, zsh, fish");
  });
});
