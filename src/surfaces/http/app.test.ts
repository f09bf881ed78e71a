import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { appOf } from "../../../test/fixtures/http-server.ts";
import { openTestMemory } from "../../../test/fixtures/memory.ts";
import { errorStatuses } from "../../base/error-statuses.ts";
import type { ErrorCode } from "../../base/errors.ts";
import { isObject } from "../../base/json.ts";
import { operations } from "../../operations/table.ts";
import { servedOperations } from "./operations.ts";

const log = "## Limits [project]\n- decision: a token bucket\n- key: ghp_0123456789abcdefABCDEF0123456789abcd\n";
const by = { actor_id: "user", origin: "test" };

describe("an operation over HTTP", () => {
  test("answers its outcome and its result", async () => {
    const { call } = appOf(openTestMemory({ files: { "memory/2026-03-14.md": log } }).memory);
    const compacted = await call("tree.compact");
    expect(compacted).toMatchObject({ status: 200, body: { outcome: "done" } });
    expect(await call("tree.show", { period: "ROOT" })).toMatchObject({
      status: 200,
      body: { outcome: "done", result: { path: "memory/ROOT.md" } },
    });
    expect(await call("tree.list", {})).toMatchObject({ status: 200, body: { outcome: "done" } });
  });

  test("is every one of the table, except those for paths on the server's machine", () => {
    const served = new Set(servedOperations.map(({ name }) => name));
    const missing = operations.map(({ name }) => name).filter((name) => !served.has(name));
    expect(missing.toSorted()).toEqual(["capture.import", "capture.run", "memory.init", "store.migrate"]);
  });

  test.each([
    ["thread.get", { thread_id: "none" }, 404, "thread_not_found"],
    ["thread.get", {}, 400, "usage"],
    ["tree.root", { nothing: 1 }, 400, "usage"],
    ["tree.root", { max_tokens: "many" }, 400, "invalid_number"],
    ["memory.diff", { from: "/etc" }, 404, "not_found"],
    ["memory.diff", { from: "../other" }, 404, "not_found"],
    ["audit.run", { report: "/tmp/x" }, 400, "usage"],
    ["thread.import", { file: { name: "x" } }, 400, "usage"],
    ["thread.import", { file: 7 }, 400, "usage"],
    ["memory.undo", {}, 409, "nothing_to_undo"],
  ])("%s of %j fails with status %i and code %s", async (name, input, status, code) => {
    const { call } = appOf(openTestMemory().memory);
    expect(await call(name, input)).toMatchObject({ status, body: { error: { code } } });
  });

  test.each([
    ["", 200],
    ["{}", 200],
    ["[]", 400],
    ["null", 200],
    ["7", 400],
    ["{", 400],
    ["{} {}", 400],
    ["\ufeff{}", 200],
    [`{"a":${"[".repeat(31)}${"]".repeat(31)}}`, 400],
    [`{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`, 400],
    [`{"a":"${"[".repeat(100)}"}`, 400],
  ])("reads the body %.40s with status %i", async (body, status) => {
    const { call } = appOf(openTestMemory().memory);
    expect(await call("thread.list", body)).toMatchObject({ status });
  });

  test("takes files as texts, and returns streams as lines", async () => {
    const { app, call } = appOf(openTestMemory({ disk: "folder" }).memory);
    await call("thread.create", { thread_id: "a" });
    await call("thread.append", { thread_id: "a", ...by, content: "one" });
    const exported = await app.request("/v1/thread.export", { method: "POST", body: '{"thread_id":"a"}' });
    expect(exported.headers.get("content-type")).toBe("application/x-ndjson");
    const text = await exported.text();
    expect(
      text
        .trimEnd()
        .split("\n")
        .map((line) => (JSON.parse(line) as { seq: number }).seq),
    ).toEqual([0, 1]);
    const other = appOf(openTestMemory({ disk: "folder" }).memory);
    expect(await other.call("thread.import", { file: text })).toMatchObject({ body: { result: { imported: 2 } } });
    const sum = { thread_id: "a", to_seq: 1, summary_file: "- one", ...by };
    expect(await call("compaction.manual", sum)).toMatchObject({ status: 200 });
  });

  test("shows no secret and no hidden character, in results, lines and errors", async () => {
    const secret = "ghp_0123456789abcdefABCDEF0123456789abcd";
    const { app, call } = appOf(openTestMemory({ disk: "folder", files: { "memory/2026-03-14.md": log } }).memory);
    await call("thread.create", { thread_id: "a", title: `t ${secret} \u202e` });
    await call("thread.append", { thread_id: "a", ...by, content: `\u202e\u0007 ${secret}` });
    await call("tree.compact");
    const answers = [
      await call("thread.get", { thread_id: "a" }),
      await call("thread.list"),
      await call("memory.read", { place: "memory/2026-03-14.md" }),
      await call("context.compile", { thread_id: "a" }),
      await call("thread.get", { thread_id: secret }),
      await call("tree.trace", { text: `x ${secret} \u202e` }),
      { body: await (await app.request("/v1/thread.export", { method: "POST", body: '{"thread_id":"a"}' })).text() },
    ].map(({ body }) => (typeof body === "string" ? body : JSON.stringify(body)));
    for (const answer of answers) {
      expect(answer).not.toContain(secret);
      expect(answer).not.toMatch(/[\u202e\u0007]/u);
    }
  });

  test("renders for programs unless a rendering is asked for", async () => {
    const { call } = appOf(openTestMemory({ disk: "folder" }).memory);
    await call("thread.create", { thread_id: "a" });
    await call("thread.append", { thread_id: "a", ...by, content: "one" });
    const bundle = await call("context.compile", { thread_id: "a" });
    const messages = await call("context.compile", { thread_id: "a", render: "openai" });
    expect(bundle).toMatchObject({ body: { result: { schema: "rip.context_bundle.v1", rendered: null } } });
    expect(messages).toMatchObject({ body: { result: { rendered: [{ role: "system" }, { role: "user" }] } } });
  });

  test("a body of any bytes gets a coded answer, never an internal error", async () => {
    const { app } = appOf(openTestMemory({ disk: "folder" }).memory);
    const field = fc.constantFrom("thread_id", "text", "query", "place", "file", "period", "limit", "from", "content");
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 3 }),
      fc.string({ unit: "binary" }),
      fc.constantFrom("../x", "/etc"),
    );
    const json = fc.dictionary(field, value, { maxKeys: 4 }).map((input) => Buffer.from(JSON.stringify(input)));
    const bytes = fc.uint8Array({ maxLength: 60 }).map((some) => Buffer.from(some));
    // Running a job or a repair on arbitrary input takes long and says nothing more.
    const names = servedOperations.map(({ name }) => name).filter((name) => !/doctor|verify|run_pending/u.test(name));
    const runs = { numRuns: Number(process.env["HEARTWOOD_FUZZ_RUNS"] ?? 2_000) };
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...names), fc.oneof(json, bytes), async (name, body) => {
        const response = await app.request(`/v1/${name}`, { method: "POST", body: Uint8Array.from(body) });
        const text = await response.text();
        if (response.headers.get("content-type") === "application/x-ndjson") return;
        const document: unknown = JSON.parse(text);
        if (response.status === 200) {
          expect(document).toHaveProperty("outcome");
          return;
        }
        const error = isObject(document) ? document["error"] : undefined;
        const code = isObject(error) ? String(error["code"]) : "";
        expect(code).not.toBe("internal");
        expect(errorStatuses[code as ErrorCode].http).toBe(response.status);
        expect(text).not.toMatch(/\bat .*\.ts:\d+/u);
      }),
      runs,
    );
  });
});

