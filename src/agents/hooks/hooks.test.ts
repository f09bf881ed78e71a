import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openTestMemory } from "../../../test/fixtures/memory.ts";
import { MemoryError } from "../../base/errors.ts";
import type { AgentMemory } from "../memory.ts";
import type { Transcripts, TranscriptQuery } from "../transcripts/transcripts.ts";
import { openSession } from "../sessions/record.ts";
import { runDoctor } from "../../operations/doctor.ts";
import { nothingKnown } from "../../recall/context/remembered.ts";
import { runIndex } from "../../recall/index/refresh.ts";
import { askedOf, promptText } from "./prompt-text.ts";
import {
  parseHookErrors,
  printHookError,
  hookErrorsPath,
  readHookErrors,
  recordHookError,
  type HookError,
} from "./errors.ts";
import { fitRoot } from "./session-text.ts";
import type { HookCall, HookHost } from "./hook-call.ts";
import { printCursor } from "../capture/cursor.ts";
import { runHook } from "./run-hook.ts";
import { forgetOldNotes, isFirstToInject } from "./session-notes.ts";
import { runCapture, runUpkeep } from "./upkeep.ts";
import { processorTime } from "../../../test/fixtures/processor-time.ts";

const nothing = { text: "", notice: "" };

const call: HookCall = {
  client: "claude-code",
  event: "prompt",
  session: "s",
  agent: "",
  agentKind: "",
  source: "",
  root: "wanted",
  prompt: "hello",
  promptId: "p",
  transcript: "",
  space: { characters: 9500 },
  profile: "wanted",
  start: "kept",
  captured: "yes",
};
const never = new AbortController().signal;

let cache = "";
beforeEach(() => {
  cache = mkdtempSync(join(tmpdir(), "heartwood-cache-"));
  vi.stubEnv("XDG_CACHE_HOME", cache);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(cache, { recursive: true, force: true });
});

function hostOf(files: Readonly<Record<string, string>>): { readonly host: HookHost; readonly started: string[] } {
  const started: string[] = [];
  const background: HookHost["background"] = {
    start: async (words) => (started.push(words.join(" ")), "started"),
  };
  const { memory } = openTestMemory({ files, disk: "folder" });
  return { host: { memory, background }, started };
}

describe("the searched text of a prompt", () => {
  it("excludes what a hook put into the prompt", () => {
    const put =
      "<hook_context>\n<<<0a1b2c3d Memory of this project.\n# WORKING.md\n- kitchen\n0a1b2c3d>>>\n</hook_context>";
    expect(askedOf(`${put}\nWhich limiter?`)).toBe("Which limiter?");
    expect(askedOf(`Which <<<limiter?`)).toBe("Which <<<limiter?");
  });

  it("excludes it even if the client escaped it", () => {
    const put = "<<<0a1b2c3d Memory of this project.\n- <b>kitchen</b> & bath\n0a1b2c3d>>>";
    const escaped = put.replaceAll("<", "&lt;").replaceAll(">", "&gt;");
    expect(askedOf(`<hook_context>${escaped}</hook_context>\n\nWhich limiter?`)).toBe("Which limiter?");
    expect(askedOf(`${escaped}\nWhich limiter?`)).toBe("Which limiter?");
    expect(askedOf(`${escaped}\n<task-notification>done</task-notification>`)).toBe("");
  });

  it("is found in linear time", () => {
    for (const begin of ["<<<0a1b2c3d x\n", "&lt;&lt;&lt;0a1b2c3d x\n", "<hook_context> "])
      expect(processorTime(2_000, () => askedOf(begin.repeat(100_000)))).toBeLessThan(2_000);
  });

  it.each([
    "<task-notification>done</task-notification>",
    "<command-name>/compact</command-name>",
    "<local-command-stdout>x",
    "  ",
  ])("is empty if no person wrote the prompt: %s", (text) => expect(askedOf(text)).toBe(""));
});

