/** What was added at the end of a text in front of something of ours. */
export interface AddedEnd {
  readonly lineEnd: "" | "\n" | "\r\n";
  readonly blank: "" | "\n" | "\r\n";
}

/** The line end that the last line lacks, and a blank line; nothing for an empty text. */
export function endFor(text: string): AddedEnd {
  const lineEnd = lineEndOf(text);
  if (text === "" || text === "\uFEFF") return { lineEnd: "", blank: "" };
  return { lineEnd: text.endsWith("\n") ? "" : lineEnd, blank: lineEnd };
}

export function lineEndOf(text: string): "\n" | "\r\n" {
  return /^[^\n]*\r\n/u.test(text) ? "\r\n" : "\n";
}

/** Takes from the end of the lines what was added there. `last`: nothing stands behind what was ours. */
export function withoutEnd(lines: readonly string[], added: AddedEnd, behind: "nothing" | "something"): string {
  const isBlank = added.blank !== "" && (lines.at(-1) ?? "x").trim() === "";
  const head = (isBlank ? lines.slice(0, -1) : lines).join("");
  return added.lineEnd !== "" && behind === "nothing" ? head.replace(/\r?\n$/u, "") : head;
}

/** Lines with their line ends. */
export function rawLines(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/gu) ?? [];
}
