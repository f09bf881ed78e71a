/** Lines around a change. */
const around = 3;

/** More cells than this, and the changed stretch is shown as removed and added whole. */
const mostCells = 4_000_000;

/**
 * What changed between two texts, in the unified form of `diff -u`. `undefined` is a file that is not there. Empty when nothing changed.
 */
export function unifiedDiff(path: string, before: string | undefined, after: string | undefined): string {
  if (before === after) return "";
  const rows = rowsOf(linesOf(before ?? ""), linesOf(after ?? ""));
  const head = [`--- ${before === undefined ? "/dev/null" : path}`, `+++ ${after === undefined ? "/dev/null" : path}`];
  return `${[...head, ...hunksOf(rows)].join("\n")}\n`;
}

interface Row {
  readonly mark: " " | "-" | "+";
  readonly text: string;
}

/** A line end that is missing at the end, or is CRLF, is part of what is compared. */
function linesOf(text: string): readonly string[] {
  return (text.match(/[^\n]*\n|[^\n]+$/gu) ?? []).map((line) =>
    line.endsWith("\n") ? line.slice(0, -1) : `${line}\n\\ No newline at end of file`,
  );
}

function rowsOf(before: readonly string[], after: readonly string[]): readonly Row[] {
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head += 1;
  let tail = 0;
  const most = Math.min(before.length, after.length) - head;
  while (tail < most && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail += 1;
  return [
    ...marked(" ", before.slice(0, head)),
    ...changed(before.slice(head, before.length - tail), after.slice(head, after.length - tail)),
    ...marked(" ", before.slice(before.length - tail)),
  ];
}

function marked(mark: Row["mark"], lines: readonly string[]): readonly Row[] {
  return lines.map((text) => ({ mark, text }));
}

/** The longest common subsequence. */
function changed(before: readonly string[], after: readonly string[]): readonly Row[] {
  if (before.length === 0 || after.length === 0 || before.length * after.length > mostCells)
    return [...marked("-", before), ...marked("+", after)];
  const width = after.length + 1;
  const lengths = new Uint32Array((before.length + 1) * width);
  for (let i = before.length - 1; i >= 0; i--)
    for (let j = after.length - 1; j >= 0; j--)
      lengths[i * width + j] =
        before[i] === after[j]
          ? at(lengths, (i + 1) * width + j + 1) + 1
          : Math.max(at(lengths, (i + 1) * width + j), at(lengths, i * width + j + 1));
  const rows: Row[] = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    if (i < before.length && before[i] === after[j]) {
      rows.push({ mark: " ", text: before[i++] ?? "" });
      j += 1;
    } else if (
      j >= after.length ||
      (i < before.length && at(lengths, (i + 1) * width + j) >= at(lengths, i * width + j + 1))
    )
      rows.push({ mark: "-", text: before[i++] ?? "" });
    else rows.push({ mark: "+", text: after[j++] ?? "" });
  }
  return rows;
}

function at(lengths: Uint32Array, index: number): number {
  return lengths[index] ?? 0;
}

function hunksOf(rows: readonly Row[]): readonly string[] {
  const shown: string[] = [];
  const isNear = (index: number): boolean =>
    rows.slice(Math.max(0, index - around), index + around + 1).some(({ mark }) => mark !== " ");
  let [old, next] = [1, 1];
  for (let index = 0; index < rows.length;) {
    if (!isNear(index)) {
      [old, next, index] = [old + 1, next + 1, index + 1];
      continue;
    }
    let end = index;
    while (end < rows.length && isNear(end)) end += 1;
    const hunk = rows.slice(index, end);
    const [gone, come] = [
      hunk.filter(({ mark }) => mark !== "+").length,
      hunk.filter(({ mark }) => mark !== "-").length,
    ];
    shown.push(`@@ -${gone === 0 ? old - 1 : old},${gone} +${come === 0 ? next - 1 : next},${come} @@`);
    for (const { mark, text } of hunk) shown.push(mark + text);
    [old, next, index] = [old + gone, next + come, end];
  }
  return shown;
}
