import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openTestMemory } from "../../../test/fixtures/memory.ts";
import { createSeededRandom } from "../../testing/index.ts";
import { runCompact } from "./compact.ts";
import { readStatus } from "../../operations/status.ts";
import { runVerify } from "../inspect/verify.ts";

const log = (day: string, topic: string): string =>
  `# ${day}\n\n## ${topic} [project]\n- decisions: for good reasons\n`;
const files = { "memory/2026-03-14.md": log("2026-03-14", "Auth") };

describe("the result of a run includes the figures of ROOT.md", () => {
  it("with the gate closed, in a plan and without the cache; null without a ROOT.md", async () => {
    const test = openTestMemory({ files });
    expect((await runCompact(test.memory, { dry_run: true }, {})).root).toBeNull();
    const { root } = await runCompact(test.memory, {}, {});
    expect(root?.topics).toBe(1);
    test.write("memory/2026-03-15.md", log("2026-03-15", "Billing"));
    const waiting = await runCompact(test.memory, { if_due: true }, {});
    expect([waiting.due.length > 0, waiting.root]).toEqual([true, root]);
    expect((await runCompact(test.memory, { dry_run: true }, {})).root).toEqual(root);
    expect((await runCompact(test.memory, { reopen: "2026-03-14", dry_run: true }, {})).root).toEqual(root);
    const next = (await runCompact(test.memory, {}, {})).root;
    expect(next?.topics).toBe(2);
    for (const path of test.list().filter((name) => name.startsWith(".heartwood/cache/"))) test.remove(path);
    const idle = await runCompact(test.memory, {}, {});
    expect([idle.written, idle.root]).toEqual([[], next]);
  });
});

describe("a WORKING.md that is not copied into the log", () => {
  it("is reported when it is not UTF-8", async () => {
    const test = openTestMemory({ files: { ...files, "WORKING.md": new Uint8Array([0x23, 0xff, 0xfe, 0x0a]) } });
    const { warnings } = await runCompact(test.memory, {}, {});
    expect(warnings.map(({ code, path }) => `${code} ${path}`)).toEqual(["not_utf8 WORKING.md"]);
  });

  it("is reported when it is a link out of the project", async () => {
    const test = openTestMemory({ files, disk: "folder" });
    symlinkSync("/etc/hostname", join(test.memory.dir, "WORKING.md"));
    const { warnings } = await runCompact(test.memory, {}, {});
    expect(warnings.map(({ code, path }) => `${code} ${path}`)).toEqual(["link_outside WORKING.md"]);
  });
});

describe("a log that is not text", () => {
  it("gives one warning in each run", async () => {
    const bytes = createSeededRandom(7).bytes(200_000);
    const test = openTestMemory({ files: { ...files, "memory/2026-03-10.md": bytes } });
    const { warnings } = await runCompact(test.memory, {}, {});
    expect(warnings.map(({ code, path, line }) => `${code} ${path}:${line}`)).toEqual([
      "not_utf8 memory/2026-03-10.md:1",
    ]);
    expect(warnings[0]?.message).toMatch(/^\d{3} lines of memory\/2026-03-10\.md \(first: line 1\) are not UTF-8/u);
    expect((await runCompact(test.memory, {}, {})).warnings).toEqual([]);
  });

  it("names the first of a few such lines, along with the log's other faults", async () => {
    const text = Buffer.concat([
      Buffer.from(`${log("2026-03-10", "Auth")}- caf`),
      Buffer.from([0xe9]),
      Buffer.from("\n```\n"),
    ]);
    const test = openTestMemory({ files: { "memory/2026-03-10.md": text } });
    const { warnings } = await runCompact(test.memory, {}, {});
    expect(warnings.map(({ code, line }) => `${code} ${line}`)).toEqual(["not_utf8 5", "open_fence 6"]);
  });
});

describe("the result of a run says", () => {
  it("why it waits when nodes are due and the gate is closed", async () => {
    const test = openTestMemory({ files });
    expect(await runCompact(test.memory, { if_due: true }, {})).not.toHaveProperty("waits");
    test.write("memory/2026-03-15.md", log("2026-03-15", "Billing"));
    expect((await runCompact(test.memory, { if_due: true }, {})).waits).toMatch(/cooldownHours is 3/u);
    expect((await readStatus(test.memory)).next).toBe("heartwood compact");
  });

  it("that a node is reopened, in the plan", async () => {
    const test = openTestMemory({ files, today: "2026-03-16" });
    await runCompact(test.memory, {}, {});
    const { due } = await runCompact(test.memory, { reopen: "2026-03-14", dry_run: true }, {});
    const daily = due.find(({ path }) => path === "memory/daily/2026-03-14.md");
    expect(daily?.detail).toMatch(/reopened/u);
  });

  it("that a configuration in UTF-16 is not UTF-8", async () => {
    const config = Buffer.from("\uFEFF{}", "utf16le");
    const test = openTestMemory({ files: { ...files, "heartwood.config.json": config } });
    await expect(runCompact(test.memory, {}, {})).rejects.toThrow(/is not UTF-8 .*UTF-16/u);
  });
});

