import { Buffer } from "node:buffer";
import type { Files } from "../../platform/files.ts";
import { sizeOf, type LogLayout, type Piece } from "./log-layout.ts";
import { layoutOf, realFilesOf } from "./logical-logs.ts";
import { readPieces } from "./raw-logs.ts";
import type { LineRange } from "../root-run/root.ts";

/** Tells where lines of a log are kept. `null`: at the same lines of the log's own file. Of lines that are kept in two files: those in the first. */
export type KeptIn = (lines: readonly [number, number]) => LineRange | null;

/** For one log; streams it when it was shortened. Errors: those of reading it. */
export async function keptLinesOf(files: Files, path: string): Promise<KeptIn> {
  const layout = await layoutOf(files, path);
  if (layout === undefined) return () => null;
  const borders = await bordersOf(files, path, layout);
  return ([from, to]) => {
    if (to <= borders.same) return null;
    const index = borders.pieces.findLastIndex(({ first }) => first <= from);
    const border = borders.pieces[index];
    if (border === undefined) return null;
    const last = Math.max(from, Math.min(to, (borders.pieces[index + 1]?.first ?? to + 1) - 1));
    const kept: LineRange = { path: border.path, lines: [border.ownLine(from), border.ownLine(last)] };
    return kept.path === path && kept.lines[0] === from && kept.lines[1] === to ? null : kept;
  };
}

interface Border {
  readonly path: string;
  /** The first line of the log that begins in the piece. */
  readonly first: number;
  /** The line of the file at `path` that a line of the log in this piece is. */
  readonly ownLine: (line: number) => number;
}

async function bordersOf(
  files: Files,
  path: string,
  layout: LogLayout,
): Promise<{ readonly pieces: readonly Border[]; readonly same: number }> {
  let at = 0;
  const starts = layout.pieces.map((piece) => (at += sizeOf(piece)) - sizeOf(piece));
  const places = await placesAt(files, path, [...starts, layout.same]);
  const pieces: Border[] = [];
  for (const [index, piece] of layout.pieces.entries()) {
    const { lines = 0, isOpen = false } = places.get(starts[index] ?? 0) ?? {};
    const first = lines + (isOpen ? 2 : 1);
    if (piece.kind !== "end") pieces.push({ first, ...(await ownLines(files, path, { piece, before: lines })) });
  }
  return { pieces, same: places.get(layout.same)?.lines ?? 0 };
}

async function ownLines(
  files: Files,
  path: string,
  of: { readonly piece: Exclude<Piece, { readonly kind: "end" }>; readonly before: number },
): Promise<Pick<Border, "path" | "ownLine">> {
  const { piece, before } = of;
  if (piece.kind === "lines")
    return { path: piece.path, ownLine: (line) => piece.numbers[line - before - 1] ?? piece.numbers.at(-1) ?? 1 };
  const own = piece.kind === "part" ? piece.step.part : path;
  const place = (await placesAt(realFilesOf(files), own, [piece.from])).get(piece.from);
  const by = (place?.lines ?? 0) - before;
  return { path: own, ownLine: (line) => line + by };
}

interface Place {
  /** Line ends before it. */
  readonly lines: number;
  /** Whether the byte before it is no line end. */
  readonly isOpen: boolean;
}

/** What stands before some offsets of a file. */
async function placesAt(files: Files, path: string, offsets: readonly number[]): Promise<ReadonlyMap<number, Place>> {
  const wanted = [...new Set(offsets)].filter((offset) => offset > 0).toSorted((a, b) => a - b);
  const found = new Map<number, Place>();
  let [at, lines] = [0, 0];
  for await (const piece of readPieces(files, path, wanted.at(-1) ?? 0)) {
    const bytes = Buffer.from(piece?.bytes ?? []);
    let from = 0;
    for (const offset of wanted.filter((one) => one > at && one <= at + bytes.length)) {
      lines += endsIn(bytes.subarray(from, offset - at));
      from = offset - at;
      found.set(offset, { lines, isOpen: bytes[from - 1] !== 10 });
    }
    lines += endsIn(bytes.subarray(from));
    at += bytes.length;
  }
  return found;
}

function endsIn(bytes: Uint8Array): number {
  let ends = 0;
  for (const byte of bytes) if (byte === 10) ends += 1;
  return ends;
}
