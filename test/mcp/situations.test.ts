import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { folderWith, startRaw, textOf, type Answer, type RawServer } from "./raw.ts";
import { bin, logs } from "./served.ts";

const open: { readonly server: RawServer; readonly dir: string }[] = [];
afterEach(async () => {
  for (const { server, dir } of open.splice(0)) {
    server.signal("SIGKILL");
    await server.ended;
    rmSync(dir, { recursive: true, force: true });
  }
});

async function started(dir: string, args: readonly string[] = []): Promise<RawServer> {
  const server = await startRaw(dir, { args });
  open.push({ server, dir });
  return server;
}

function codeOf({ result }: Answer): unknown {
  const meta = result?.["_meta"] as Readonly<Record<string, { readonly code?: string }>> | undefined;
  return meta?.["heartwood/error"]?.code;
}

describe("a memory that appears and disappears while the server runs", () => {
  test("is used once it exists, read as it is, and created again by logging", async () => {
    const dir = folderWith({});
    const server = await started(dir);
    for (const name of ["memory_status", "memory_recall", "memory_log"]) {
      const input = { memory_recall: { text: "zebra" }, memory_log: { topic: "A", body: "b" } }[name] ?? {};
      expect(codeOf(await server.call(name, input)), name).toBe("no_memory");
    }
    expect(readdirSync(dir)).toEqual([]);
    const env = { PATH: process.env["PATH"], HOME: dir, TZ: "UTC" };
    expect(spawnSync(process.execPath, [bin, "init", "--dir", dir], { env }).status).toBe(0);
    expect(textOf(await server.call("memory_log", { topic: "A", body: "- a zebra" }))).toMatch(/^Added: /u);
    expect(textOf(await server.call("memory_search", { query: "zebra" }))).toContain("«zebra»");

    rmSync(join(dir, "memory"), { recursive: true });
    expect(textOf(await server.call("memory_search", { query: "zebra" }))).toBe("Nothing found.");
    expect(textOf(await server.call("memory_log", { topic: "B", body: "- an okapi" }))).toMatch(/^Added: /u);
    expect(textOf(await server.call("memory_search", { query: "okapi" }))).toContain("«okapi»");

    rmSync(join(dir, ".heartwood"), { recursive: true });
    expect(textOf(await server.call("memory_log", { topic: "C", body: "- a tapir" }))).toMatch(/^Added: /u);
    const found = await server.call("memory_search", { query: "tapir OR okapi" });
    expect(found.result?.["isError"] ?? false, textOf(found)).toBe(false);

    rmSync(dir, { recursive: true });
    expect((await server.call("memory_log", { topic: "D", body: "x" })).result?.["isError"]).toBe(true);
    expect(existsSync(dir)).toBe(false);
    expect(server.errors()).toBe("");
  });

  test("is the new folder if another one takes its place", async () => {
    const dir = folderWith(logs);
    const server = await started(dir);
    expect(textOf(await server.call("memory_search", { query: "payments" }))).toContain("memory/2026-03-02.md");
    renameSync(dir, `${dir}-old`);
    renameSync(folderWith({ "memory/2026-03-02.md": "# 2026-03-02\n\n## Other\n- a walrus\n" }), dir);
    expect(textOf(await server.call("memory_search", { query: "walrus" }))).toContain("«walrus»");
    expect(textOf(await server.call("memory_search", { query: "payments" }))).toBe("Nothing found.");
    rmSync(`${dir}-old`, { recursive: true });
  });
});

describe("two servers for one memory", () => {
  test("lose nothing when both log and compact, and find what the other logged", async () => {
    const dir = folderWith(logs);
    const servers = [await started(dir, ["--tools", "all"]), await started(dir, ["--tools", "all"])];
    const all = await Promise.all(
      servers.flatMap((server, number) =>
        Array.from({ length: 20 }, (_, entry) =>
          entry === 10
            ? server.call("tree_compact", { dry_run: false })
            : server.call("memory_log", {
                topic: `T${number}-${entry}`,
                body: `- said by ${number}`,
                id: `e-${number}-${entry}`,
              }),
        ),
      ),
    );
    expect(all.filter(({ result }) => result?.["isError"] === true).map(textOf)).toEqual([]);
    const [, path = ""] = /^Added: (\S+?):/u.exec(textOf(all[0] ?? {})) ?? [];
    const log = readFileSync(join(dir, path), "utf8");
    const ids = [...log.matchAll(/<!-- hw id=(\S+) /gu)].map(([, id]) => id);
    expect(ids.length).toBe(38);
    expect(new Set(ids).size).toBe(38);
    const found = await servers[0]?.call("memory_search", { query: '"said by 1"', level: "raw", limit: 100 });
    expect(textOf(found ?? {}).split("\n")).toHaveLength(19);
  });
});

