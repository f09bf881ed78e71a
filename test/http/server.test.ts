import { Client } from "@modelcontextprotocol/client";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { sendRaw, serveMemory, token, type ServedInTest } from "../fixtures/http-server.ts";
import { createSharedTurns } from "../../src/surfaces/http/turns.ts";
import { openTestMemory } from "../fixtures/memory.ts";
import { eras } from "../mcp/served.ts";

const by = { actor_id: "user", origin: "test" };
const log = "## Limits [project]\n- decision: a token bucket\n";
const open = new Set<ServedInTest>();
afterEach(async () => {
  for (const server of open) await server.close();
  open.clear();
});

async function serving(memory = openTestMemory({ disk: "folder" }).memory): Promise<ServedInTest> {
  const server = await serveMemory(memory);
  open.add(server);
  return server;
}

/** A connection that has sent a request for events and goes on reading nothing. */
async function hold(
  server: ServedInTest,
  target: string,
): Promise<{ readonly socket: Socket; readonly status: number }> {
  const socket = connect(server.port, "127.0.0.1");
  const head = [`GET ${target} HTTP/1.1`, `Host: 127.0.0.1:${server.port}`, `Authorization: Bearer ${token}`, "", ""];
  socket.write(head.join("\r\n"));
  const first = await new Promise<Buffer>((resolve, reject) => socket.once("data", resolve).once("error", reject));
  socket.pause();
  return { socket, status: Number(first.toString("latin1").split(" ")[1]) };
}

describe("the server", () => {
  test("answers HEAD where it answers GET, without a body", async () => {
    const server = await serving();
    await server.call("thread.create", { thread_id: "a" });
    for (const path of ["/", "/v1/openapi.json", "/v1/changes", "/v1/thread.events?thread_id=a"]) {
      const response = await server.fetch(path, { method: "HEAD" });
      expect([path, response.status, await response.text()]).toEqual([path, 200, ""]);
    }
  });

  test("writes in the order of the requests, one at a time, and every one of them", async () => {
    const server = await serving();
    await server.call("thread.create", { thread_id: "a" });
    const appended = Array.from({ length: 60 }, (_, at) =>
      server.call("thread.append", { thread_id: "a", ...by, content: `m${at}` }),
    );
    const logged = Array.from({ length: 10 }, (_, at) => server.call("log.add", { topic: `T${at}`, body: "- x" }));
    const read = Array.from({ length: 30 }, () => server.call("memory.status"));
    const statuses = await Promise.all([...appended, ...logged, ...read].map(async (one) => (await one).status));
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(await (await server.call("thread.get", { thread_id: "a" })).json()).toMatchObject({
      result: { message_count: 60 },
    });
  });

  test("does not begin a write whose client is gone", async () => {
    const { memory } = openTestMemory({ disk: "folder" });
    const turns = createSharedTurns();
    const server = await serveMemory(memory, { turns });
    open.add(server);
    await server.call("thread.create", { thread_id: "a" });
    let release = (): void => {};
    const before = turns.write(() => new Promise<void>((resolve) => (release = resolve)));
    const body = JSON.stringify({ thread_id: "a", ...by, content: "one" });
    const lines = [
      "POST /v1/thread.append HTTP/1.1",
      `Host: 127.0.0.1:${server.port}`,
      `Authorization: Bearer ${token}`,
      "Content-Type: application/json",
      `Content-Length: ${body.length}`,
    ];
    const socket = connect(server.port, "127.0.0.1", () => socket.write([...lines, "", body].join("\r\n")));
    await new Promise((resolve) => socket.once("connect", resolve));
    // Each answer shows that the server has handled what came before.
    for (let at = 0; at < 5; at++) await server.call("thread.list");
    socket.resetAndDestroy();
    for (let at = 0; at < 5; at++) await server.call("thread.list");
    release();
    await before;
    await server.call("thread.append", { thread_id: "a", ...by, content: "two" });
    const thread = await (await server.call("thread.get", { thread_id: "a" })).json();
    expect(thread).toMatchObject({ result: { message_count: 1 } });
  });

  test("keeps at most 64 streams open, and takes another when one ends", async () => {
    const server = await serving();
    const held = await Promise.all(Array.from({ length: 64 }, () => hold(server, "/v1/changes")));
    expect(held.map(({ status }) => status)).toEqual(held.map(() => 200));
    const refused = await server.fetch("/v1/changes");
    expect(refused.status).toBe(503);
    expect(await refused.json()).toMatchObject({ error: { code: "busy" } });
    held[0]?.socket.destroy();
    await expect
      .poll(async () => {
        const again = await hold(server, "/v1/changes");
        again.socket.destroy();
        return again.status;
      })
      .toBe(200);
    for (const { socket } of held) socket.destroy();
  });

  test("stops a followed thread when its reader goes", async () => {
    const { memory } = openTestMemory({ disk: "folder" });
    let reads = 0;
    const threads = { ...memory.threads, frames: (query: never) => ((reads += 1), memory.threads.frames(query)) };
    const server = await serving({ ...memory, threads });
    await server.call("thread.create", { thread_id: "a" });
    const { socket } = await hold(server, "/v1/thread.events?thread_id=a");
    await expect.poll(() => reads).toBeGreaterThan(2);
    socket.destroy();
    await expect
      .poll(async () => {
        const before = reads;
        await new Promise((resolve) => setTimeout(resolve, 150));
        return reads - before;
      })
      .toBe(0);
  });

  test("ends open streams when it closes", async () => {
    const server = await serveMemory(openTestMemory({ disk: "folder" }).memory);
    const { socket } = await hold(server, "/v1/changes");
    const ended = new Promise<void>((resolve) => socket.once("close", () => resolve()));
    socket.resume();
    await server.close();
    await ended;
  });

  test.each(["x", "-1", "1.5", "9".repeat(20)])("refuses the Last-Event-ID %s", async (id) => {
    const server = await serving();
    const response = await server.fetch("/v1/thread.events?thread_id=a", { headers: { "last-event-id": id } });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: "invalid_number" } });
  });

  test("asks for a body only if the head is accepted", async () => {
    const server = await serving();
    const lines = (more: readonly string[]) =>
      ["POST /v1/thread.list HTTP/1.1", `Host: 127.0.0.1:${server.port}`, "Connection: close", ...more, "", ""].join(
        "\r\n",
      );
    const body = ["Content-Type: application/json", "Content-Length: 2", "Expect: 100-continue"];
    const refused = await sendRaw(server.port, lines(body));
    expect(refused.status).toBe(401);
    const accepted = await sendRaw(server.port, `${lines([...body, `Authorization: Bearer ${token}`])}{}`);
    expect(accepted.status).toBe(100);
    expect(accepted.body).toContain("HTTP/1.1 200 OK");
  });
});