describe("thread jobs over HTTP", () => {
  test("are answered as spawned or scheduled at once, and run in the background", async () => {
    const { call, jobs } = appOf(openTestMemory({ disk: "folder" }).memory);
    await call("thread.create", { thread_id: "a" });
    for (const content of ["one", "two", "three"]) await call("thread.append", { thread_id: "a", ...by, content });
    const auto = await call("compaction.auto", { thread_id: "a", stride_messages: 2, ...by });
    expect(auto).toMatchObject({ status: 200, body: { result: { status: "spawned", result: [], error: null } } });
    await jobs.ended();
    const status = await call("compaction.status", { thread_id: "a", stride_messages: 2 });
    expect(status).toMatchObject({ body: { result: { last_job_outcome: { status: "completed" } } } });
    await call("thread.append", { thread_id: "a", ...by, content: "four" });
    const scheduled = await call("compaction.auto.schedule", { all: true, stride_messages: 2, ...by });
    expect(scheduled).toMatchObject({ body: { result: { threads: [{ decision: "scheduled", result: [] }] } } });
    await jobs.ended();
    const cuts = await call("compaction.cut_points", { thread_id: "a", stride_messages: 2, limit: 9 });
    expect(cuts).toMatchObject({
      body: { result: { cut_points: [{ already_checkpointed: true }, { already_checkpointed: true }] } },
    });
    expect(await call("thread.verify")).toMatchObject({ body: { outcome: "done" } });
  });

  test("end as cancelled when the server stops", async () => {
    const { memory } = openTestMemory({ disk: "folder" });
    const held: ((signal: AbortSignal) => Promise<unknown>)[] = [];
    const { call } = appOf(memory, { jobs: { spawn: (job) => void held.push(job), ended: async () => undefined } });
    await call("thread.create", { thread_id: "a" });
    for (const content of ["one", "two"]) await call("thread.append", { thread_id: "a", ...by, content });
    await call("compaction.auto", { thread_id: "a", stride_messages: 2, ...by });
    await expect(held[0]?.(AbortSignal.abort())).rejects.toThrow();
    const status = await call("compaction.status", { thread_id: "a", stride_messages: 2 });
    expect(status).toMatchObject({ body: { result: { inflight_job_id: null } } });
    expect(JSON.stringify(status)).toContain('"status":"cancelled"');
  });
});