it("verify says whether the next run rebuilds a foreign node", async () => {
  const foreign = "# Tuesday\n\n- somebody's notes\n";
  const test = openTestMemory({
    files: { ...files, "memory/daily/2026-03-14.md": foreign, "memory/daily/2026-03-13.md": foreign },
  });
  const { findings } = await runVerify(test.memory, {});
  const told = findings.filter(({ code }) => code === "not_ours").map(({ message }) => message);
  expect(told.toSorted()).toEqual([
    "memory/daily/2026-03-13.md was not made by heartwood; it stays as it is",
    "memory/daily/2026-03-14.md was not made by heartwood; the next run adopts it, or archives it and rebuilds it from its sources",
  ]);
});

describe("logs that need attention", () => {
  const conflict =
    "# 2026-03-14\n\n<<<<<<< HEAD\n## Rent [project]\n- decisions: flat with a balcony\n=======\n## Rent [project]\n- decisions: house with a cellar\n>>>>>>> feature/move\n";
  const odd = {
    "memory/2026-03-10.md": log("2026-03-09", "Billing"),
    "memory/2026-03-14.md": conflict,
    "memory/2026-3-12.md": log("2026-03-12", "Sauna"),
    "memory/2062-03-13.md": log("2062-03-13", "Ladder"),
  };
  const codes = ["conflict_markers", "date_mismatch", "future_date"];

  it("are reported by status, verify and the run that reads them, but not by a run with nothing to do", async () => {
    const test = openTestMemory({ files: odd });
    const { warnings, skipped } = await runCompact(test.memory, {}, {});
    expect(warnings.map(({ code }) => code)).toEqual(codes);
    expect(warnings.map(({ message }) => message).join("\n")).toMatch(
      /2026-03-14\.md .*lines 3-9[^]*named for 2026-03-10 but starts with 2026-03-09[^]*2062-03-13 is later than today, 2026-03-15/u,
    );
    expect(skipped.map(({ code, path }) => `${code} ${path}`)).toEqual(["bad_name memory/2026-3-12.md"]);
    const { compactUnlessIdle } = await import("./idle.ts");
    expect((await compactUnlessIdle(test.memory, {}, {})).warnings).toEqual([]);
    const status = await readStatus(test.memory);
    expect([status.log_warnings.map(({ code }) => code), status.next]).toEqual([codes, "heartwood doctor"]);
    const { findings } = await runVerify(test.memory, {});
    const told = findings.filter(({ severity }) => severity === "warning").map(({ code }) => code);
    expect(told.toSorted()).toEqual(["bad_name", ...codes]);
    expect(findings.filter(({ severity }) => severity === "error")).toEqual([]);
  });

  it("contribute both sides of a conflict to ROOT.md, without its markers and their labels", async () => {
    const test = openTestMemory({ files: odd });
    await runCompact(test.memory, {}, {});
    const root = test.read("memory/ROOT.md") ?? "";
    expect(root).toContain("balcony");
    expect(root).toContain("cellar");
    expect(root).not.toMatch(/<<<|>>>|===|HEAD|feature/u);
    expect(test.read("memory/daily/2026-03-14.md")).toContain(conflict);
  });

  it("include those that were edited or removed after their node was fixed", async () => {
    const test = openTestMemory({ files: { ...files, "memory/2026-03-12.md": log("2026-03-12", "Billing") } });
    await runCompact(test.memory, {}, {});
    test.write("memory/2026-03-12.md", log("2026-03-12", "Invoices"));
    test.remove("memory/2026-03-14.md");
    const { warnings } = await runCompact(test.memory, {}, {});
    expect(warnings.map(({ code, path }) => `${code} ${path}`)).toEqual([
      "source_missing memory/2026-03-14.md",
      "source_edited memory/2026-03-12.md",
    ]);
    expect((await readStatus(test.memory)).log_warnings.map(({ code }) => code)).toEqual(["source_missing"]);
  });
});

it("warns about misspelled type tags and long stretches without a heading, but not about other text in brackets", async () => {
  const many = Array.from({ length: 60 }, (_, at) => `water meter ${at} reads ${at * 7}`);
  const tree = openTestMemory({
    files: {
      "memory/2026-03-10.md":
        "## Tone [feedbak]\n- a\n\n## [preference] Tea\n- b\n\n## Auth [WIP]\n- c\n\n## A [product]\n- d\n",
      "memory/2026-03-11.md": `# 2026-03-11\n\n${many.join("\n")}\n\n## Rest\n- a\n`,
    },
  });
  const { warnings } = await runCompact(tree.memory, {}, {});
  expect(warnings.map(({ code, path, line }) => [code, path, line])).toEqual([
    ["unknown_type", "memory/2026-03-10.md", 1],
    ["unknown_type", "memory/2026-03-10.md", 4],
    ["no_heading", "memory/2026-03-11.md", undefined],
  ]);
  expect(warnings.map(({ message }) => message)).toEqual([
    '"[feedbak]" in line 1 of memory/2026-03-10.md is not a type, so the entry is treated as project; write [feedback] if you meant that',
    expect.stringContaining("write [reference] if"),
    expect.stringContaining("has 60 lines without a heading"),
  ]);
  expect((await readStatus(tree.memory)).log_warnings).toEqual(warnings);
});