describe("the text for a prompt", () => {
  const said = Array.from({ length: 60 }, (_, at) => {
    return `## Kitchen ${at} [project]\n- decision: the kitchen renovation number ${at} is 厨房翻新工程 with tiles of colour ${at * 3}\n`;
  });
  const files = { "memory/2026-03-14.md": `# 2026-03-14\n\n${said.join("\n")}` };

  it("has at most 600 tokens when printed", async () => {
    const { memory } = openTestMemory({ files, disk: "folder" });
    await runIndex(memory, {}, {});
    for (const asked of ["What about the kitchen renovation?", "厨房翻新工程怎么样了？"]) {
      const { text, incomplete } = await promptText(memory, asked, { signal: never, known: nothingKnown });
      expect(incomplete).toEqual([]);
      expect(text).toContain("厨房翻新工程");
      expect(memory.tokens.count(text)).toBeLessThanOrEqual(600);
    }
  });

  it("comes from the current index, which a background process updates", async () => {
    const { host, started } = hostOf(files);
    expect(await runHook(host, { ...call, prompt: "the kitchen renovation" }, never)).toEqual(nothing);
    expect(started).toEqual([`index --dir ${host.memory.dir}`]);
    await runIndex(host.memory, {}, {});
    const { text } = await runHook(host, { ...call, prompt: "the kitchen renovation", promptId: "p2" }, never);
    expect(text).toContain("kitchen renovation");
    expect(started).toHaveLength(1);
  });

  const vectorOf = (text: string): Int8Array =>
    /renovation|tear out/u.test(text) ? Int8Array.of(127, 0) : Int8Array.of(0, 127);
  const embedder = (embed = async (texts: readonly string[]) => texts.map(vectorOf)) => {
    return { id: "own", open: async () => ({ id: "own", dimensions: 2, embed }) };
  };

  it("is also compared by meaning with an embedder in this process, as the record says, while there is time", async () => {
    const said = "## House [project]\n- the renovation of our kitchen costs 12000 euros in May 2026\n";
    const { memory } = openTestMemory({
      files: { "memory/2026-03-14.md": said },
      disk: "folder",
      with: { embedder: embedder() },
    });
    await runIndex(memory, {}, {});
    const asked = "What does the renovation cost in euros?";
    const given = async (more: object = {}, isLate?: () => boolean) => {
      const found = await promptText({ ...memory, ...more }, asked, { signal: never, known: nothingKnown, isLate });
      expect(found.text).toContain("12000 euros");
      return found.meaning;
    };
    expect(await given()).toBe("no_vectors");
    await runIndex(memory, { embed: true }, {});
    expect(await given()).toBe("used");
    expect(await given({}, () => true)).toBe("late");
    let checks = 0;
    expect(await given({}, () => ++checks > 1)).toBe("late");
    const broken = embedder(() => Promise.reject(new Error("out of order")));
    expect(await given({ embedder: broken })).toBe("failed");
    expect(await given({ embedder: undefined })).toBe(undefined);
    const { host } = hostOf({});
    const answer = await runHook({ ...host, memory }, { ...call, prompt: asked, session: "s1" }, never);
    await answer.record?.();
    expect((await openSession(memory.files, call.client, "s1")).past).toMatchObject([{ meaning: "used" }]);
  });

  it("calls no model outside this process, even if the settings name one", async () => {
    const { memory } = openTestMemory({ files, disk: "folder" });
    const refuse = async (): Promise<never> => {
      throw new Error("a model was opened");
    };
    const embedder = { id: "remote", pace: "slow", open: refuse } as const;
    const asking = { ...memory, embedder, chooser: { id: "remote", contextTokens: 1000, open: refuse } };
    await runIndex(memory, {}, {});
    await promptText(asking, "What about the kitchen renovation?", { signal: never, known: nothingKnown });
  });

  it("stops when its signal is aborted", async () => {
    const { memory } = openTestMemory({ files, disk: "folder" });
    await runIndex(memory, {}, {});
    await expect(
      promptText(memory, "the kitchen", { signal: AbortSignal.abort(), known: nothingKnown }),
    ).rejects.toThrow(/abort/iu);
  });
});

