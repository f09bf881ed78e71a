import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterEach, describe, expect, test } from "vitest";
import { eras, logs, serve, type Served } from "./served.ts";

/** The built server as a process, with the official client, in both protocol eras. */
const open: Served[] = [];
afterEach(async () => {
  for (const served of open.splice(0)) await served.end();
});

const four = ["memory_recall", "memory_search", "memory_read", "memory_log"];

/** Calls of the listed tools, and what their texts contain. */
const calls: readonly (readonly [name: string, input: Readonly<Record<string, unknown>>, says: string])[] = [
  ["memory_recall", { text: "Which limiter did we take for payments?" }, "token bucket"],
  ["memory_recall", { text: "How do we throttle?", also: "limiter, rate, bucket" }, "token bucket"],
  ["memory_search", { query: '"token bucket"' }, "memory/2026-03-02.md"],
  ["memory_read", { place: "memory/2026-03-02.md:3-4" }, "token bucket limits payments"],
  ["memory_log", { topic: "Releases", body: "- decision: ship on Fridays" }, "Added: memory/2026-03-24.md:"],
  [
    "memory_log",
    { topic: "Tabs", type: "feedback", rule: "never use tabs", date: "2026-03-01" },
    "memory/2026-03-01.md:",
  ],
];

/** The same for some tools that are not listed. */
const unlisted: typeof calls = [
  ["memory_status", {}, "heartwood compact"],
  ["memory_compact", {}, '"dry_run":true'],
  ["memory_summaries", { action: "pending" }, "next"],
  ["thread_list", {}, '"threads":[]'],
  ["tree_verify", {}, '"findings":'],
];