describe("input from a client", () => {
  const key = `ghp_${"a1B2c3D4e5F6g7H8i9J0".padEnd(36, "k9")}`;

  test("has its secrets redacted in the log and in every result", async () => {
    const dir = folderWith(logs);
    const server = await started(dir, ["--tools", "all"]);
    const answers = [
      await server.call("memory_log", { topic: `Key ${key}`, body: `- the key is ${key}` }),
      await server.call("memory_log", { topic: "T", body: "x", type: key }),
      await server.call("memory_log", { topic: "T", [key]: "x" }),
      await server.call("memory_search", { query: key }),
      await server.call("memory_search", { query: "x", type: key }),
      await server.call("memory_recall", { text: `What was ${key}?` }),
      await server.call("memory_read", { place: key }),
      await server.call("memory_read", { place: `memory/${key}.md` }),
      await server.call("memory_trace", { text: key }),
      await server.call("memory_summaries", { action: "submit", job: key, answer: key }),
      await server.call("thread_get", { thread_id: key }),
      await server.ask("resources/read", { uri: `heartwood://node/${key}` }),
      await server.ask("resources/read", { uri: `heartwood://log/${key}` }),
    ];
    expect(JSON.stringify(answers)).not.toContain(key.slice(4));
    expect(textOf(answers[0] ?? {})).toContain("Warning: memory/");
    expect(textOf(answers[0] ?? {})).toContain("a secret (github-token) was replaced");
    const files = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(files.length).toBeGreaterThan(3);
    for (const file of files)
      expect(readFileSync(join(file.parentPath, file.name)).includes(key.slice(4)), file.name).toBe(false);
    expect(server.errors()).toBe("");
  });

  test("opens nothing outside the memory, by any spelling or link", async () => {
    const outside = join(tmpdir(), `heartwood-outside-${process.pid}.md`);
    writeFileSync(outside, "# 1\n\n## Outside\n- quagga\n");
    const dir = folderWith(logs);
    symlinkSync(outside, join(dir, "memory/2026-03-11.md"));
    symlinkSync(tmpdir(), join(dir, "memory/elsewhere"));
    const server = await started(dir, ["--tools", "all"]);
    const places = [
      outside,
      `../${outside}`,
      `memory/../../../../..${outside}`,
      `file://${outside}`,
      "memory/2026-03-11.md",
      "memory/2026-03-11.md:1-3",
      "2026-03-11",
      `memory/elsewhere/heartwood-outside-${process.pid}.md`,
      "%2e%2e/%2e%2e/etc/passwd",
      "memory\\..\\..\\etc\\passwd",
      "memory/2026-03-02.md\u0000/../../x",
      "thread:../../x:1",
    ];
    for (const place of places) {
      const answer = await server.call("memory_read", { place });
      expect(codeOf(answer), `${place}: ${textOf(answer)}`).toMatch(/^(?:not_found|link_outside|invalid_\w+)$/u);
    }
    await server.call("tree_compact", { dry_run: false });
    expect(textOf(await server.call("memory_search", { query: "quagga" }))).not.toContain("«quagga»");
    const uris = ["heartwood://log/2026-03-11", "heartwood://log/..%2f..%2fx", "heartwood://node/2026-03-11"];
    for (const uri of uris) {
      const { error } = await server.ask("resources/read", { uri });
      expect(error?.code, uri).toBe(-32_602);
    }
    expect(JSON.stringify(server.said)).not.toMatch(/- quagga|root:x:/u);
    rmSync(outside);
  });
});