describe("background work of events", () => {
  it("turn-end, session-end and before-compaction start a capture of the transcript", async () => {
    for (const event of ["turn-end", "session-end", "before-compaction"] as const) {
      const { host, started } = hostOf({});
      const { text } = await runHook(host, { ...call, event, transcript: "/t/a.jsonl" }, never);
      const ended = { "turn-end": "turn", "session-end": "session", "before-compaction": "" }[event];
      expect(started).toEqual([`hook claude-code captured ${host.memory.dir} ${ended} s /t/a.jsonl`]);
      expect(text === "").toBe(event !== "before-compaction");
    }
  });

  it("a capture that could not be started is an error", async () => {
    const { host } = hostOf({});
    const background: HookHost["background"] = { ...host.background, start: async () => "failed" };
    const ending = runHook({ ...host, background }, { ...call, event: "turn-end" }, never);
    await expect(ending).rejects.toThrow(/not start a process to capture/u);
  });

  it("a client whose transcripts are not read starts no capture", async () => {
    const { host, started } = hostOf({});
    await runHook(host, { ...call, event: "turn-end", captured: "no" }, never);
    expect(started).toEqual([]);
  });

  it("the start of a session starts upkeep once, and not after a compaction", async () => {
    const { host, started } = hostOf({ "WORKING.md": "- now: measure\n" });
    const start = { ...call, event: "session-start", source: "startup" } as const;
    expect((await runHook(host, start, never)).text).toContain("now: measure");
    expect(await runHook(host, start, never)).toEqual(nothing);
    expect((await runHook(host, { ...start, source: "compact" }, never)).text).toContain("now: measure");
    expect(started).toEqual([`hook claude-code upkeep ${host.memory.dir}`]);
  });

  it("a session that starts with a broken configuration gets one notice besides the text", async () => {
    const { host } = hostOf({ "WORKING.md": "- now: measure\n", "heartwood.config.json": "{ no" });
    const start = { ...call, event: "session-start", source: "startup" } as const;
    const { text, notice } = await runHook(host, start, never);
    expect(text).toContain("now: measure");
    expect(notice).toMatch(/^Recall and upkeep are paused: heartwood\.config\.json is not JSON/u);
    expect(await runHook(host, start, never)).toEqual(nothing);
  });
});

