import type { SearchIndex, StoredRow } from "../../ports/search-index.ts";
import { personIn, spokenLines, turnAbove, type SpokenLine } from "../../recall/ranking/speakers.ts";
import type { Passage } from "./arrange.ts";

type Placed = Pick<Passage, "row" | "unit">;

/**
 * Who speaks where each passage begins, by the name in the source; `null` where nobody does. `read` are chunks that are at hand: where they do not tell, all of the
 * section is read. Errors: `io`.
 */
export async function speakersOf(
  index: SearchIndex,
  passages: readonly Placed[],
  read: readonly StoredRow[],
): Promise<readonly (string | null)[]> {
  const atHand = bySection(read);
  const isTold = (name: string | null | undefined): boolean => name !== undefined;
  const byHand = passages.map((passage) => speakerNear(passage, atHand.get(passage.row.section) ?? []));
  const first = await beginningsOf(
    index,
    passages.filter(({ unit }, at) => unit === "statement" && !isTold(byHand[at])),
  );
  const near = passages.map(({ row, unit }, at) =>
    isTold(byHand[at]) || unit === "chunk" ? byHand[at] : first.get(row.section),
  );
  const unknown = new Set(passages.filter((_, at) => !isTold(near[at])).map(({ row }) => row.section));
  const rest = unknown.size === 0 ? [] : await index.rowsOfSections("chunk", [...unknown]);
  const spoken = new Map([...bySection(rest)].map(([section, rows]) => [section, linesOf(rows)]));
  return passages.map((passage, at) => {
    const name = near[at];
    return name === undefined ? speakerIn(spoken.get(passage.row.section) ?? [], passage) : name;
  });
}

/** By section how a person is named who speaks in its first chunk, where most talks with an assistant begin. */
async function beginningsOf(index: SearchIndex, passages: readonly Placed[]): Promise<ReadonlyMap<number, string>> {
  const places = new Map(
    passages.map(({ row: { section, source, sectionLines } }) => {
      return [section, { source, lines: [sectionLines[0], sectionLines[0]] as const }];
    }),
  );
  const names = new Map<number, string>();
  for (const { section, text } of places.size === 0 ? [] : await index.rowsAt("chunk", [...places.values()])) {
    const name = personIn(text);
    if (name !== undefined) names.set(section, name);
  }
  return names;
}

function bySection(rows: readonly StoredRow[]): ReadonlyMap<number, readonly StoredRow[]> {
  const sections = new Map<number, StoredRow[]>();
  for (const row of rows) {
    const known = sections.get(row.section);
    if (known === undefined) sections.set(row.section, [row]);
    else known.push(row);
  }
  return sections;
}

/** `undefined` when the chunks at hand do not tell. */
function speakerNear({ row, unit }: Placed, chunks: readonly StoredRow[]): string | null | undefined {
  const chunk = unit === "chunk" ? row : chunks.find((one) => holds(one, row));
  if (chunk !== undefined) {
    const lines = chunk.text.split("\n");
    const name = turnAbove(lines, unit === "chunk" ? 0 : lines.findIndex((line) => line.includes(row.text)));
    if (typeof name === "string") return name;
    if (name === null && chunk.lines[0] === chunk.sectionLines[0]) return null;
  }
  // Of a talk with an assistant only what the person says is a statement.
  return unit === "chunk" ? undefined : firstOf(chunks, (one) => personIn(one.text));
}

function firstOf<Row, Found>(rows: readonly Row[], find: (row: Row) => Found | undefined): Found | undefined {
  for (const row of rows) {
    const found = find(row);
    if (found !== undefined) return found;
  }
  return undefined;
}

function holds(chunk: StoredRow, { section, lines: [from], text }: StoredRow): boolean {
  return chunk.section === section && chunk.lines[0] <= from && from <= chunk.lines[1] && chunk.text.includes(text);
}

interface ChunkLine extends SpokenLine {
  readonly chunk: StoredRow;
}

function linesOf(rows: readonly StoredRow[]): readonly ChunkLine[] {
  const lines = rows.flatMap((chunk) => chunk.text.split("\n").map((text) => ({ number: 0, text, chunk })));
  return spokenLines(lines).map((line, at) => ({ ...line, chunk: lines[at]?.chunk as StoredRow }));
}

function speakerIn(lines: readonly ChunkLine[], { row, unit }: Placed): string | null {
  const said = lines.find(({ chunk, text }) =>
    unit === "chunk" ? chunk.id === row.id : holds(chunk, row) && text.includes(row.text),
  );
  return said === undefined || said.name === "" ? null : said.name;
}
