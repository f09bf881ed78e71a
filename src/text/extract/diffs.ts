import type { SourceLine } from "../../base/passage.ts";
import type { Run } from "./traces.ts";

const diffHeader =
  /^(?:diff --git |index [0-9a-f]{7,64}\.\.[0-9a-f]{7,64}|--- (?:a?\/|"a\/)|\+\+\+ (?:b?\/|"b\/)|(?:old|new|deleted file|new file) mode \d|(?:dis)?similarity index |(?:rename|copy) (?:from|to) |Binary files )/u;
/** What a diff may begin with. */
const diffStart =
  /^(?:diff --git |index [0-9a-f]{7,64}\.\.[0-9a-f]{7,64}|--- (?:a?\/|"a\/)|\+\+\+ (?:b?\/|"b\/)|@@ -\d)/u;
const hunkHeader = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/u;
const listItem = /^\s*[-*+] /u;

/** An unfenced diff that begins here; nothing stands for it. */
export function diffAt(lines: readonly SourceLine[], start: number): Run | undefined {
  if (!diffStart.test(textAt(lines, start))) return undefined;
  let end = start;
  let hunks = 0;
  while (end < lines.length) {
    const text = textAt(lines, end);
    const hunk = hunkHeader.exec(text);
    if (hunk !== null) {
      hunks += 1;
      end = endOfHunk(lines, end + 1, [Number(hunk[1] ?? 1), Number(hunk[2] ?? 1)]);
    } else if (diffHeader.test(text) || text.startsWith("@@ -") || text.startsWith("\\ No newline")) end += 1;
    else if (/^[ +-]/u.test(text) && !listItem.test(text) && hunks === 0) end += 1;
    else break;
  }
  return end === start ? undefined : { end, text: "" };
}

/** As many lines as the header of the hunk promises, of the old and the new file. */
function endOfHunk(lines: readonly SourceLine[], start: number, [old, fresh]: readonly [number, number]): number {
  let end = start;
  for (let [left, right] = [old, fresh]; (left > 0 || right > 0) && end < lines.length; end++) {
    const text = textAt(lines, end);
    const sign = text.charAt(0);
    const isContext = sign === " " || (text === "" && /^[ +-](?! )|^[ +] |^$/u.test(textAt(lines, end + 1)));
    if (sign === "\\") continue;
    if (!isContext && sign !== "-" && sign !== "+") break;
    if (sign !== "+") left -= 1;
    if (sign !== "-") right -= 1;
    if (left < 0 || right < 0) break;
  }
  return end;
}

const commitLine = /^commit ([0-9a-f]{7,40})\b/u;
const logLine =
  /^(?:(?:Author|AuthorDate|Commit|CommitDate|Date|Merge):| {4}|$| .+ \| +(?:\d+(?: [+-]+)?|Bin\b.*)$| \d+ files? changed\b| (?:create|delete) mode \d| rename .*\(\d+%\)$)/u;

/** A git log that begins here, with its diffstat; its text is the first commit. */
export function gitLogAt(lines: readonly SourceLine[], start: number): Run | undefined {
  const hash = commitLine.exec(textAt(lines, start))?.[1];
  if (hash === undefined) return undefined;
  let end = start + 1;
  while (end < lines.length && (commitLine.test(textAt(lines, end)) || logLine.test(textAt(lines, end)))) end += 1;
  return { end, text: `- commit ${hash.slice(0, 12)}` };
}

function textAt(lines: readonly SourceLine[], index: number): string {
  return lines[index]?.text ?? "";
}