describe("upkeep and capture", () => {
  const captured = { ...call, ended: "turn", transcript: "/t/a.jsonl" };

  /** A memory whose transcripts use this `find`. */
  function memoryWith(find: Transcripts["find"], files: Readonly<Record<string, string>> = {}) {
    const read: Transcripts["read"] = async function* () {
      yield { kind: "begin", at: "start" };
      for (const what of ["a", "b", "c", "d", "e"]) yield { kind: "unknown", what, place: "byte 1" };
    };
    const subagents = async () => [];
    const transcripts = { id: "test-transcripts", find, subagents, read };
    const day = { "memory/2026-03-10.md": "# 2026-03-10\n\n## Kitchen [project]\n- decision: blue tiles\n" };
    return openTestMemory({ files: { ...day, ...files }, disk: "folder", with: { transcripts } }).memory;
  }

  function failing(code: "busy" | "io" | "not_found" | "usage", message: string): Transcripts["find"] {
    return async () => {
      throw new MemoryError(code, message);
    };
  }

  async function keptIn(memory: AgentMemory): Promise<readonly string[]> {
    const kept = await readHookErrors(memory.files);
    expect(kept.every(({ client }) => client === "claude-code")).toBe(true);
    return kept.map(({ event, code, message }) => `${event} ${code} ${message}`);
  }

  const indexed = async ({ files }: AgentMemory): Promise<boolean> =>
    (await files.list(".heartwood/search")).some(({ name }) => name === "index.sqlite");

  it("at the start of a session, captures every session of the folder, compacts, and updates the index", async () => {
    const queries: TranscriptQuery[] = [];
    const memory = memoryWith(async (query) => (queries.push(query), []));
    await runUpkeep(memory, call);
    expect(queries).toMatchObject([{ client: "claude-code", folders: [memory.dir] }]);
    expect(queries[0]).not.toHaveProperty("most");
    expect(await memory.files.read("memory/ROOT.md")).toBeDefined();
    expect(await indexed(memory)).toBe(true);
    expect(await keptIn(memory)).toEqual([]);
  });

  it("at the start of a session, removes the cursors of transcripts that are gone", async () => {
    const cursorOf = (source: string): string => {
      const state = { facts: { id: "s", started_at_ms: 1, folder: undefined, title: undefined }, turn: undefined };
      return printCursor({ source, at: 1, check: "", state: { ...state, last_at_ms: 1, sitting_at_ms: 1 } });
    };
    const memory = memoryWith(async () => [], {
      ".heartwood/capture/claude-code/gone.json": cursorOf(join(cache, "gone.jsonl")),
      ".heartwood/capture/claude-code/there.json": cursorOf(fileURLToPath(import.meta.url)),
      ".heartwood/capture/codex/gone.json": cursorOf(join(cache, "gone.jsonl")),
      ".heartwood/capture/codex/other.json": "{}",
    });
    await runUpkeep(memory, call);
    const left = async (client: string) =>
      (await memory.files.list(`.heartwood/capture/${client}`)).map(({ name }) => name);
    expect([await left("claude-code"), await left("codex")]).toEqual([["there.json"], ["other.json"]]);
  });

  it("compacts only at the end of a session if the client loads MEMORY.md into each request", async () => {
    const memory = memoryWith(async () => []);
    await runUpkeep(memory, { ...call, profile: "had" });
    await runCapture(memory, { ...captured, profile: "had" });
    expect(await memory.files.read("memory/ROOT.md")).toBeUndefined();
    await runCapture(memory, { ...captured, profile: "had", ended: "session" });
    expect(await memory.files.read("memory/ROOT.md")).toBeDefined();
  });

  it("captures nothing for a client whose transcripts are not read", async () => {
    const memory = memoryWith(failing("io", "It was looked for."));
    await runUpkeep(memory, { ...call, captured: "no" });
    expect(await keptIn(memory)).toEqual([]);
  });

  it("at the end of a turn, captures by transcript or else by session, and updates the index", async () => {
    const queries: TranscriptQuery[] = [];
    const memory = memoryWith(async (query) => (queries.push(query), []));
    await runCapture(memory, captured);
    await runCapture(memory, { ...captured, transcript: "", session: "--ses" });
    await runCapture(memory, { ...captured, transcript: "", session: "", ended: "" });
    expect(queries.map(({ path, session, most }) => [path, session, most])).toEqual([
      ["/t/a.jsonl", undefined, 1],
      [undefined, "--ses", 1],
      [undefined, undefined, 1],
    ]);
    expect(await indexed(memory)).toBe(true);
  });

  it("records a failure with its code and continues with the next step", async () => {
    const memory = memoryWith(failing("io", "Could not write memory/TODAY.md."), { "memory/daily": "in the way\n" });
    await runCapture(memory, captured);
    await runUpkeep(memory, call);
    expect(await indexed(memory)).toBe(true);
    const [first, second, third = ""] = await keptIn(memory);
    expect([first, second]).toEqual([
      "captured io capture: Could not write memory/TODAY.md.",
      "upkeep io capture: Could not write memory/TODAY.md.",
    ]);
    expect(third).toMatch(/^upkeep [a-z_]+ compact: .*memory\/daily/u);
  });

  it("records failures of threads, including unexpected errors", async () => {
    const memory = memoryWith(async () => []);
    const refuse = (error: Error) => ({
      ...memory,
      threads: { ...memory.threads, heads: () => Promise.reject(error) },
    });
    await runUpkeep(refuse(new MemoryError("damaged_store", "The store is damaged.")), call);
    expect((await keptIn(memory))[0]).toBe("upkeep damaged_store thread schedule: The store is damaged.");
    await runUpkeep(refuse(new Error("odd")), call);
    expect(await keptIn(memory)).toContain("upkeep internal thread schedule: odd");
  });

  it("records nothing if another process is at work, or if upkeep finds no session in this folder", async () => {
    const busy = memoryWith(failing("busy", "The lock is held."));
    await runCapture(busy, captured);
    await runUpkeep(busy, call);
    expect(await keptIn(busy)).toEqual([]);
    const none = memoryWith(failing("not_found", "No transcript was found."));
    await runUpkeep(none, call);
    expect(await keptIn(none)).toEqual([]);
    await runCapture(none, captured);
    expect(await keptIn(none)).toEqual(["captured not_found capture: No transcript was found."]);
  });

  it("records the last three warnings of a capture", async () => {
    const source = { client: "claude-code", path: "/t/a.jsonl", session: "s", changed_at_ms: 0 } as const;
    const memory = memoryWith(async () => [source]);
    await runCapture(memory, captured);
    expect((await keptIn(memory)).map((line) => /^captured warning capture: .*"(.)"/u.exec(line)?.[1])).toEqual([
      "c",
      "d",
      "e",
    ]);
  });

  it("records no secrets", async () => {
    const secret = `ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`;
    const memory = memoryWith(failing("usage", `${secret} \u001b[31m is none.`));
    await runCapture(memory, captured);
    const kept = (await keptIn(memory)).join();
    expect(kept).toMatch(/^captured usage capture: /u);
    expect(kept).not.toContain(secret);
    expect(kept).not.toContain("\u001b");
  });
});

