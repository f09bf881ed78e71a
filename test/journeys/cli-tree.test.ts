import { spawn, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { operations } from "../../src/operations/table.ts";
import { claudeSession, lines as rowsAsLines, shortSession } from "../fixtures/transcripts/claude-code.ts";

/** The built program on the sample logs, in real processes: from raw logs to a trace. */
const PACKAGE = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const BIN = join(PACKAGE, "dist", "bin.js");
const transcripts = join(PACKAGE, "test/fixtures/transcripts");

let base = "";
let project = "";
beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "heartwood-tree-")));
  project = join(base, "project");
  cpSync(join(PACKAGE, "samples/memory"), join(project, "memory"), { recursive: true });
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

interface Ended {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
}

const ENV = { HOME: "/nowhere", TZ: "UTC", HEARTWOOD_TODAY: "2026-03-23" };

function heartwood(...args: readonly string[]): Ended {
  const options = { cwd: project, env: { PATH: process.env["PATH"], ...ENV }, input: "", encoding: "utf8" } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, ...args], options);
  return { status, out: stdout, err: stderr };
}

function json(...args: readonly string[]): Readonly<Record<string, unknown>> {
  const { status, out, err } = heartwood(...args, "--json");
  expect([status, err]).toEqual([0, ""]);
  return JSON.parse(out) as Readonly<Record<string, unknown>>;
}

/** Names, sizes and times of all files, to see that nothing was written. */
function footprint(dir = project): readonly string[] {
  return readdirSync(dir, { withFileTypes: true }).flatMap((entry) => {
    const path = join(dir, entry.name);
    const { mtimeMs, size } = statSync(path);
    return entry.isDirectory() ? footprint(path) : [`${path} ${size} ${mtimeMs}`];
  });
}

describe("from raw logs to a trace", () => {
  test("a plan writes nothing", () => {
    const before = footprint();
    expect(json("compact", "--dry-run")).toMatchObject({ dry_run: true, today: "2026-03-23" });
    expect(footprint().filter((line) => !line.includes("/.heartwood/"))).toEqual(before);
  });

  test("compact makes every level, in the documented format", () => {
    const result = json("compact");
    expect(Object.keys(result).toSorted()).toEqual([
      "cycles",
      "due",
      "duration_ms",
      "root",
      "skipped",
      "today",
      "unchanged",
      "warnings",
      "written",
    ]);
    const levels = new Set((result["written"] as readonly { readonly level: string }[]).map(({ level }) => level));
    expect(levels).toEqual(new Set(["daily", "weekly", "monthly", "root"]));
  });

  test("a second run writes nothing and says so", () => {
    const before = footprint();
    const { status, out, err } = heartwood("compact");
    expect([status, out, err]).toEqual([0, "Nothing is due for 2026-03-23; nothing was written.\n", ""]);
    expect(footprint()).toEqual(before);
  });

  test("root and show print the files unchanged", () => {
    expect(heartwood("root").out).toBe(readFileSync(join(project, "memory/ROOT.md"), "utf8"));
    expect(heartwood("show", "2026-03-05").out).toBe(readFileSync(join(project, "memory/daily/2026-03-05.md"), "utf8"));
  });

  test("a line of ROOT.md is traced to raw lines", () => {
    const root = json("root") as { readonly lines: readonly { readonly line: number }[] };
    const { out, status } = heartwood("trace", `ROOT:${root.lines[0]?.line ?? 0}`);
    expect(status).toBe(0);
    expect(out).toMatch(/^memory\/ROOT\.md:\d+\n/);
    expect(out).toMatch(/^memory\/2026-03-\d\d[^ ]*\.md:\d+(-\d+)? {2}sha256 /m);
  });

  test("status and tree fit on a screen and name the next command", () => {
    const status = heartwood("status").out;
    expect(status.split("\n").length).toBeLessThan(40);
    expect(status).toMatch(/\nNext: .+\n$/);
    expect(heartwood("tree").out).toMatch(/^└─ 2026-03 /m);
  });

  test("verify exits with 0 on a sound tree and with 1 on a finding, which it names", () => {
    expect(heartwood("verify").status).toBe(0);
    const path = join(project, "memory/daily/2026-03-05.md");
    const sound = readFileSync(path);
    writeFileSync(path, "---\nbroken\n");
    const { status, out } = heartwood("verify");
    writeFileSync(path, sound);
    expect(status).toBe(1);
    expect(out).toContain("memory/daily/2026-03-05.md");
  });

  test("undo exits with 3 if there is nothing to undo", () => {
    const { status, out } = heartwood("undo", "--json");
    expect(status).toBe(3);
    expect(JSON.parse(out)).toMatchObject({ error: { code: "nothing_to_undo" } });
  });

  test("an invalid period exits with 2, and so does one without a node", () => {
    expect(heartwood("show", "2026-02-30").err).toMatch(/^heartwood: [^\n]*2026-02-30[^\n]*\n$/);
    expect(heartwood("show", "2026-02-30").status).toBe(2);
    expect(heartwood("show", "2025-01-01").status).toBe(2);
  });
});