describe("a request that expects something else than to continue", () => {
  const right = (port: number) => `127.0.0.1:${port}`;
  test.each([
    ["another host", () => "evil.example", [], 421],
    ["another origin", right, ["Origin: http://evil.example"], 403],
    ["no token", right, [], 401],
    ["the token", right, [`Authorization: Bearer ${token}`], 200],
  ])("is checked like any other: with %s", async (_, host, more, status) => {
    const { port } = await serving();
    const lines = ["POST /v1/thread.list HTTP/1.1", `Host: ${host(port)}`, "Expect: x", "Connection: close", ...more];
    const answer = await sendRaw(port, [...lines, "", ""].join("\r\n"));
    expect([answer.status, answer.headers.get("x-content-type-options")]).toEqual([status, "nosniff"]);
  });
});

describe("MCP over HTTP", () => {
  const connected = async (server: ServedInTest, mode: (typeof eras)[number][1]): Promise<Client> => {
    const client = new Client({ name: "heartwood-test", version: "1.0.0" }, { versionNegotiation: { mode } });
    const requestInit = { headers: { authorization: `Bearer ${token}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${server.origin}/mcp`), { requestInit }));
    return client;
  };

  test.each(eras)("serves the tools and resources to the official client, in %s", async (_, mode) => {
    const server = await serving(openTestMemory({ disk: "folder", files: { "memory/2026-03-14.md": log } }).memory);
    const client = await connected(server, mode);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain("memory_recall");
    const compacted = await client.callTool({ name: "tree_compact", arguments: { dry_run: false } });
    expect(compacted.isError).not.toBe(true);
    const found = await client.callTool({ name: "memory_recall", arguments: { text: "Which limit did we choose?" } });
    expect(JSON.stringify(found)).toContain("token bucket");
    const { contents } = await client.readResource({ uri: "heartwood://root" });
    expect(JSON.stringify(contents)).toContain("Limits");
    const refused = await client.callTool({ name: "memory_read", arguments: { place: "/etc/passwd" } });
    expect(refused.isError).toBe(true);
    await client.close();
  });

  test("needs trust, while the operations do not", async () => {
    const { memory } = openTestMemory({ disk: "folder", files: { "memory/2026-03-14.md": log } });
    const trust = { id: "t", state: () => "untrusted" as const, grant: async () => undefined };
    const server = await serving({ ...memory, trust });
    const client = await connected(server, "legacy");
    const status = await client.callTool({ name: "memory_status", arguments: {} });
    expect(JSON.stringify(status)).toContain("has not trusted the memory");
    expect((await server.call("memory.status")).status).toBe(200);
    await client.close();
  });

  test("answers what is not the protocol with a short, visible error", async () => {
    const server = await serving();
    const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
    for (const body of ['{"a":"\\u202e\\u0007"}', "[]", "7", '{"jsonrpc":"2.0","id":1,"method":"\\u202e"}', "", "{"]) {
      const response = await server.fetch("/mcp", { method: "POST", body, headers });
      const text = await response.text();
      expect(response.status).toBeLessThan(500);
      expect(text.length).toBeLessThan(1_000);
      expect(text).not.toMatch(/[\u202e\u0007]/u);
    }
  });

  test("repeats no secret and no hidden character in an error of the protocol", async () => {
    const server = await serving();
    const uri = "ghp_abcdefghijklmnopqrstuvwxyz0123456789\u202e";
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "resources/read", params: { uri } });
    const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
    const text = await (await server.fetch("/mcp", { method: "POST", body, headers })).text();
    expect(text).toContain("[REDACTED:github-token]");
    expect(text).not.toMatch(/ghp_|\u202e/u);
  });
});
