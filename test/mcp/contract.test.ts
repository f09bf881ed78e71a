import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { folderWith, startRaw, textOf, type Answer, type RawServer } from "./raw.ts";

/** The inputs of the tools, their defaults, and their results. */
const section =
  "## Payments\n- a token bucket limits payments\n- bursts must pass at noon\n- refunds wait for a person\n";
const files: Readonly<Record<string, string>> = {
  "heartwood.config.json": "{}\n",
  "MEMORY.md": `# Memory\n\n${section}\n\n\n## Twice\n- the same line again and again\n- the same line again and again\n`,
  "memory/2026-03-02.md": `# 2026-03-02\n\n${section}`,
  "memory/2026-03-03.md": `# 2026-03-03\n\n## Long\n${Array.from({ length: 2_000 }, (_, at) => `- fact ${at} of the day\n`).join("")}`,
  "packages/api/MEMORY.md": "# Other\n\n## Heron\n- the heron stands at the pier\n",
  "packages/api/memory/2026-03-02.md": "# 2026-03-02\n\n## Heron\n- it stood there\n",
  "src/readme.md": "no memory\n",
};

const dir = folderWith(files);
const outside = folderWith({ "MEMORY.md": "# Outside\n- quagga\n", "memory/2026-03-02.md": "# 1\n" });
let server: RawServer;
beforeAll(async () => {
  symlinkSync(outside, join(dir, "link"));
  server = await startRaw(dir, { args: ["--tools", "all", "--today", "2026-03-24"] });
});
afterAll(async () => {
  server.signal("SIGKILL");
  await server.ended;
  for (const folder of [dir, outside]) rmSync(folder, { recursive: true, force: true });
});

function given(answer: Answer): Readonly<Record<string, unknown>> {
  if (answer.result?.["isError"] === true) throw new Error(textOf(answer));
  return JSON.parse(textOf(answer)) as Readonly<Record<string, unknown>>;
}

function codeOf({ result }: Answer): unknown {
  return (result?.["_meta"] as Readonly<Record<string, { readonly code?: string }>>)?.["heartwood/error"]?.code;
}

interface Listed {
  readonly name: string;
  readonly inputSchema: {
    readonly properties: Readonly<Record<string, { readonly default?: unknown; readonly description?: string }>>;
    readonly required: readonly string[];
  };
}

async function listed(): Promise<readonly Listed[]> {
  return ((await server.ask("tools/list")).result?.["tools"] ?? []) as readonly Listed[];
}

const by = { actor_id: "user", origin: "test" };

describe("tools on threads", () => {
  test("make changes by default: dry_run is false unless given", async () => {
    const tools = await listed();
    for (const name of ["thread_compact", "thread_schedule"]) {
      const schema = tools.find((tool) => tool.name === name)?.inputSchema;
      expect(schema?.properties["dry_run"]?.default, name).toBe(false);
      expect(schema?.required, name).toEqual(expect.arrayContaining(["actor_id", "origin"]));
    }
    await server.call("thread_create", { thread_id: "t" });
    const content = Array.from({ length: 8 }, (_, at) => `{"content":"message ${at}"}\n`).join("");
    await server.call("thread_append", { thread_id: "t", batch: true, content, ...by });
    const call = { thread_id: "t", stride_messages: 4, ...by };
    expect(given(await server.call("thread_compact", { ...call, dry_run: true }))).toMatchObject({ status: "noop" });
    expect(given(await server.call("thread_compact", call))).toMatchObject({ status: "completed" });
    const nulls = { dry_run: null, execute: null, block_on_inflight: null, max_new_checkpoints: null, all: null };
    expect(given(await server.call("thread_schedule", { ...call, ...nulls }))).toMatchObject({
      decision: "completed",
      execute: true,
    });
  });
});

describe("null", () => {
  test("for an optional input of any tool is the same as omitting it", async () => {
    for (const { name, inputSchema } of await listed()) {
      const optional = Object.keys(inputSchema.properties).filter((field) => !inputSchema.required.includes(field));
      const nulls = Object.fromEntries(optional.map((field) => [field, null]));
      const wanted = Object.fromEntries(inputSchema.required.map((field) => [field, "x"]));
      const [bare, filled] = [await server.call(name, wanted), await server.call(name, { ...wanted, ...nulls })];
      expect(codeOf(filled), `${name}: ${textOf(filled)}`).toBe(codeOf(bare));
    }
    const query = { query: "heron", type: null, limit: null, level: null, in: null };
    expect(textOf(await server.call("memory_search", query))).toBe("Nothing found.");
    expect(codeOf(await server.call("memory_search", { query: null }))).toBe("usage");
  });
});

