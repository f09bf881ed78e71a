import { spawn, type ChildProcess } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { MemoryError } from "../../src/base/errors.ts";
import type { Clock } from "../../src/platform/clock.ts";
import { describeLocks } from "../fixtures/locks-suite.ts";
import { endingOf } from "../../src/testing/test-functions.ts";
import { nodeSqlite } from "../../src/platform/sqlite.ts";
import { createSqliteLocks } from "../../src/platform/locks.ts";

const clock: Clock = { id: "fixed", zone: "UTC", today: () => "2026-01-02", now: () => Date.UTC(2026, 0, 2, 3, 4, 5) };
const projects: string[] = [];
const children: ChildProcess[] = [];

function newProject(): string {
  const project = fs.mkdtempSync(join(tmpdir(), "hw-locks-"));
  projects.push(project);
  return project;
}

const locksOf = (project: string) =>
  createSqliteLocks({ folder: join(project, ".heartwood"), clock, driver: nodeSqlite });

afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  for (const project of projects.splice(0)) fs.rmSync(project, { recursive: true, force: true });
});

describeLocks(
  {
    name: "sqlite-locks",
    create: async () => {
      const project = newProject();
      return { locks: locksOf(project), other: locksOf(project), close: async () => {} };
    },
  },
  { describe, it, expect },
);

/** Runs a script with `locks` and `project` in scope as a separate process. It prints "ready" when it has a lock. */
function startChild(project: string, script: string): ChildProcess {
  const program = `
    import * as fs from "node:fs";
    import { nodeSqlite } from ${JSON.stringify(new URL("../../src/platform/sqlite.ts", import.meta.url).href)};
    import { createSqliteLocks } from ${JSON.stringify(new URL("../../src/platform/locks.ts", import.meta.url).href)};
    const project = ${JSON.stringify(project)};
    const clock = { id: "fixed", zone: "UTC", today: () => "2026-01-02", now: () => ${clock.now()} };
    const locks = createSqliteLocks({ folder: project + "/.heartwood", clock, driver: nodeSqlite });
    ${script}`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], { stdio: ["ignore", "pipe", "pipe"] });
  children.push(child);
  return child;
}

const holdForEver = `
  await locks.acquire("tree", { holder: "heartwood compact" });
  console.log("ready");
  setInterval(() => {}, 1000);`;

async function startHolder(project: string): Promise<ChildProcess> {
  const child = startChild(project, holdForEver);
  await new Promise((resolve) => child.stdout?.once("data", resolve));
  return child;
}

async function endOf(child: ChildProcess): Promise<{ readonly status: number | null; readonly errors: string }> {
  let errors = "";
  child.stderr?.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  const status = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { status, errors };
}

describe("sqlite-locks between processes", () => {
  it("8 processes never have the lock at once: a counter protected by it is right, without a warning", async () => {
    const project = newProject();
    fs.writeFileSync(join(project, "counter"), "0");
    const script = `
      for (let turn = 0; turn < 25; turn += 1) {
        const lease = await locks.acquire("append", { holder: "counter", waitMs: 50_000 });
        const seen = Number(fs.readFileSync(project + "/counter", "utf8"));
        await new Promise((resolve) => setTimeout(resolve, 1));
        fs.writeFileSync(project + "/counter", String(seen + 1));
        await lease.release();
      }`;
    const ends = await Promise.all(Array.from({ length: 8 }, () => endOf(startChild(project, script))));
    expect(ends).toEqual(Array.from({ length: 8 }, () => ({ status: 0, errors: "" })));
    expect(fs.readFileSync(join(project, "counter"), "utf8")).toBe("200");
    expect(fs.readdirSync(join(project, ".heartwood"))).toEqual(["lock-append.sqlite"]);
  });

  it("without a lock the counter is wrong (negative control)", async () => {
    const project = newProject();
    fs.writeFileSync(join(project, "counter"), "0");
    // Each process writes when all have read, which a lock would prevent.
    const script = `
      const seen = Number(fs.readFileSync(project + "/counter", "utf8"));
      fs.writeFileSync(project + "/ready" + process.pid, "");
      while (!fs.existsSync(project + "/go")) await new Promise((resolve) => setTimeout(resolve, 2));
      fs.writeFileSync(project + "/counter", String(seen + 1));`;
    const ends = Array.from({ length: 4 }, () => endOf(startChild(project, script)));
    const ready = (): number => fs.readdirSync(project).filter((name) => name.startsWith("ready")).length;
    while (ready() < ends.length) await new Promise((resolve) => setTimeout(resolve, 5));
    fs.writeFileSync(join(project, "go"), "");
    await Promise.all(ends);
    expect(fs.readFileSync(join(project, "counter"), "utf8")).toBe("1");
  });

  it("busy names the holder and since when", async () => {
    const project = newProject();
    const holder = await startHolder(project);
    const error: unknown = await locksOf(project)
      .acquire("tree", { holder: "test" })
      .catch((cause: unknown) => cause);
    const since = "2026-01-02T03:04:05.000Z";
    expect(error instanceof MemoryError && error.code).toBe("busy");
    expect(error instanceof MemoryError && error.details).toEqual({
      lock: "tree",
      waited_ms: 0,
      holder: "heartwood compact",
      pid: holder.pid,
      since,
    });
    expect(error instanceof MemoryError && error.message).toContain(
      `heartwood compact (process ${holder.pid}) since ${since}`,
    );
  });

  it("a stopped holder keeps the lock, both while it is stopped and after it continues", async () => {
    const project = newProject();
    const holder = await startHolder(project);
    const ask = (): Promise<string> => endingOf(locksOf(project).acquire("tree", { holder: "test", waitMs: 120 }));
    holder.kill("SIGSTOP");
    expect(await ask()).toBe("busy");
    holder.kill("SIGCONT");
    expect(await ask()).toBe("busy");
  });

  it("a killed holder frees the lock immediately, stopped or not, and is no longer named", async () => {
    const project = newProject();
    for (const before of ["SIGCONT", "SIGSTOP"] as const) {
      const holder = await startHolder(project);
      holder.kill(before);
      holder.kill("SIGKILL");
      await new Promise((resolve) => holder.once("exit", resolve));
      const lease = await locksOf(project).acquire("tree", { holder: "test" });
      expect(fs.readFileSync(join(project, ".heartwood/lock-tree.json"), "utf8")).toContain('"holder":"test"');
      await lease.release();
    }
  });

  it("waits for a holder that ends", async () => {
    const project = newProject();
    const holder = await startHolder(project);
    setTimeout(() => holder.kill("SIGTERM"), 60);
    expect(await endingOf(locksOf(project).acquire("tree", { holder: "test", waitMs: 20_000 }))).toBe("fulfilled");
  });
});