test("SIGINT during a run ends with 130 and one sentence, and the next run finishes the work", async () => {
  const folder = join(base, "stopped");
  const day = Array.from({ length: 400 }, (_, line) => `- ${line} word `.repeat(8)).join("\n");
  mkdirSync(join(folder, "memory"), { recursive: true });
  for (let number = 1; number <= 28; number++) {
    const date = `2026-02-${String(number).padStart(2, "0")}`;
    writeFileSync(join(folder, `memory/${date}.md`), `# ${date}\n\n## T [project]\n${day}\n`.repeat(20));
  }
  const child = spawn(process.execPath, [BIN, "compact"], { cwd: folder, env: { PATH: process.env["PATH"], ...ENV } });
  let err = "";
  child.stderr.on("data", (chunk: Buffer) => void (err += chunk.toString()));
  // The lock's own file is the first sign that the run has begun.
  while (!existsSync(join(folder, ".heartwood/lock-tree.json")) && child.exitCode === null)
    await new Promise((resolve) => setTimeout(resolve, 5));
  child.kill("SIGINT");
  const status = await new Promise((resolve) => child.once("close", resolve));
  expect([status, err]).toEqual([
    130,
    "heartwood: Stopped by SIGINT; every file is complete, and the next run continues from here.\n",
  ]);
  const finish = spawnSync(process.execPath, [BIN, "compact", "--json"], {
    cwd: folder,
    env: { PATH: process.env["PATH"], ...ENV },
    encoding: "utf8",
  });
  expect(JSON.parse(finish.stdout)).toMatchObject({ due: [] });
  expect(existsSync(join(folder, "memory/ROOT.md"))).toBe(true);
});