describe("the process that injects", () => {
  it("is the first within a second or the next, separately for each source, session and event", () => {
    const start = { ...call, event: "session-start", promptId: "" } as const;
    expect(isFirstToInject(start, "/p", 100)).toBe("yes");
    expect(isFirstToInject(start, "/p", 100)).toBe("no");
    expect(isFirstToInject(start, "/p", 101)).toBe("no");
    expect(isFirstToInject(start, "/p", 103)).toBe("yes");
    expect(isFirstToInject({ ...start, source: "compact" }, "/p", 100)).toBe("yes");
    expect(isFirstToInject({ ...start, session: "t" }, "/p", 100)).toBe("yes");
    expect(isFirstToInject({ ...start, event: "prompt" }, "/p", 100)).toBe("yes");
  });

  it("is the first of each event if the client says when it was, even twice a second", () => {
    const start = { ...call, event: "session-start", promptId: "", time: "1795721850256" } as const;
    expect(isFirstToInject(start, "/p", 100)).toBe("yes");
    expect(isFirstToInject(start, "/p", 104)).toBe("no");
    expect(isFirstToInject({ ...start, time: "1795721850999" }, "/p", 100)).toBe("yes");
  });

  it("is determined per project if the client gives no session", () => {
    const start = { ...call, event: "session-start", session: "" } as const;
    expect(isFirstToInject(start, "/p", 100)).toBe("yes");
    expect(isFirstToInject(start, "/q", 100)).toBe("yes");
    expect(isFirstToInject(start, "/p", 100)).toBe("no");
  });

  it("is determined by prompt id, at any time and for any id", () => {
    const text = fc.string({ unit: "binary" });
    fc.assert(
      fc.property(fc.uniqueArray(fc.tuple(text, text), { selector: ([a, b]) => `${a}\0${b}` }), (ids) => {
        rmSync(join(cache, "heartwood"), { recursive: true, force: true });
        for (const [session, id] of ids) {
          const one = { ...call, session: `s${session}`, promptId: `x${id}` };
          expect(isFirstToInject(one, "/p", 100)).toBe("yes");
          expect(isFirstToInject(one, "/p", 900)).toBe("no");
        }
      }),
    );
    const long = { ...call, session: "s".repeat(256), source: "x".repeat(999), promptId: "p".repeat(256) };
    expect(isFirstToInject(long, "/p", 100)).toBe("yes");
    expect(isFirstToInject(long, "/p", 100)).toBe("no");
  });

  it("is every process if the notes cannot be written", () => {
    writeFileSync(join(cache, "heartwood"), "in the way\n");
    expect(isFirstToInject(call, "/p", 100)).toBe("yes");
    expect(isFirstToInject(call, "/p", 100)).toBe("yes");
  });

  it("is forgotten after a day", () => {
    expect(isFirstToInject(call, "/p", 100)).toBe("yes");
    const folder = join(cache, "heartwood", "injected");
    const dayAgo = (Date.now() - 90_000_000) / 1000;
    for (const name of readdirSync(folder)) utimesSync(join(folder, name), dayAgo, dayAgo);
    expect(isFirstToInject({ ...call, promptId: "new" }, "/p", 100)).toBe("yes");
    forgetOldNotes();
    expect(readdirSync(folder)).toHaveLength(1);
    expect(isFirstToInject(call, "/p", 100)).toBe("yes");
  });
});

