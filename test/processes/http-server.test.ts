import { build } from "esbuild";
import { generate, HttpClient } from "openapi-typescript-codegen";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, describe, expect, test } from "vitest";
import { openDesk } from "../fixtures/built-program.ts";
import { readEvents, startHttp, type HttpProcess } from "../fixtures/http-process.ts";

const log = "# 2026-03-23\n\n## Limits [project]\n- decision: a token bucket limits payments\n";
const open: HttpProcess[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.stop();
});

async function start(args: readonly string[] = []): Promise<HttpProcess> {
  const server = await startHttp({ "memory/2026-03-23.md": log }, args);
  open.push(server);
  return server;
}

describe("the process of heartwood serve", () => {
  test("serves the page, and operations to who has its token", async () => {
    const server = await start();
    expect(server.token).toMatch(/^[A-Za-z0-9_-]{43}$/u);
    expect((await server.fetch("/")).status).toBe(200);
    expect(await (await server.call("tree.compact")).json()).toMatchObject({ outcome: "done" });
    expect(await (await server.call("memory.search", { query: "bucket" })).json()).toMatchObject({ outcome: "done" });
    const refused = await server.fetch("/v1/tree.list", { method: "POST", headers: { authorization: "Bearer x" } });
    expect(refused.status).toBe(401);
  });

  test.each([
    ["audit.run", { dry_run: true }, ["audit", "--dry-run"]],
    ["memory.diff", { from: "2026-03-22", to: "2026-03-23" }, ["diff", "2026-03-22", "2026-03-23"]],
    ["memory.inbox", {}, ["inbox"]],
    ["memory.forget", { text: "bucket", dry_run: true }, ["forget", "bucket", "--dry-run"]],
    ["tree.root", { dropped: true }, ["root", "--dropped"]],
    ["topic.show", { name: "Limits" }, ["topic", "show", "Limits"]],
    ["tree.show", { as_of: "2026-03-23" }, ["show", "--as-of", "2026-03-23"]],
    ["tree.verify", {}, ["verify"]],
    ["thread.verify", {}, ["thread", "verify"]],
  ] as const)(
    "answers %s, which may take long, in a thread of its own as the command does",
    async (name, input, words) => {
      const server = await start();
      await server.desk.run(["trust"]);
      await server.call("tree.compact");
      // More at once than run beside each other.
      const answers = await Promise.all(
        Array.from({ length: 20 }, async () => (await server.call(name, input)).json()),
      );
      const said = await server.desk.json<object>(words);
      const withoutTime = (value: unknown): string => JSON.stringify(value).replaceAll(/"duration_ms":\d+/gu, "");
      for (const answer of answers)
        expect(withoutTime((answer as { readonly result: unknown }).result)).toBe(withoutTime(said));
      const refused = await server.call(name, { nothing: 1 });
      expect({ status: refused.status, body: await refused.json() }).toMatchObject({
        status: 400,
        body: { error: { code: "usage" } },
      });
    },
  );

  test.each([
    ["is not trusted", {}, /^heartwood: this folder is not trusted, so .* until you run `heartwood trust` in it\.\n$/u],
    [
      "was copied with its state",
      { ".heartwood/made-for.json": `{"made_for":"${"0".repeat(64)}"}\n` },
      /^heartwood: nothing is kept between calls, so each takes longer: .* run `heartwood trust` in .*\.\n$/u,
    ],
  ])("says in one sentence what does not work in a folder that %s", async (_, more, sentence) => {
    const server = await startHttp({ "memory/2026-03-23.md": log, ...more });
    open.push(server);
    expect((await server.call("memory.status")).status).toBe(200);
    server.child.kill("SIGTERM");
    expect((await server.ended).err).toMatch(sentence);
  });

  test.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)(
    "ends on %s with status %i, also with open streams and a job in the background",
    async (signal, status) => {
      const server = await start(["--trust"]);
      const by = { actor_id: "user", origin: "test" };
      await server.call("thread.create", { thread_id: "a" });
      const content = Array.from({ length: 3_000 }, (_, at) =>
        JSON.stringify({ content: `message ${at}`, ...by }),
      ).join("\n");
      await server.call("thread.append", { thread_id: "a", batch: true, content });
      const held = readEvents(server, "/v1/changes", { enough: () => false });
      const auto = await server.call("compaction.auto", {
        thread_id: "a",
        stride_messages: 100,
        max_new_checkpoints: 30,
        ...by,
      });
      expect(await auto.json()).toMatchObject({ result: { status: "spawned" } });
      server.child.kill(signal);
      expect(await server.ended).toMatchObject({ status, err: "" });
      await held;
      const verified = await server.desk.json<{ ok: boolean }>(["thread", "verify"]);
      expect(verified.ok).toBe(true);
    },
  );

  test("takes the next port if its usual one is taken, and fails if the one that was asked for is", async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const { port } = other.address() as AddressInfo;
    const desk = openDesk("2026-03-24", { "memory/2026-03-23.md": log });
    const ended = await desk.run(["serve", "--port", String(port)]);
    expect(ended).toMatchObject({ status: 3, out: "" });
    expect(ended.err).toContain(`Could not listen on port ${port} of 127.0.0.1: another program uses it`);
    desk.remove();
    other.close();
  });

  test.each([
    [["serve", "--host", "0.0.0.0"], 2, "set HEARTWOOD_TOKEN"],
    [["serve", "--json"], 2, "omit --json"],
    [["serve", "--dir", "/nowhere"], 2, "/nowhere"],
    [["serve", "--help"], 0, ""],
  ])("%j ends with status %i", async (words, status, sentence) => {
    const desk = openDesk("2026-03-24", { "memory/2026-03-23.md": log });
    const ended = await desk.run(words);
    expect(ended.status).toBe(status);
    expect(`${ended.err}${ended.out}`).toContain(sentence);
    desk.remove();
  });

  test("with --open gives the browser a file that only the user can read, and no token among its arguments", async () => {
    const folder = mkdtempSync(join(tmpdir(), "heartwood-opener-"));
    writeFileSync(
      join(folder, process.platform === "darwin" ? "open" : "xdg-open"),
      `#!/bin/sh\nprintf '%s' "$1" > ${folder}/said.part && mv ${folder}/said.part ${folder}/said\n`,
      { mode: 0o755 },
    );
    const before = process.env["PATH"];
    process.env["PATH"] = `${folder}:${before}`;
    try {
      const server = await start(["--open"]);
      await expect.poll(() => readOrNothing(join(folder, "said")), { timeout: 600_000 }).toMatch(/^file:/u);
      const address = readOrNothing(join(folder, "said"));
      expect(address).not.toContain(server.token);
      const path = new URL(address).pathname;
      expect(statSync(path).mode & 0o777).toBe(0o600);
      expect(readFileSync(path, "utf8")).toContain(`#token=${server.token}`);
      server.child.kill("SIGTERM");
      await server.ended;
      expect(readOrNothing(path)).toBe("");
    } finally {
      process.env["PATH"] = before;
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

function readOrNothing(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

describe("a client generated from the description", () => {
  test("calls a running server", async () => {
    const server = await start();
    const input = (await (await server.fetch("/v1/openapi.json")).json()) as Record<string, unknown>;
    const folder = mkdtempSync(join(tmpdir(), "heartwood-client-"));
    await generate({ input, output: join(folder, "client"), httpClient: HttpClient.FETCH });
    const outfile = join(folder, "client.mjs");
    await build({
      entryPoints: [join(folder, "client", "index.ts")],
      bundle: true,
      format: "esm",
      outfile,
      logLevel: "silent",
    });
    const client = (await import(pathToFileURL(outfile).href)) as {
      readonly OpenAPI: { BASE: string; TOKEN: string };
      readonly ApiError: new () => Error;
    } & Readonly<
      Record<
        "TreeService" | "LogService" | "ThreadService" | "MemoryService",
        Readonly<Record<string, (input?: object) => Promise<unknown>>>
      >
    >;
    client.OpenAPI.BASE = `http://127.0.0.1:${server.port}`;
    client.OpenAPI.TOKEN = server.token;
    expect(await client.TreeService["treeCompact"]?.({})).toMatchObject({ outcome: "done" });
    expect(await client.LogService["logAdd"]?.({ topic: "Retries", body: "- three times" })).toMatchObject({
      outcome: "done",
    });
    expect(await client.MemoryService["memorySearch"]?.({ query: "bucket" })).toMatchObject({ outcome: "done" });
    expect(await client.ThreadService["threadCreate"]?.({ thread_id: "a" })).toMatchObject({
      result: { thread_id: "a" },
    });
    await expect(client.ThreadService["threadGet"]?.({ thread_id: "none" })).rejects.toMatchObject({
      status: 404,
      body: { error: { code: "thread_not_found" } },
    });
    client.OpenAPI.TOKEN = "x";
    await expect(client.TreeService["treeList"]?.({})).rejects.toMatchObject({ status: 401 });
    rmSync(folder, { recursive: true, force: true });
  });
});
