import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

/** Where a report may be written, and what it may not replace. */
const bin = join(import.meta.dirname, "../../dist/bin.js");
const memoryText =
  "# Memory\n\n## Deploys\n- deploy only after the tests are green, never on Fridays\n- make deploy needs the VPN\n";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "heartwood-report-"));
  mkdirSync(join(folder, "memory"));
  writeFileSync(join(folder, "MEMORY.md"), memoryText);
  writeFileSync(join(folder, "memory", "2026-11-20.md"), memoryText.replace("# Memory", "# 2026-11-20"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function audit(...words: readonly string[]): Ended {
  const options = { cwd: folder, encoding: "utf8", input: "", timeout: 600_000, killSignal: "SIGKILL" } as const;
  return spawnSync(process.execPath, [bin, "audit", "--today", "2026-11-22", ...words], options);
}

function read(name: string): string {
  return readFileSync(join(folder, name), "utf8");
}

describe("--markdown", () => {
  test("with - prints only the report, and the exit status is that of the audit", () => {
    const { status, stdout, stderr } = audit("--markdown", "-");
    expect([status, stderr]).toEqual([1, ""]);
    expect(stdout).toMatch(/^# Memory audit\n\n2026-11-22\. Findings: 1 high/);
    expect(stdout).not.toContain("Memory audit:");
    expect(audit("--markdown", "-", "--quiet").stdout).toBe(stdout);
  });

  test("with a file writes it in addition to the report, relative to the current folder, repeatedly", () => {
    const first = audit("--markdown", "audit.md");
    expect([first.status, first.stderr]).toEqual([1, ""]);
    expect(first.stdout).toContain("Memory audit:");
    const text = read("audit.md");
    expect(text).toBe(audit("--markdown", "-").stdout);
    chmodSync(join(folder, "audit.md"), 0o600);
    expect(audit("--markdown", "audit.md").status).toBe(1);
    expect([read("audit.md"), statSync(join(folder, "audit.md")).mode & 0o777]).toEqual([text, 0o600]);
    expect(readdirSync(folder).toSorted()).toEqual(["MEMORY.md", "audit.md", "memory"]);
  });

  test("does not replace a file that is not a report", () => {
    writeFileSync(join(folder, "notes.md"), memoryText);
    const { status, stderr } = audit("--markdown", "notes.md", "--apply");
    expect([status, stderr]).toEqual([2, expect.stringContaining("is not an audit report, so it is not replaced")]);
    expect([read("notes.md"), read("MEMORY.md")]).toEqual([memoryText, memoryText]);
  });

  test.each(["MEMORY.md", "USER.md", "memory/2026-11-21.md", "memory/weekly/2026-W47.md", "memory/ROOT.md"])(
    "does not create a memory file: %s",
    (name) => {
      rmSync(join(folder, "MEMORY.md"));
      mkdirSync(join(folder, "memory", "weekly"));
      for (const there of ["", "# Memory audit\n"]) {
        if (there !== "") writeFileSync(join(folder, name), there);
        const { status, stderr } = audit("--markdown", name);
        expect([status, stderr]).toEqual([2, expect.stringContaining("is a path that the memory itself uses")]);
      }
      expect(audit("--markdown", "memory/audit.md").status).toBe(0);
    },
  );

  test.skipIf(process.platform === "win32")("refuses links, FIFOs and folders, and then nothing is applied", () => {
    writeFileSync(join(folder, "report.md"), "# Memory audit\n");
    symlinkSync("report.md", join(folder, "link.md"));
    symlinkSync("nowhere.md", join(folder, "dangling.md"));
    execFileSync("mkfifo", [join(folder, "fifo")]);
    const before = read("memory/2026-11-20.md");
    for (const [name, what] of [
      ["link.md", "is a link"],
      ["dangling.md", "is a link"],
      ["fifo", "is a FIFO, a socket or a device"],
      ["memory", "is a folder"],
    ] as const) {
      const { status, stderr } = audit("--markdown", name, "--apply");
      expect([name, status, stderr]).toEqual([name, 3, expect.stringContaining(what)]);
    }
    expect(readlinkSync(join(folder, "link.md"))).toBe("report.md");
    expect([read("report.md"), read("memory/2026-11-20.md")]).toEqual(["# Memory audit\n", before]);
  });

  test("in a missing folder is refused before anything is applied", () => {
    const before = read("memory/2026-11-20.md");
    const { status, stderr } = audit("--markdown", "no/audit.md", "--apply");
    expect([status, stderr]).toEqual([2, expect.stringContaining("its folder does not exist")]);
    expect(read("memory/2026-11-20.md")).toBe(before);
  });

  test("- is refused together with --json", () => {
    const { status, stdout } = audit("--markdown", "-", "--json");
    expect([status, JSON.parse(stdout).error.code]).toEqual([2, "usage"]);
  });
});

test("an applied audit is undone by the command that it names", () => {
  const before = read("memory/2026-11-20.md");
  const applied = audit("--apply");
  expect(applied.stdout).toMatch(/^Applied 1 change in 1 file; remaining: no findings/);
  expect(applied.stdout).toMatch(/Undo: heartwood audit undo\n$/);
  expect(read("memory/2026-11-20.md")).not.toBe(before);
  expect(audit().stdout.split("\n")).toHaveLength(4);
  expect(audit("--quiet").stdout).toBe("");
  expect(audit("history").stdout).toContain("memory/2026-11-20.md  cut");
  expect(audit("undo").stdout).toMatch(/^Undone: audit \d{8}-/);
  expect(read("memory/2026-11-20.md")).toBe(before);
});
