const PART = /[0-9]+|[A-Za-z]+|[ \t]+|[^]/y;
const LONGEST_LEAD = 200;

/** What is in front of `at` in its line: the model for the lead of the lines after it. Nothing when that is long. */
export function leadBefore(text: string, at: number): string {
  const near = text.slice(Math.max(0, at - LONGEST_LEAD), at);
  const lead = near.slice(near.lastIndexOf("\n") + 1);
  return lead.length === LONGEST_LEAD ? "" : lead;
}

/**
 * The place behind the lead that the line at `from` shares with an earlier line: line numbers, a file name, a time, the
 * name of a program, a quote sign, the border of a table. Numbers may differ; so may `:` and `-`, as `grep -C` prints them.
 */
export function skipLead(text: string, from: number, model: string): number {
  let reached = from;
  let at = from;
  let inModel = 0;
  while (inModel < model.length) {
    const expected = partAt(model, inModel);
    const part = partAt(text, at);
    if (!isSame(expected, part)) {
      if (isBlank(part)) at += part.length;
      else if (isBlank(expected)) inModel += expected.length;
      else return reached;
      continue;
    }
    inModel += expected.length;
    at += part.length;
    if (inModel === model.length || !/[A-Za-z0-9+/=]$/.test(part)) reached = at;
  }
  return reached;
}

function partAt(text: string, at: number): string {
  PART.lastIndex = at;
  return PART.exec(text)?.[0] ?? "";
}

function isSame(expected: string, part: string): boolean {
  if (isBlank(expected) || /^[0-9]/.test(expected)) return part !== "" && kindOf(expected) === kindOf(part);
  return expected === part || (/^[:-]$/.test(expected) && /^[:-]$/.test(part));
}

function kindOf(part: string): "blank" | "number" | "other" {
  if (isBlank(part)) return "blank";
  return /^[0-9]/.test(part) ? "number" : "other";
}

function isBlank(part: string): boolean {
  return part.startsWith(" ") || part.startsWith("\t");
}
