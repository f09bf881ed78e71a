import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openInstalling, openMemory, openSamples } from "../../src/open.ts";
import { runCommandLine } from "../../src/surfaces/cli/run.ts";
import { type Host } from "../../src/surfaces/cli/terminal.ts";
import { createFakeTerminal, type FakeTerminalOptions } from "../fixtures/fake-terminal.ts";
import { noTrust } from "../fixtures/trusted.ts";

/** Threads from the first message to a copy in another project, on the command line with this machine's adapters. */
const repository = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const host: Host = {
  version: async () => "0.0.0-test",
  open: openMemory,
  openSamples,
  openInstalling,
  openTrust: noTrust,
};

let base = "";
beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "heartwood-threads-")));
  for (const name of ["one", "two", "three"]) {
    mkdirSync(join(base, name));
    writeFileSync(join(base, name, "heartwood.config.json"), "{}\n");
  }
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

interface Ended {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

async function heartwood(project: string, args: readonly string[], options: FakeTerminalOptions = {}): Promise<Ended> {
  const terminal = createFakeTerminal({ cwd: join(base, project), stdin: { kind: "pipe", chunks: [] }, ...options });
  const openFile = (path: string): ReturnType<typeof terminal.openFile> => ({
    name: path,
    chunks: async function* () {
      const bytes = readFileSync(path);
      // Small and uneven, so that lines and characters are cut.
      for (let from = 0; from < bytes.length; from += 61) yield bytes.subarray(from, from + 61);
    },
  });
  const status = await runCommandLine([...args, "-C", terminal.cwd], { ...terminal, openFile }, host);
  return { status, out: terminal.out(), err: terminal.err() };
}

async function json(project: string, args: readonly string[], stdin?: string): Promise<Record<string, unknown>> {
  const piped = stdin === undefined ? {} : { stdin: { kind: "pipe" as const, chunks: [stdin] } };
  const { status, out, err } = await heartwood(project, [...args, "--json"], piped);
  expect([status, err], out).toEqual([0, ""]);
  return JSON.parse(out) as Record<string, unknown>;
}

const by = ["--actor", "user", "--origin", "cli"];
const first = "0199c0de-0000-7000-8000-000000000001";
const message = (at: number): string => `message ${at}: 漢字 שלום 🦀\r\n\u0000 end`;

describe("a thread", () => {
  test("is created, takes messages one by one and in batches, and reports what it contains", async () => {
    const created = await json("one", ["thread", "create", "--id", "release-4", "--title", "Release 4"]);
    expect(created).toMatchObject({ thread_id: "release-4", head_seq: 0, message_count: 0, parent: null });
    expect(created["workspace"]).toBe(join(base, "one"));
    const one = await json("one", ["thread", "append", "release-4", ...by, "--id", first], message(1));
    expect(one).toMatchObject({ appended: 1, known: 0, head_seq: 1, seq: 1, message_ordinal: 1, message_id: first });
    const again = await json("one", ["thread", "append", "release-4", ...by, "--id", first, "--content", message(1)]);
    expect(again).toMatchObject({ appended: 0, known: 1, head_seq: 1, seq: 1, message_ordinal: 1 });
    const batch = [
      { content: message(2) },
      { content: message(3), actor_id: "assistant:main", origin: "chat", timestamp_ms: 5 },
      { type: "continuity_run_ended", run_session_id: "r", message_id: first, reason: "done" },
      { content: message(4), actor_id: "tool:shell" },
    ].map((line) => JSON.stringify(line));
    const many = await json("one", ["thread", "append", "release-4", ...by, "--batch"], batch.join("\n"));
    expect(many).toMatchObject({ appended: 4, head_seq: 5, message_count: 4, seq: 5, message_ordinal: 4 });
  });

  test("is listed, and shown on its own", async () => {
    const list = await json("one", ["thread", "list"]);
    expect(list).toMatchObject({ total: 1, threads: [{ thread_id: "release-4", title: "Release 4", head_seq: 5 }] });
    const got = await json("one", ["thread", "get", "release-4"]);
    expect(got).toMatchObject({ message_count: 4, parent: null });
  });

  test("prints its frames from a seq, and later ones if it is followed", async () => {
    const { out } = await heartwood("one", ["thread", "events", "release-4", "--from-seq", "2"]);
    const frames = out.split("\n").slice(0, -1);
    expect(frames.map((line) => (JSON.parse(line) as { seq: number }).seq)).toEqual([2, 3, 4, 5]);
    expect(JSON.parse(frames[1] ?? "")).toMatchObject({ content: message(3), timestamp_ms: 5, origin: "chat" });
    expect((await heartwood("one", ["thread", "events", "release-4", "--from-seq", "2", "--json"])).out).toBe(out);
    expect((await heartwood("one", ["thread", "events", "release-4", "--from-seq", "99"])).out).toBe("");

    const stop = new AbortController();
    const terminal = createFakeTerminal({ cwd: join(base, "one"), signal: stop.signal });
    const watching = runCommandLine(
      ["thread", "events", "release-4", "--from-seq", "5", "--follow", "-C", terminal.cwd],
      terminal,
      host,
    );
    await heartwood("one", ["thread", "append", "release-4", ...by, "--content", "later"]);
    const until = Date.now() + 600_000;
    while (!terminal.out().includes("later") && Date.now() < until) await new Promise((done) => setTimeout(done, 20));
    stop.abort();
    expect(await watching).toBe(0);
    expect(terminal.out().split("\n")).toHaveLength(3);
  });

  test("is exported and imported elsewhere byte for byte, repeatedly", async () => {
    const exported = await heartwood("one", ["thread", "export", "release-4"]);
    writeFileSync(join(base, "two", "log.jsonl"), exported.out);
    const taken = await json("two", ["thread", "import", "log.jsonl"]);
    expect(taken).toMatchObject({ imported: 7, known: 0, torn_line: null, warnings: [] });
    expect((await heartwood("two", ["thread", "export", "release-4"])).out).toBe(exported.out);
    expect(await json("two", ["thread", "import", "-"], exported.out)).toMatchObject({ imported: 0, known: 7 });
    await heartwood("one", ["thread", "append", "release-4", ...by, "--content", "more"]);
    const longer = await heartwood("one", ["thread", "export", "release-4"]);
    expect(await json("two", ["thread", "import", "-"], longer.out)).toMatchObject({ imported: 1, known: 7 });
    expect((await heartwood("two", ["thread", "export", "release-4"])).out).toBe(longer.out);
  });

  test("that was torn is imported up to the tear, which is reported with status 1", async () => {
    const { out } = await heartwood("one", ["thread", "export", "release-4"]);
    const torn = { stdin: { kind: "pipe" as const, chunks: ["\uFEFF", out.slice(0, -30)] } };
    const { status, out: told, err } = await heartwood("three", ["thread", "import", "-"], torn);
    expect([status, err]).toEqual([1, expect.stringContaining("the last line of standard input")]);
    expect(told).toContain("release-4");
    const kept = await heartwood("three", ["thread", "export", "release-4"]);
    expect(kept.out).toBe(`${out.split("\n").slice(0, -2).join("\n")}\n`);
  });

  test("has children created by branch and by handoff", async () => {
    const branch = await json("one", ["thread", "branch", "release-4", "--at", first, ...by]);
    expect(branch).toMatchObject({
      head_seq: 1,
      message_count: 0,
      title: null,
      parent: { kind: "branch", thread_id: "release-4", seq: 1, message_id: first },
    });
    expect(await json("one", ["thread", "get", String(branch["thread_id"])])).toEqual(branch);
    writeFileSync(join(base, "one", "summary.md"), "# So far\n\n- ship on Friday\n");
    const handoff = ["thread", "handoff", "release-4", ...by, "--title", "Next", "--summary-file"];
    const child = await json("one", [...handoff, "summary.md"]);
    expect(child).toMatchObject({ title: "Next", parent: { kind: "handoff", thread_id: "release-4" } });
    const id = String(child["summary_artifact_id"]);
    const bytes = readFileSync(join(base, "one/.heartwood/artifacts", id.slice(0, 2), `${id}.json`));
    expect(createHash("sha256").update(bytes).digest("hex")).toBe(id);
    expect(JSON.parse(String(bytes))).toMatchObject({
      schema: "rip.compaction_summary.v1",
      kind: "cumulative_v1",
      coverage: { thread_id: "release-4", from_seq: 0 },
      summary_markdown: "# So far\n\n- ship on Friday\n",
    });
    const second = ["thread", "handoff", "release-4", ...by, "--artifact", id];
    expect(await json("one", second)).toMatchObject({ summary_artifact_id: id });
  });
});

describe("input refused with a code and no side effect", () => {
  const batch = (line: string): FakeTerminalOptions => ({
    stdin: { kind: "pipe", chunks: ['{"content":"a"}\n', line] },
  });
  const append = ["thread", "append", "release-4", ...by];
  const refused: readonly (readonly [readonly string[], number, string, FakeTerminalOptions?])[] = [
    [["thread", "get", "nosuch"], 2, "thread_not_found"],
    [["thread", "get", "No Such"], 2, "invalid_thread_id"],
    [["thread", "get", "../x"], 2, "invalid_thread_id"],
    [["thread", "create", "--id", "release-4"], 2, "thread_exists"],
    [["thread", "create", "--title", ""], 2, "usage"],
    [["thread", "export", "nosuch"], 2, "thread_not_found"],
    [["thread", "events", "nosuch", "--follow"], 2, "thread_not_found"],
    [["thread", "append", "nosuch", ...by, "--content", "x"], 2, "thread_not_found"],
    [["thread", "append", "release-4", "--actor", "", "--origin", "cli", "--content", "x"], 2, "usage"],
    [[...append, "--content", ""], 2, "invalid_body"],
    [append, 2, "invalid_body"],
    [[...append, "--content", "x", "--id", "7"], 2, "invalid_id"],
    [[...append, "--content", "other", "--id", first], 3, "frame_conflict"],
    [[...append, "--content", "x", "--expected-seq", "0"], 3, "seq_conflict"],
    [[...append, "--batch", "--content", "{}", "--id", first], 2, "usage"],
    [[...append, "--batch"], 2, "invalid_body"],
    [[...append, "--batch"], 2, "invalid_frame", batch('{"content":"b","more":1}')],
    [[...append, "--batch"], 2, "invalid_frame", batch('{"content":"b"')],
    [[...append, "--batch"], 2, "invalid_frame", batch("[]")],
    [[...append, "--batch"], 2, "invalid_frame", batch('{"type":"continuity_job_ended"}')],
    [[...append, "--batch"], 2, "invalid_frame", batch('{"type":"continuity_run_ended","run_session_id":"r"}')],
    [[...append, "--batch"], 2, "invalid_frame", batch('{"content":"b","actor_id":"a\\nb"}')],
    [[...append, "--batch"], 2, "invalid_body", batch('{"content":""}')],
    [["thread", "branch", "release-4", "--at", first.replace("1", "2"), ...by], 2, "message_not_found"],
    [["thread", "handoff", "release-4", ...by, "--artifact", "7"], 2, "invalid_artifact"],
    [["thread", "handoff", "release-4", ...by, "--artifact", "7".repeat(64)], 2, "artifact_not_found"],
    [["thread", "handoff", "release-4", ...by, "--summary-file", "-"], 2, "invalid_body"],
  ];
  test.each(refused.map((one) => ({ one, says: `${one[0].join(" ")} is ${one[2]}` })))("$says", async ({ one }) => {
    const [args, wanted, code, options = {}] = one;
    const before = (await heartwood("one", ["thread", "list", "--json"])).out;
    const { status, out } = await heartwood("one", [...args, "--json"], options);
    const { error } = JSON.parse(out) as { readonly error: Readonly<Record<string, unknown>> };
    expect([error["code"], status], out).toEqual([code, wanted]);
    expect((await heartwood("one", ["thread", "list", "--json"])).out).toBe(before);
    if (options.stdin !== undefined) expect(error["line"], out).toBe(2);
  });

  test("a broken line in the middle of an import, and bytes that are not UTF-8", async () => {
    const { out } = await heartwood("one", ["thread", "export", "release-4"]);
    const lines = out.replaceAll("release-4", "release-5").split("\n");
    for (const wrong of ['{"id":', Uint8Array.of(0x22, 0xff, 0x22)]) {
      const chunks = [`${lines[0]}\n`, wrong, `\n${lines[1]}\n`];
      const { status, out: told } = await heartwood("two", ["thread", "import", "-", "--json"], {
        stdin: { kind: "pipe", chunks },
      });
      expect([status, JSON.parse(told)]).toMatchObject([2, { error: { code: "invalid_frame", line: 2 } }]);
    }
    expect((await heartwood("two", ["thread", "get", "release-5"])).status).toBe(2);
  });

  test("a pipe is not read if --content is given", async () => {
    const terminal = createFakeTerminal({ cwd: join(base, "one") });
    const argv = ["thread", "append", "release-4", ...by, "--content", "x", "-C", terminal.cwd];
    expect(await runCommandLine(argv, terminal, host)).toBe(0);
  });
});

const fixture = join(repository, "../shared/data/thread-fixture/events.jsonl");
if (!existsSync(fixture)) console.warn(`skipped: ${fixture} is not there`);
test.skipIf(!existsSync(fixture))("the log of another implementation comes back byte for byte", async () => {
  const log = readFileSync(fixture, "utf8");
  const { out } = await heartwood("three", ["thread", "import", fixture, "--json"]);
  const { threads } = JSON.parse(out) as { readonly threads: readonly { thread_id: string; error: unknown }[] };
  expect(threads.map(({ error }) => error)).toEqual(threads.map(() => null));
  for (const { thread_id } of threads) {
    const wanted = log.split("\n").filter((line) => line.includes(`"session_id":"${thread_id}"`));
    const exported = await heartwood("three", ["thread", "export", thread_id]);
    expect(exported.out).toBe(`${wanted.join("\n")}\n`);
  }
});