describe("a slow call", () => {
  test("reports increasing progress, but only if the client requested it", async () => {
    const dir = folderWith(logs);
    const server = await started(dir, ["--tools", "all"]);
    await server.call("tree_compact", {}, { progressToken: "dry" });
    await server.call("tree_compact", { dry_run: false }, { progressToken: "run" });
    const told = server.said.filter(({ method }) => method === "notifications/progress").map(({ params }) => params);
    const run = told
      .filter((params) => params?.["progressToken"] === "run")
      .map((params) => Number(params?.["progress"]));
    expect(run.length).toBeGreaterThan(1);
    expect(run).toEqual(run.toSorted((a, b) => a - b));
    expect(new Set(run).size).toBe(run.length);
    const before = told.length;
    await server.call("memory_log", { topic: "T", body: "x" });
    await server.call("tree_compact", { dry_run: false });
    expect(server.said.filter(({ method }) => method === "notifications/progress").length).toBe(before);
  });

  test("can be cancelled and is then not answered; a cancelled call queued after it never starts", async () => {
    const long = Array.from({ length: 1_500 }, (_, entry) => `## T${entry} [project]\n- decision: words ${entry}\n`);
    const days = Object.fromEntries(
      Array.from({ length: 14 }, (_, day) => [`memory/2026-02-${day + 10}.md`, `# Day\n\n${long.join("\n")}`]),
    );
    const dir = folderWith(days);
    const server = await started(dir, ["--tools", "all"]);
    void server.call("tree_compact", { dry_run: false });
    const first = server.lastId();
    void server.call("memory_log", { topic: "Never", body: "- never written", date: "2026-03-01" });
    const second = server.lastId();
    for (const requestId of [second, first]) server.send({ method: "notifications/cancelled", params: { requestId } });
    const status = await server.call("memory_status");
    expect(status.result?.["isError"] ?? false).toBe(false);
    expect(server.said.filter(({ id }) => id === first || id === second)).toEqual([]);
    expect(existsSync(join(dir, "memory/2026-03-01.md"))).toBe(false);
    expect(existsSync(join(dir, "memory/ROOT.md"))).toBe(false);
  });
});

describe("a memory that the user has not trusted", () => {
  test("is neither read nor written, and every answer says how to trust it", async () => {
    const dir = folderWith({ ...logs, "heartwood.config.json": "{}\n" });
    const server = await startRaw(dir, { args: ["--tools", "all"], trust: "none" });
    open.push({ server, dir });
    const { result } = await server.ask("tools/list");
    const tools = result?.["tools"] as readonly { readonly name: string; readonly inputSchema: Schema }[];
    expect(tools.length).toBeGreaterThan(30);
    for (const { name, inputSchema } of tools) {
      const answer = await server.call(name, leastInput(inputSchema));
      expect(codeOf(answer), name).toMatch(/^(?:untrusted|usage|invalid_\w+)$/u);
      expect(JSON.stringify(answer)).not.toMatch(/Payments|token bucket/u);
    }
    for (const name of ["memory_status", "memory_recall", "memory_log"]) {
      const input = { memory_recall: { text: "zebra" }, memory_log: { topic: "A", body: "b" } }[name] ?? {};
      const answer = await server.call(name, input);
      expect(codeOf(answer), name).toBe("untrusted");
      expect(textOf(answer)).toMatch(/^[^\n]*heartwood trust[^\n]*$/u);
    }
    const resource = await server.ask("resources/read", { uri: "heartwood://log/2026-03-02" });
    expect(resource.error?.data).toMatchObject({ code: "untrusted" });
    expect(readdirSync(dir).toSorted()).toEqual(["heartwood.config.json", "memory"]);

    const env = { PATH: process.env["PATH"], HOME: dir, TZ: "UTC" };
    expect(spawnSync(process.execPath, [bin, "trust", dir], { env }).status).toBe(0);
    expect(textOf(await server.call("memory_search", { query: "bucket" }))).toContain("«bucket»");
    expect(spawnSync(process.execPath, [bin, "trust", "--remove", dir], { env }).status).toBe(0);
    expect(codeOf(await server.call("memory_search", { query: "bucket" }))).toBe("untrusted");
  });
});

interface Schema {
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, { readonly type?: string; readonly enum?: readonly string[] }>>;
}

/** The required inputs, each with any valid value. */
function leastInput({ required = [], properties = {} }: Schema): object {
  const valueOf = (name: string): unknown => {
    const { type, enum: values } = properties[name] ?? {};
    return values?.[0] ?? (type === "integer" ? 1 : type === "boolean" ? true : "x");
  };
  return Object.fromEntries(required.map((name) => [name, valueOf(name)]));
}
