import { rmSync } from "node:fs";
import { afterEach, describe, expect, test } from "vitest";
import { folderWith, startRaw, textOf, type RawServer } from "./raw.ts";
import { logs } from "./served.ts";

/** How the server process ends, and how it handles clients that misbehave. */
const open: { readonly server: RawServer; readonly dir: string }[] = [];
afterEach(async () => {
  for (const { server, dir } of open.splice(0)) {
    server.signal("SIGKILL");
    await server.ended;
    rmSync(dir, { recursive: true, force: true });
  }
});

async function started(
  how: Parameters<typeof startRaw>[1] & { readonly files?: Readonly<Record<string, string>> } = {},
): Promise<RawServer & { readonly dir: string }> {
  const dir = folderWith(how.files ?? logs);
  const server = await startRaw(dir, how);
  open.push({ server, dir });
  return { ...server, dir };
}

/** A month of long days: building its tree takes a while. */
const month: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from({ length: 28 }, (_, day) => {
    const entries = Array.from(
      { length: 200 },
      (_line, entry) => `## Topic ${day}-${entry} [project]\n- decision: words ${entry} of day ${day}\n`,
    );
    return [`memory/2026-02-${String(day + 1).padStart(2, "0")}.md`, `# Day\n\n${entries.join("\n")}`];
  }),
);

describe("the process of the server", () => {
  test("ends when its input ends, whether the memory was opened or not", async () => {
    for (const before of ["nothing", "a call"]) {
      const server = await started();
      if (before === "a call") await server.call("memory_search", { query: "payments" });
      server.hangUp();
      const { code } = await server.ended;
      expect(code).toBe(0);
      expect(server.errors()).toBe("");
    }
  });

  test.each([
    ["SIGTERM", 143],
    ["SIGINT", 130],
  ] as const)("ends on %s with the right status, even during a call", async (name, status) => {
    const idle = await started();
    idle.signal(name);
    expect(await idle.ended).toMatchObject({ code: status });
    const busy = await started({ files: month, args: ["--tools", "all"] });
    void busy.call("tree_compact", { dry_run: false });
    await new Promise((resolve) => setTimeout(resolve, 250));
    busy.signal(name);
    const { code } = await busy.ended;
    expect(code).toBe(status);
    // The next process continues wherever this one stopped.
    const next = await startRaw(busy.dir, { args: ["--tools", "all"] });
    const built = await next.call("tree_compact", { dry_run: false });
    expect(built.result?.["isError"] ?? false, textOf(built)).toBe(false);
    next.hangUp();
    expect((await next.ended).code).toBe(0);
  });

  test("ends when its output is closed", async () => {
    const server = await started();
    server.leave();
    server.send({ id: 7, method: "tools/list", params: {} });
    expect((await server.ended).code).toBe(0);
  });

  test("ends when its input ends, even if the client never reads", async () => {
    const server = await started({ reads: "nothing" });
    server.send(...Array.from({ length: 200 }, (_, id) => ({ id, method: "tools/list", params: {} })));
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    server.hangUp();
    expect((await server.ended).code).toBe(0);
  });

  test("ends on a signal, even if the client never reads", async () => {
    const server = await started({ reads: "nothing" });
    server.send(...Array.from({ length: 2_000 }, (_, id) => ({ id, method: "tools/list", params: {} })));
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    server.signal("SIGTERM");
    const { code } = await server.ended;
    expect(code).toBe(143);
  });

  test("answers a client that reads late", async () => {
    const server = await started();
    const asked = Array.from({ length: 1_000 }, () => server.ask("tools/list"));
    const answers = await Promise.all(asked);
    expect(answers.every(({ result }) => Array.isArray(result?.["tools"]))).toBe(true);
  });
});