describe("memory_compact", () => {
  test("shows what would change: actions with path and lines, findings with lines, and no file changes", async () => {
    const answer = await server.call("memory_compact", { workspace: "auto", aggressive: true, auto: null });
    const result = given(answer);
    expect(result).toMatchObject({ dry_run: true, id: null, rotated: false, rotated_files: [], actions_more: 0 });
    expect(result["actions"]).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ kind: "remove_section", path: "memory/2026-03-02.md", state: "proposed" }),
        expect.objectContaining({ kind: "rotate", path: "memory/2026-03-03.md", lines: [[1, 2_003]] }),
        expect.objectContaining({ kind: "remove_duplicates", path: "MEMORY.md", lines: [[12, 12]], lines_more: 0 }),
      ]),
    );
    expect(result["findings"]).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ code: "redundant_section", path: "memory/2026-03-02.md", line: 3, lines: [3, 6] }),
      ]),
    );
    for (const [path, text] of Object.entries(files)) expect(readFileSync(join(dir, path), "utf8"), path).toBe(text);
  });

  test("changes nothing if auto is false or dry_run is true, whatever the other is", async () => {
    for (const input of [{ auto: false, dry_run: false }, { auto: true }, { auto: true, dry_run: true }])
      expect(given(await server.call("memory_compact", { ...input, aggressive: true }))).toMatchObject({
        dry_run: true,
        id: null,
      });
    for (const [path, text] of Object.entries(files)) expect(readFileSync(join(dir, path), "utf8"), path).toBe(text);
  });

  test("a folder without a memory is refused, and the error names the input", async () => {
    for (const workspace of ["memory", "src"]) {
      const refused = await server.call("memory_compact", { workspace });
      expect(codeOf(refused)).toBe("no_memory");
      expect(textOf(refused)).toMatch(/^workspace is ".*"/u);
      expect(textOf(refused)).not.toContain("--dir");
    }
    const field = (await listed()).find(({ name }) => name === "memory_compact")?.inputSchema.properties["workspace"];
    expect(field?.description).toContain("a folder that the user trusts, or one inside it");
  });

  test("works in a folder inside the memory of the server, and refuses any other", async () => {
    const other = given(await server.call("memory_compact", { workspace: join(dir, "packages/api") }));
    expect((other["sections"] as readonly { readonly heading: string }[]).map(({ heading }) => heading)).toContain(
      "Heron",
    );
    expect(given(await server.call("memory_compact", { workspace: "packages/api" }))).toEqual(other);
    const own = given(await server.call("memory_compact", {}));
    for (const workspace of [dir, ".", "auto", null, `${dir}/packages/..`])
      expect(given(await server.call("memory_compact", { workspace })), String(workspace)).toEqual(own);
    for (const workspace of [outside, "..", "/", tmpdir(), "link", "packages/../..", "nosuch", `${dir}-other`]) {
      const refused = await server.call("memory_compact", { workspace, dry_run: false });
      expect(codeOf(refused), `${workspace}: ${textOf(refused)}`).toBe("invalid_path");
      expect(textOf(refused)).toMatch(/which the user has not trusted; use auto/u);
    }
    expect(codeOf(await server.call("memory_compact", { workspace: "src" }))).toBe("no_memory");
    expect(codeOf(await server.call("memory_compact", { workspace: 7 }))).toBe("usage");
  });

  test("makes the changes if dry_run is false, and reports them", async () => {
    const done = given(await server.call("memory_compact", { dry_run: false, aggressive: true }));
    expect(done).toMatchObject({ dry_run: false, rotated: true, rotated_count: 1 });
    expect(done["rotated_files"]).toEqual(["memory/2026-03-03.md"]);
    expect((done["actions"] as readonly { readonly state: string }[]).every(({ state }) => state === "done")).toBe(
      true,
    );
    expect(given(await server.call("audit_undo", {}))).toMatchObject({ complete: true });
    for (const [path, text] of Object.entries(files)) expect(readFileSync(join(dir, path), "utf8"), path).toBe(text);
  });

  test("returns a bounded result whatever the files contain", async () => {
    const heading = "a long heading ".repeat(200);
    const parts = Array.from(
      { length: 300 },
      (_, at) => `## ${at} ${heading}\n${`- repeated line ${at}\n`.repeat(50)}`,
    );
    mkdirSync(join(dir, "packages/big/memory"), { recursive: true });
    writeFileSync(join(dir, "packages/big/MEMORY.md"), `# Memory\n\n${parts.join("\n")}`);
    for (let day = 10; day < 29; day += 1)
      writeFileSync(join(dir, `packages/big/memory/2026-02-${day}.md`), `# Day\n\n${parts.join("\n")}`);
    const answer = await server.call("memory_compact", { workspace: "packages/big", aggressive: true });
    expect(Number(given(answer)["findings_more"])).toBeGreaterThan(100);
    expect(textOf(answer).length).toBeLessThan(40_000);
  });
});
