import { expect } from "vitest";
import type { Day } from "../../src/base/calendar.ts";
import { runCompact } from "../../src/tree/run/compact.ts";
import type { CompactInput } from "../../src/tree/inputs.ts";
import type { CompactResult } from "../../src/tree/run/idle.ts";
import { runVerify } from "../../src/tree/inspect/verify.ts";
import type { TestMemory } from "../fixtures/memory.ts";

/** Runs a compaction, on another day if given. */
export async function compact(tree: TestMemory, day?: Day, input: CompactInput = {}): Promise<CompactResult> {
  if (day !== undefined) tree.setToday(day);
  return runCompact(tree.memory, input, {});
}

/** All files with their texts, by path. */
export function filesOf(tree: TestMemory): ReadonlyMap<string, string> {
  return new Map(tree.list().map((path) => [path, tree.read(path) ?? ""]));
}

/** What must be true after every scenario: no findings except allowed ones, and another run changes no byte. */
export async function expectSound(tree: TestMemory, allowed: readonly string[] = []): Promise<void> {
  const { findings } = await runVerify(tree.memory, {});
  const wrong = findings.filter((finding) => finding.severity !== "info" && !allowed.includes(finding.code));
  expect(wrong).toEqual([]);
  const before = filesOf(tree);
  const again = await compact(tree);
  expect(again.written).toEqual([]);
  expect(again.due).toEqual([]);
  expect(filesOf(tree)).toEqual(before);
}

/** The text of a file that must be there. */
export function textAt(tree: TestMemory, path: string): string {
  const text = tree.read(path);
  if (text === undefined) throw new Error(`${path} is not there; there are ${tree.list().join(", ")}`);
  return text;
}

/** The value of a key of a node's front matter. */
export function keyAt(tree: TestMemory, path: string, key: string): string | undefined {
  const line = frontAt(tree, path).find((candidate) => candidate.startsWith(`${key}:`));
  return line?.slice(key.length + 1).trim();
}

/** The lines of a node's front matter, without the `---`. */
export function frontAt(tree: TestMemory, path: string): readonly string[] {
  const lines = textAt(tree, path).split("\n");
  return lines.slice(1, lines.indexOf("---", 1));
}

/** A node's body: everything after its front matter. */
export function bodyAt(tree: TestMemory, path: string): string {
  const lines = textAt(tree, path).split("\n");
  return lines.slice(lines.indexOf("---", 1) + 1).join("\n");
}

/** The lines of a section of ROOT.md, by the beginning of its heading. */
export function rootSection(tree: TestMemory, heading: string): readonly string[] {
  const lines = textAt(tree, "memory/ROOT.md").split("\n");
  const start = lines.findIndex((line) => line.startsWith(`## ${heading}`));
  const end = lines.findIndex((line, index) => index > start && line.startsWith("## "));
  return start < 0 ? [] : lines.slice(start + 1, end < 0 ? lines.length : end).filter((line) => line !== "");
}

/** A raw log: the heading of its day and entries of heading and lines. */
export function logOf(
  day: Day,
  ...entries: readonly (readonly [heading: string, ...lines: readonly string[]])[]
): string {
  const parts = entries.map(([heading, ...lines]) => [`## ${heading}`, ...lines, ""].join("\n"));
  return `# ${day}\n\n${parts.join("\n")}`;
}

/** A log with exactly this many lines: one entry with different items. */
export function longLog(day: Day, topic: string, lines: number): string {
  const items = Array.from(
    { length: lines - 3 },
    (_, index) => `- ${topic} step ${index + 1} moved part ${index * 7} over`,
  );
  return ["# " + day, "", `## ${topic} [project]`, ...items, ""].join("\n");
}

/** The raw logs of days, as files. */
export function rawFiles(logs: Readonly<Record<Day, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(logs).map(([day, text]) => [`memory/${day}.md`, text]));
}

/** `path status` of every node written, in order. */
export function writtenIn(result: CompactResult): readonly string[] {
  return result.written.map((node) => `${node.path} ${node.status}`);
}
