import type { Warning } from "../base/errors.ts";
import { shown } from "./shown.ts";

/** ` (did you mean plain?)` behind a list of what is allowed; empty when nothing is near. */
export function didYouMean(seen: unknown, known: readonly string[]): string {
  const near = typeof seen === "string" ? nearestOf(seen, known) : undefined;
  return near === undefined ? "" : ` (did you mean ${near}?)`;
}

/** A warning for each key that is not known. `under`: the key of the object, empty for the whole file. */
export function unknownKeys(
  path: string,
  { under, values, known }: { readonly under: string; readonly values: object; readonly known: readonly string[] },
): readonly Warning[] {
  const before = under === "" ? "" : `${under}.`;
  const unknown = Object.keys(values).filter((key) => !known.includes(key));
  return unknown.map((key) => ({
    code: "unknown_key",
    path,
    message: `${before}${shown(key, 60)} is not a key of this file and does nothing; known keys: ${known.join(", ")}${didYouMean(key, known)}`,
  }));
}

const mostEdits = 3;

/** The known word with the fewest edits, or one that begins as this one does. */
function nearestOf(seen: string, known: readonly string[]): string | undefined {
  const word = seen.toLowerCase();
  const all = known.map((name) => ({ name, edits: editsBetween(word, name.toLowerCase()) }));
  const near = all.filter(
    ({ name, edits }) => edits <= mostEdits && edits * 5 < Math.max(word.length, name.length) * 3,
  );
  const closest = near.toSorted((a, b) => a.edits - b.edits)[0]?.name;
  const isStart = (name: string): boolean => name.startsWith(`${word}-`) || word.startsWith(`${name}-`);
  return closest ?? known.find(isStart);
}

/** Letters inserted, removed or replaced, and neighbours exchanged; more than `mostEdits` when the lengths say so. */
function editsBetween(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > mostEdits) return mostEdits + 1;
  const rows = [Array.from({ length: other.length + 1 }, (_, at) => at)];
  const edits = (row: number, column: number): number => rows[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let row = 1; row <= one.length; row += 1) {
    rows.push([row]);
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      rows[row]?.push(
        Math.min(
          edits(row - 1, column) + 1,
          edits(row, column - 1) + 1,
          edits(row - 1, column - 1) + (isSame ? 0 : 1),
          isSwapped ? edits(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
  }
  return edits(one.length, other.length);
}
