import type { SearchIndex, StoredRow } from "../index/search-index.ts";
import { personIn, spokenLines, turnAbove, type SpokenLine } from "../rank/speakers.ts";
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
  const byHand = passages.map((passage) => speakerNear(passage, atHand.get(passage.row.section) ?? []));
  const own = bySection(await ownChunks(index, passages, byHand));
  const near = passages.map((passage, at) =>
    byHand[at] !== undefined ? byHand[at] : speakerAbove(passage, own.get(passage.row.section) ?? []),
  );
  const unknown = new Set(passages.filter((_, at) => near[at] === undefined).map(({ row }) => row.section));
  const rest = unknown.size === 0 ? [] : await index.rowsOfSections("chunk", [...unknown]);
  const spoken = new Map([...bySection(rest)].map(([section, rows]) => [section, linesOf(rows)]));
  return passages.map((passage, at) => {
    const name = near[at];
    return name === undefined ? speakerIn(spoken.get(passage.row.section) ?? [], passage) : name;
  });
}

/** The chunks in which statements stand of whose speakers nothing is known: mostly they begin with the name, and a whole section is much to read. */
async function ownChunks(
  index: SearchIndex,
  passages: readonly Placed[],
  told: readonly (string | null | undefined)[],
): Promise<readonly StoredRow[]> {
  const places = passages
    .filter(({ unit }, at) => unit === "statement" && told[at] === undefined)
    .map(({ row: { source, lines } }) => ({ source, lines }));
  return places.length === 0 ? [] : index.rowsAt("chunk", places);
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
function speakerNear(passage: Placed, chunks: readonly StoredRow[]): string | null | undefined {
  const name = speakerAbove(passage, chunks);
  // Of a talk with an assistant only what the person says is a statement.
  return name === undefined && passage.unit === "statement" ? firstOf(chunks, (one) => personIn(one.text)) : name;
}

/** By the turns above it in its own chunk; `undefined` when they do not tell. */
function speakerAbove({ row, unit }: Placed, chunks: readonly StoredRow[]): string | null | undefined {
  const chunk = unit === "chunk" ? row : chunks.find((one) => holds(one, row));
  if (chunk === undefined) return undefined;
  const lines = chunk.text.split("\n");
  const name = turnAbove(lines, unit === "chunk" ? 0 : lines.findIndex((line) => line.includes(row.text)));
  if (typeof name === "string") return name;
  return name === null && chunk.lines[0] === chunk.sectionLines[0] ? null : undefined;
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