describe("the examples of every command", () => {
  const environment = { PATH: process.env["PATH"], ...ENV };
  const cases = operations.flatMap(({ examples, command }) =>
    examples.map((example) => [example, command.join(" ")] as const),
  );

  beforeAll(() => {
    cpSync(join(PACKAGE, "samples/memory"), join(base, "built/memory"), { recursive: true });
    const run = (args: readonly string[], input = ""): string => {
      const options = { cwd: join(base, "built"), env: environment, input, encoding: "utf8" } as const;
      const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, ...args], options);
      expect(status, `${args.join(" ")}: ${stderr}`).toBe(0);
      return stdout;
    };
    for (const topic of ["Importer", "Old importer"]) run(["log", "add", "--topic", topic, "--body", "- measured"]);
    run(["compact"]);
    run(["pin", "add", "memory/2026-03-05.md:7"]);
    run(["thread", "create", "--id", "release-4"]);
    const lines = Array.from({ length: 20 }, (_, at) => `${JSON.stringify({ content: `message ${at}` })}\n`).join("");
    const append = ["thread", "append", "release-4", "--actor", "user", "--origin", "cli", "--batch"];
    run(append, lines);
    const exported = run(["thread", "export", "release-4"]);
    writeFileSync(join(base, "built/events.jsonl"), exported);
    writeFileSync(join(base, "built/summary.md"), "# So far\n\n- ship on Friday\n");
    writeFileSync(join(base, "built/session.jsonl"), rowsAsLines(shortSession()));
    cpSync(join(transcripts, "chatgpt.json"), join(base, "built/conversations.json"));
    cpSync(join(base, "built"), join(base, "before"), { recursive: true });
  });

  /** Two commits to compare. */
  function commitsIn(cwd: string): void {
    const git = (...words: readonly string[]): void => {
      const { status, stderr } = spawnSync("git", words, { cwd, env: environment, encoding: "utf8" });
      expect(status, `${words.join(" ")}: ${stderr}`).toBe(0);
    };
    const commit = ["-c", "user.name=ada", "-c", "user.email=ada@example.org", "commit", "-q", "--allow-empty", "-m"];
    git("init", "-q", "-b", "main");
    git("add", "memory");
    git(...commit, "first");
    git("update-ref", "refs/remotes/origin/main", "HEAD");
    git(...commit, "second");
  }

  /** A home in which two clients had a session in the folder. */
  function homeOf(folder: string): string {
    const home = mkdtempSync(join(base, "home-"));
    const write = (path: string, text: string): void => {
      mkdirSync(dirname(join(home, path)), { recursive: true });
      writeFileSync(join(home, path), text.replaceAll("/srv/app", folder));
    };
    write(
      `.claude/projects/${folder.replaceAll(/[^A-Za-z0-9]/gu, "-")}/${claudeSession}.jsonl`,
      rowsAsLines(shortSession()),
    );
    const codex = readFileSync(join(transcripts, "codex.jsonl"), "utf8");
    write(".codex/sessions/2026/03/10/rollout-2026-03-10T09-00-00-0199c0de-1111-7000-8000-000000000001.jsonl", codex);
    return home;
  }

  test.each(cases)("%s", (example, command) => {
    const cwd = mkdtempSync(join(base, "example-"));
    cpSync(join(base, "built"), cwd, { recursive: true });
    if (["diff", "pr-comment"].includes(command)) commitsIn(cwd);
    const script = `heartwood() { "${process.execPath}" "${BIN}" "$@"; }\n${example}`;
    const env = { ...environment, HOME: homeOf(cwd) };
    const { status, stderr } = spawnSync("bash", ["-c", script], { cwd, env, encoding: "utf8" });
    // In a fresh tree there is nothing to undo, and doctor and audit may have findings.
    const allowed = command.endsWith("undo") ? [3] : ["doctor", "audit"].includes(command) ? [0, 1] : [0];
    // The digits of a job and of an item depend on its sources, so those of the examples do not exist here; neither does a session, since records do not count in a copy.
    const isUnknown = ["summaries submit", "summaries drop", "replay", "inbox dismiss"].includes(command);
    const unknown = /Job "[^"\n]+" not found|No session "[^"\n]+" is on record|There is no item "[^"\n]+" in the inbox/;
    if (isUnknown) expect(stderr).toMatch(unknown);
    // There is no server here; test/postgres runs these with one.
    const needsServer = ["store migrate", "store copy"].includes(command);
    if (needsServer) expect(stderr).toMatch(/set DATABASE_URL|add the folder to store\.projects/u);
    expect(isUnknown || needsServer ? [2] : allowed, stderr).toContain(status);
  });
});

describe("the demo", () => {
  test("shows the tree, ROOT.md and a trace on stdout, and removes its folder", () => {
    const { status, out, err } = heartwood("demo");
    expect([status, err]).toEqual([0, ""]);
    for (const part of ["heartwood tree", "## Topics Index", "memory/daily/", "memory/2026-03-"])
      expect(out).toContain(part);
    const dir = /This ran in (\S+),/.exec(out)?.[1] ?? "";
    expect(dir).not.toBe("");
    expect(existsSync(dir)).toBe(false);
  });

  test("prints at most 60 lines", () => {
    const lines = heartwood("demo").out.trimEnd().split("\n");
    expect(lines.length).toBeLessThanOrEqual(60);
    expect(lines.filter((line) => line.length > 120)).toEqual([]);
  });

  test("closing the pipe early leaves no folder behind", () => {
    const temporary = mkdtempSync(join(base, "temporary-"));
    const env = { PATH: process.env["PATH"], ...ENV, TMPDIR: temporary };
    spawnSync("bash", ["-c", `"${process.execPath}" "${BIN}" demo | head -c 10`], { cwd: base, env });
    expect(readdirSync(temporary)).toEqual([]);
  });

  test("--keep keeps it, and a second demo is byte-identical", () => {
    const first = json("demo", "--keep") as { readonly dir: string };
    const second = json("demo", "--keep") as { readonly dir: string };
    const [rootOfSecond, rootOfFirst] = [second, first].map(({ dir }) =>
      readFileSync(join(dir, "memory/ROOT.md"), "utf8"),
    );
    expect(rootOfSecond).toBe(rootOfFirst);
    for (const { dir } of [first, second]) rmSync(dir, { recursive: true });
  });
});
