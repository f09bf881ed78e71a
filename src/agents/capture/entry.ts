import { scanLines } from "../../base/markdown.ts";
import { isTurn } from "../../tree/extract/conversation.ts";
import { escapeLine } from "../../tree/model/entry-format.ts";
import type { Turn } from "./turn.ts";

/** The lines of a turn's entry: what the person said, and the last thing that the model said. Nothing in them begins an entry or speaks as one. */
export function bodyOfTurn({ user, assistant }: Pick<Turn, "user" | "assistant">): readonly string[] {
  return [...side("User", user), ...(assistant === "" ? [] : side("Assistant", assistant))];
}

function side(name: string, text: string): readonly string[] {
  const given = text.split("\n").map(inert);
  const first = given[0] ?? "";
  // A mark of code is one at the start of a line only.
  const lines = /^\s*(?:```|~~~)/u.test(first) ? [`${name}:`, ...given] : [`${name}: ${first}`, ...given.slice(1)];
  const open = scanLines(lines.map(escapeLine)).unclosed.at(-1);
  const mark = open === undefined ? undefined : /^ {0,3}(`{3,}|~{3,})/u.exec(lines[open] ?? "")?.[1];
  return mark === undefined ? lines : closed(lines, mark);
}

function closed(lines: readonly string[], mark: string): readonly string[] {
  const last = lines.at(-1) ?? "";
  if (!last.endsWith(" (cut)")) return [...lines, mark];
  return [...lines.slice(0, -1), last.slice(0, -" (cut)".length), mark, "(cut)"];
}

/** What `printEntry` leaves alone and still looks like a heading, a comment of ours or another speaker. */
function inert(line: string): string {
  const quiet = line.replaceAll(/(?<!^|\\)<!--(?=\s*(?:hw|heartwood)\b)/giu, "\\<!--");
  return isTurn(quiet) || /^\s*(?:#{3,6}(?:\s|$)|<!--\s*heartwood\b|<!--(?:hw|\s{2,}hw)\b)/iu.test(quiet)
    ? `\\${quiet}`
    : quiet;
}