describe.each(eras)("in %s", (_era, mode, version) => {
  const served = async (args: readonly string[] = [], files = logs): Promise<Served> => {
    const server = await serve(mode, files, args);
    open.push(server);
    return server;
  };

  test("the server describes itself and when to use it in one line, and lists four tools", async () => {
    const { client } = await served();
    expect(client.getServerVersion()).toMatchObject({ name: "heartwood", title: "Heartwood memory" });
    expect(client.getNegotiatedProtocolVersion()).toBe(version);
    expect(client.getInstructions()).toMatch(/^.*memory_recall.*memory_log.*$/u);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(four);
    expect(tools.filter(({ _meta }) => _meta?.["anthropic/alwaysLoad"] === true).map(({ name }) => name)).toEqual([
      "memory_recall",
      "memory_log",
    ]);
  });

  test("all tools have a title, annotations, and JSON Schema 2020-12 schemas that refuse unknown fields unless fields are unlisted", async () => {
    const { client } = await served(["--tools", "threads,all"]);
    const { tools } = await client.listTools();
    const ajv = new Ajv2020({ strict: true, strictRequired: false });
    expect(tools.length).toBeGreaterThan(30);
    for (const tool of tools) {
      expect(tool.title ?? "", tool.name).not.toBe("");
      const destructiveHint = tool.name === "memory_forget";
      expect(tool.annotations, tool.name).toMatchObject({ destructiveHint, openWorldHint: false });
      expect(tool.inputSchema["additionalProperties"] ?? true, tool.name).toBe(four.includes(tool.name));
      expect(() => ajv.compile(tool.inputSchema as object), tool.name).not.toThrow();
    }
    const names = tools.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(expect.arrayContaining(["tree_compact", "thread_append", "thread_compile"]));
  });

  test("each result is text and only text, so no client shows it twice", async () => {
    const { client, errors } = await served();
    const { tools } = await client.listTools();
    expect(tools.filter(({ outputSchema }) => outputSchema !== undefined)).toEqual([]);
    for (const [name, input, says] of [...calls, ...unlisted]) {
      const result = await client.callTool({ name, arguments: input });
      expect(result.isError ?? false, `${name}: ${JSON.stringify(result.content)}`).toBe(false);
      expect(result.content.map(({ type }) => type)).toEqual(["text"]);
      expect(textOf(result), name).toContain(says);
      expect(result.structuredContent).toBe(undefined);
    }
    expect(errors()).toBe("");
  });

  test("a tool that is not listed answers like a listed one", async () => {
    const [usual, all] = [await served(), await served(["--tools", "all"])];
    const names = (await usual.client.listTools()).tools.map(({ name }) => name);
    for (const [name, input] of unlisted) {
      expect(names).not.toContain(name);
      const [hidden, shown] = [usual, all].map(({ client }) => client.callTool({ name, arguments: input }));
      const texts = [textOf((await hidden) ?? {}), textOf((await shown) ?? {})];
      expect(texts[0]?.replaceAll(usual.dir, ""), name).toBe(texts[1]?.replaceAll(all.dir, ""));
    }
  });

  test("a tool that does not exist is refused with its name", async () => {
    const { client } = await served();
    const refused = await client.callTool({ name: "memory_forgot", arguments: {} }).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: -32_602 });
    expect((refused as Error).message).toContain('There is no tool "memory_forgot"');
  });

  test("an error is a result with a code and one sentence, and the next call works", async () => {
    const { client } = await served();
    const faults: readonly (readonly [string, Readonly<Record<string, unknown>>, string, RegExp])[] = [
      ["memory_search", { query: "x", colour: "red" }, "usage", /memory_search has no field "colour"; it takes query/u],
      ["memory_search", {}, "usage", /query is missing; it is required/u],
      [
        "memory_search",
        { query: "x", limit: 0 },
        "invalid_number",
        /limit is 0; it must be a whole number from 1 to 1000/u,
      ],
      ["memory_read", { place: "../../etc/passwd" }, "not_found", /is not a place in this memory/u],
      ["memory_read", { place: "2026-13-01" }, "invalid_period", /must be a day/u],
      ["memory_log", { topic: "T", type: "secret", body: "x" }, "invalid_type", /it must be one of project/u],
      ["memory_summaries", { action: "submit" }, "usage", /job is missing/u],
    ];
    for (const [name, input, code, sentence] of faults) {
      const result = await client.callTool({ name, arguments: input });
      expect(result.isError, name).toBe(true);
      expect(textOf(result)).toMatch(sentence);
      expect(result._meta).toMatchObject({ "heartwood/error": { code } });
    }
    expect((await client.callTool({ name: "memory_status", arguments: {} })).isError ?? false).toBe(false);
  });

  test("tools that rewrite files do so only on request", async () => {
    const { client, dir } = await served(["--tools", "all"]);
    const dry = await client.callTool({ name: "tree_compact", arguments: {} });
    expect(JSON.parse(textOf(dry))).toMatchObject({ dry_run: true });
    expect(existsSync(join(dir, "memory/ROOT.md"))).toBe(false);
    await client.callTool({ name: "tree_compact", arguments: { dry_run: false } });
    expect(readFileSync(join(dir, "memory/ROOT.md"), "utf8")).toContain("Payments");
    const trace = await client.callTool({ name: "memory_trace", arguments: { text: "measure refused requests" } });
    expect(textOf(trace)).toContain("memory/2026-03-02.md");
  });

  test("reading a day returns its log until it has a node, and then the node with the log's path", async () => {
    const { client } = await served(["--tools", "all"]);
    const read = async (place: string): Promise<string> =>
      textOf(await client.callTool({ name: "memory_read", arguments: { place } }));
    const log = await read("2026-03-02");
    expect(log).toMatch(/^# 2026-03-02\n/u);
    expect(log).toBe(await read("memory/2026-03-02.md"));
    await client.callTool({ name: "tree_compact", arguments: { dry_run: false } });
    const node = await read("2026-03-02");
    expect(node).toMatch(/^---\ntype: daily\n/u);
    expect(node.split("\n").at(-1)).toBe("The whole log of this day: memory/2026-03-02.md");
  });

  test("resources are ROOT.md, nodes and logs", async () => {
    const { client } = await served(["--tools", "all"]);
    await client.callTool({ name: "tree_compact", arguments: { dry_run: false } });
    expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual(["heartwood://root"]);
    expect((await client.listResourceTemplates()).resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      "heartwood://node/{period}",
      "heartwood://log/{date}",
    ]);
    for (const uri of ["heartwood://root", "heartwood://node/2026-03-02", "heartwood://log/2026-03-02"]) {
      const { contents } = await client.readResource({ uri });
      expect(JSON.stringify(contents), uri).toContain("refused requests");
    }
    const faults: readonly (readonly [string, RegExp, string])[] = [
      ["heartwood://log/1999-01-01", /is not a place in this memory/u, "not_found"],
      ["heartwood://log/..%2f..%2fetc%2fpasswd", /is not a place in this memory/u, "not_found"],
      ["heartwood://node/2026-13", /must be a day/u, "invalid_period"],
      ["heartwood://node/1999-01-01", /No daily node for 1999-01-01/u, "not_found"],
    ];
    for (const [uri, sentence, code] of faults) {
      const refused = await client.readResource({ uri }).catch((error: unknown) => error);
      expect(refused, uri).toMatchObject({ code: -32_602, data: { uri, code } });
      expect((refused as Error).message).toMatch(sentence);
    }
    await expect(client.readResource({ uri: "heartwood://log/../../etc/passwd" })).rejects.toThrow(/not found/u);
  });

  test("a folder without a memory is reported, and used once it has one", async () => {
    const { client, dir } = await served([], {});
    const none = await client.callTool({ name: "memory_status", arguments: {} });
    expect(none._meta).toMatchObject({ "heartwood/error": { code: "no_memory" } });
    expect(textOf(none)).toContain("heartwood init");
    expect(existsSync(join(dir, "memory"))).toBe(false);
  });

  test("concurrent calls are all answered, and logged entries are found immediately", async () => {
    const { client } = await served();
    const texts = Array.from({ length: 20 }, (_, index) => `- note ${index}`);
    const all = await Promise.all(
      texts.flatMap((body, index) => [
        client.callTool({ name: "memory_log", arguments: { topic: `Topic ${index}`, body } }),
        client.callTool({ name: "memory_search", arguments: { query: "payments" } }),
      ]),
    );
    expect(all.filter(({ isError }) => isError === true)).toEqual([]);
    const found = await client.callTool({ name: "memory_search", arguments: { query: "note", limit: 100 } });
    expect(textOf(found).split("\n")).toHaveLength(20);
  });
});

function textOf({ content }: { readonly content?: readonly unknown[] }): string {
  return (content ?? []).map((part) => String((part as { readonly text?: string }).text)).join("");
}