describe("sqlite-locks in a damaged or hostile folder", () => {
  it("a lock file with foreign bytes is moved aside, and the lock works again", async () => {
    const project = newProject();
    fs.mkdirSync(join(project, ".heartwood"));
    fs.writeFileSync(join(project, ".heartwood/lock-tree.sqlite"), "not a database ".repeat(100));
    const lease = await locksOf(project).acquire("tree", { holder: "test" });
    expect(await endingOf(locksOf(project).acquire("tree", { holder: "test" }))).toBe("busy");
    await lease.release();
    const kept = fs.readdirSync(join(project, ".heartwood")).filter((name) => name.includes(".damaged-"));
    expect(kept.length).toBe(1);
    expect(fs.readFileSync(join(project, ".heartwood", kept[0] ?? ""), "utf8")).toContain("not a database");
  });

  it("foreign bytes written while another process has the lock do not break the lock", async () => {
    const project = newProject();
    await startHolder(project);
    fs.writeFileSync(join(project, ".heartwood/lock-tree.sqlite"), "not a database ".repeat(100));
    expect(await endingOf(locksOf(project).acquire("tree", { holder: "test" }))).toBe("busy");
    expect(await endingOf(locksOf(project).acquire("tree", { holder: "test", waitMs: 100 }))).toBe("busy");
  });

  it("a lock file or folder that is a link, a folder or a FIFO is refused", async () => {
    const project = newProject();
    const outside = newProject();
    fs.symlinkSync(outside, join(project, ".heartwood"));
    expect(await endingOf(locksOf(project).acquire("tree", { holder: "test" }))).toBe("link_outside");
    fs.unlinkSync(join(project, ".heartwood"));
    fs.mkdirSync(join(project, ".heartwood/lock-append.sqlite"), { recursive: true });
    fs.symlinkSync(join(outside, "elsewhere"), join(project, ".heartwood/lock-tree.sqlite"));
    expect(await endingOf(locksOf(project).acquire("append", { holder: "test" }))).toBe("not_a_file");
    expect(await endingOf(locksOf(project).acquire("tree", { holder: "test" }))).toBe("link_outside");
    expect(fs.readdirSync(outside)).toEqual([]);
  });

  it("a sidecar with invalid content or a hostile name does no harm", async () => {
    const project = newProject();
    await startHolder(project);
    const sidecar = join(project, ".heartwood/lock-tree.json");
    for (const text of [
      "",
      "{",
      "null",
      '{"holder":1,"pid":-1,"since":0}',
      '{"holder":"x","pid":999999999,"since":"y"}',
    ]) {
      fs.writeFileSync(sidecar, text);
      const error: unknown = await locksOf(project)
        .acquire("tree", { holder: "test" })
        .catch((cause: unknown) => cause);
      expect(error instanceof MemoryError && error.message).toContain("held by another process");
    }
    fs.writeFileSync(sidecar, JSON.stringify({ holder: "\u001b[2Jx\n\u202ey", pid: process.pid, since: "z" }));
    const error: unknown = await locksOf(project)
      .acquire("tree", { holder: "test" })
      .catch((cause: unknown) => cause);
    expect(error instanceof MemoryError && /\p{C}/u.test(error.message)).toBe(false);
  });

  it("a missing project is an io error", async () => {
    expect(await endingOf(locksOf(join(newProject(), "none")).acquire("tree", { holder: "test" }))).toBe("io");
  });
});