describe("a ROOT.md larger than its space", () => {
  const share = (text: string): number => text.length / 1000;

  it("loses whole lines, the same share of each section, and lines about the user last", () => {
    const section = (name: string): readonly string[] => [
      `## ${name}`,
      ...Array.from({ length: 40 }, (_, at) => `- ${name} ${at} [${at === 39 ? "user" : "project"}]: said ${at}`),
      "",
    ];
    const body = [...section("Active"), ...section("Index")];
    const fitted = fitRoot(body, share, 1);
    expect(fitted.join("\n").length).toBeLessThanOrEqual(1000);
    expect(fitted.every((line) => body.includes(line))).toBe(true);
    expect(fitted.filter((line) => line.includes("[user]"))).toHaveLength(2);
    const counts = ["Active", "Index"].map((name) => fitted.filter((line) => line.startsWith(`- ${name}`)).length);
    expect(Math.abs((counts[0] ?? 0) - (counts[1] ?? 0))).toBeLessThanOrEqual(2);
  });

  it("keeps all lines in order if they fit", () => {
    expect(fitRoot(["", "## A", "- a", "", "## B", "- b"], share, 1)).toEqual(["## A", "- a", "## B", "- b"]);
  });
});

describe("a hook error", () => {
  const error: HookError = {
    at: "2026-03-15T12:00:00.000Z",
    client: "codex",
    event: "Stop",
    code: "io",
    message: "It failed.",
  };

  it("can be printed and parsed, and torn lines are skipped", () => {
    fc.assert(
      fc.property(
        fc.record({
          at: fc.string(),
          client: fc.string(),
          event: fc.string(),
          code: fc.string(),
          message: fc.string(),
        }),
        (one) => {
          expect(parseHookErrors(`{"at":\n${printHookError(one)}{"at":1}\n`)).toEqual([one]);
        },
      ),
    );
  });

  it("is kept once, with the time of its last occurrence", async () => {
    const test = openTestMemory({ files: {} });
    const times = ["2026-03-15T12:00:00.000Z", "2026-03-15T12:00:01.000Z", "2026-03-15T12:00:02.000Z"];
    for (const at of times) {
      await recordHookError(test.memory.files, { ...error, at });
      await recordHookError(test.memory.files, { ...error, at, client: "gemini" });
    }
    const kept = await readHookErrors(test.memory.files);
    expect(kept.map(({ at, client }) => `${client} ${at}`)).toEqual([`codex ${times[2]}`, `gemini ${times[2]}`]);
  });

  it("is among the newest 200 that are kept, without secrets; doctor shows the newest three", async () => {
    const test = openTestMemory({ files: { "memory/2026-03-14.md": "# 2026-03-14\n" } });
    for (let at = 0; at < 205; at++) await recordHookError(test.memory.files, { ...error, message: `Failure ${at}.` });
    const kept = await readHookErrors(test.memory.files);
    expect([kept.length, kept[0]?.message, kept.at(-1)?.message]).toEqual([200, "Failure 5.", "Failure 204."]);
    const secret = `ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`;
    await recordHookError(test.memory.files, { ...error, message: `The key ${secret} was refused.` });
    expect(test.read(hookErrorsPath)).not.toContain(secret);
    const { checks } = await runDoctor(test.memory, {});
    const shown = checks.filter(({ name }) => name === "hooks").map(({ state, message }) => `${state} ${message}`);
    expect(shown).toHaveLength(3);
    expect(shown[1]).toBe("note 2026-03-15T12:00:00.000Z codex Stop: Failure 204.");
    expect(shown[2]).toMatch(/Failure 203\. \(197 older in \.heartwood\/hooks\/errors\.jsonl\)$/u);
  });
});
