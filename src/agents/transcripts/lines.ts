import type { FileHandle } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { sha256 } from "../../base/digest.ts";
import { pushAll } from "../../base/lists.ts";
import { fileAt, filesBelow, isWanted, kindAt, openRegular, passOver, refused } from "./places.ts";
import type { FoundFile, Home } from "./places.ts";
import { faultyRow, jsonIn, leftOut, longestRow, messageItem, timeAt, type Fields } from "./rows.ts";
import { sourceOfSubagent } from "./transcripts.ts";
import type {
  ReadOptions,
  Subagent,
  TranscriptItem,
  TranscriptQuery,
  Transcripts,
  TranscriptSource,
} from "./transcripts.ts";

/** The format of a client that writes one JSON Lines file per session. */
export interface LinesFormat {
  readonly client: TranscriptSource["client"];
  /** The folders with transcripts; only those of these projects if the client has a folder per project. */
  roots(home: Home, projects: readonly string[] | undefined): Promise<readonly string[]>;
  /** Whether a file is a transcript, by its path below a root. */
  isTranscript(path: string): boolean;
  /** Reads facts about the session from the first rows and the path. */
  headOf(rows: readonly Fields[], path: string): Head;
  /** `from` is the row's byte offset. `agent`: the subagent whose transcript is read. */
  items(row: Fields, from: number, agent?: string): Iterable<TranscriptItem>;
  /** The files of the subagents that these sessions started. */
  subagentFiles?(sessions: readonly NamedSource[]): Promise<readonly SubagentFile[]>;
  /** The subagent that a row belongs to, for a client that writes the rows of a session's subagents into its file, with the key `agentId`. */
  agentOf?(row: Fields): string | undefined;
}

/** A transcript with one session. */
export type NamedSource = TranscriptSource & { readonly session: string };
export type SubagentFile = FoundFile & Subagent;

export interface Head {
  /** `undefined`: the file is not a transcript. */
  readonly id: string | undefined;
  readonly started_at_ms: number | undefined;
  readonly folder: string | undefined;
  /** Set if it is the session of a subagent. */
  readonly subagent?: Subagent | undefined;
  /** Whether a row was copied from another session. */
  isCopied?(row: Fields): boolean;
  /** For a client that does not record the folder but allows checking one. */
  isOf?(folder: string): boolean;
}

/** The message in a row. Rows are only appended, so the offset `from` can replace a missing id. */
export function rowMessage(
  row: Fields,
  from: number,
  message: { readonly role: "user" | "assistant"; readonly text: string; readonly id: string | undefined },
): TranscriptItem {
  return messageItem({ ...message, id: message.id ?? `byte-${from}`, at_ms: timeAt(row, "timestamp") });
}

export function unknownRow(what: string, from: number): TranscriptItem {
  return { kind: "unknown", what, place: `byte ${from}` };
}

export function createLinesReader(home: Home, format: LinesFormat): Omit<Transcripts, "id"> {
  return {
    find: (query) => findFiles(home, format, query),
    subagents: (sources) => findSubagents(format, sources),
    read: async function* (source, options) {
      const { path, subagent } = source;
      const head = await headOf(format, path, subagent && headRowsOfSubagent);
      const { started_at_ms, folder, isCopied = () => false } = head;
      const id = source.session ?? head.id ?? "";
      const isShared = subagent !== undefined && format.agentOf !== undefined;
      // In a file with the rows of several, the time of the first message is the start.
      const start = isShared ? undefined : started_at_ms;
      const session = { id, started_at_ms: start, folder, title: undefined };
      for await (const line of readLines(path, { ...options, ...(isShared && { mark: subagent.agent }) })) {
        if (line.kind === "row" && isCopied(line.value)) yield leftOut.internal;
        else if (line.kind === "row") yield* format.items(line.value, line.from, subagent?.agent);
        else yield line;
        if (line.kind === "begin") yield { kind: "session", session };
      }
    },
  };
}

/** More subagents of one session are not looked for, since each of them is read for itself. */
const mostAgents = 1000;

async function findSubagents(
  format: LinesFormat,
  sources: readonly TranscriptSource[],
): Promise<readonly TranscriptSource[]> {
  const { client, agentOf, subagentFiles } = format;
  const sessions = sources.filter((source): source is NamedSource => {
    return source.session !== undefined && source.subagent === undefined;
  });
  const found: TranscriptSource[] = [];
  for (const { path, changed_at_ms, parent, agent } of (await subagentFiles?.(sessions)) ?? [])
    found.push({ client, path, changed_at_ms, ...sourceOfSubagent({ parent, agent }) });
  if (agentOf === undefined) return found;
  for (const { session: parent, ...file } of sessions)
    for (const agent of (await agentsIn(file.path, agentOf).catch(passOver)) ?? [])
      found.push({ ...file, ...sourceOfSubagent({ parent, agent }) });
  return found;
}

async function agentsIn(path: string, agentOf: (row: Fields) => string | undefined): Promise<ReadonlySet<string>> {
  const agents = new Set<string>();
  for await (const line of readLines(path, { mark: '"agentId"' })) {
    const agent = line.kind === "row" ? agentOf(line.value) : undefined;
    if (agent !== undefined) agents.add(agent);
    if (agents.size === mostAgents) break;
  }
  return agents;
}

async function findFiles(home: Home, format: LinesFormat, query: TranscriptQuery): Promise<TranscriptSource[]> {
  const { path, folders, session, most = Number.POSITIVE_INFINITY, signal } = query;
  const { client } = format;
  if (path !== undefined && (await kindAt(path)) === "file") return [await namedFile(format, resolve(path))];
  const roots = path === undefined ? await format.roots(home, folders) : [resolve(path)];
  const files: FoundFile[] = [];
  const isTranscript = (below: string): boolean => format.isTranscript(path === undefined ? below : basename(below));
  for (const root of roots) pushAll(files, await filesBelow(root, isTranscript));
  const sources: TranscriptSource[] = [];
  for (const file of files.toSorted((a, b) => b.changed_at_ms - a.changed_at_ms)) {
    if (sources.length >= most) break;
    signal?.throwIfAborted();
    const head = await headOf(format, file.path).catch(passOver);
    if (head?.id === undefined || head.subagent !== undefined) continue;
    if (session !== undefined && head.id !== session) continue;
    const { isOf } = head;
    if (isOf === undefined || folders === undefined ? !isWanted(head.folder, query) : !folders.some(isOf)) continue;
    sources.push({ ...file, client, session: head.id });
  }
  return sources;
}

async function namedFile(format: LinesFormat, path: string): Promise<TranscriptSource> {
  const { client } = format;
  const { id, subagent } = await headOf(format, path);
  const changed_at_ms = (await fileAt(path))?.changed_at_ms ?? 0;
  if (id !== undefined)
    return { client, path, changed_at_ms, session: id, ...(subagent && sourceOfSubagent(subagent)) };
  throw refused("invalid_body", path, `is not a transcript of ${client}: its first rows contain no session id.`);
}

/** Enough for the first rows, even with long instructions. */
const headBytes = 512 * 1024;
/** A session may have many subagents, and the first row says when one started. */
const headRowsOfSubagent = 4;

async function headOf(format: LinesFormat, path: string, most?: number): Promise<Head> {
  return format.headOf(await firstRows(path, most), path);
}

/** The objects on the first complete lines of a file. */
export async function firstRows(path: string, most?: number): Promise<readonly Fields[]> {
  const file = await openRegular(path);
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    const lines = buffer
      .toString("utf8", 0, bytesRead)
      .replace(/^\uFEFF/u, "")
      .split("\n")
      .slice(0, -1);
    return lines
      .slice(0, most)
      .map(jsonIn)
      .filter((row) => row !== undefined);
  } finally {
    await file.close();
  }
}

const chunkBytes = 256 * 1024;
const checkedBytes = 1024;

/** The object on a line with the offset of its first byte, or an item. */
type Line = { readonly kind: "row"; readonly value: Fields; readonly from: number } | TranscriptItem;

interface LineOptions extends ReadOptions {
  /** Only lines that contain this text are parsed. */
  readonly mark?: string;
}

/** Reads the lines in a file in bounded memory. A last line without a line end is incomplete: it is not returned, and no position is after it. */
async function* readLines(path: string, { from, ...options }: LineOptions): AsyncGenerator<Line, void, void> {
  const file = await openRegular(path);
  try {
    const isSame =
      from !== undefined &&
      Number.isSafeInteger(from.at) &&
      from.at > 0 &&
      (await digestBefore(file, from.at)) === from.check;
    yield { kind: "begin", at: isSame ? "cursor" : "start" };
    yield* linesFrom(file, isSame ? from.at : 0, options);
  } finally {
    await file.close();
  }
}

async function* linesFrom(
  file: FileHandle,
  start: number,
  { signal, mark }: Omit<LineOptions, "from">,
): AsyncGenerator<Line, void, void> {
  const room = Buffer.alloc(chunkBytes);
  /** The start of a line whose end is not read yet, and its offset. */
  let pieces: Buffer[] = [];
  let from = start;
  for (let at = start; ;) {
    signal?.throwIfAborted();
    const { bytesRead } = await file.read(room, 0, chunkBytes, at);
    if (bytesRead === 0) return;
    const chunk = room.subarray(0, bytesRead);
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, end + 1)) {
      const line = Buffer.concat([...pieces, chunk.subarray(Math.max(0, from - at), end)]);
      if (at + end - from > longestRow) yield faultyRow("long_row", `byte ${from}`);
      else if (mark === undefined || line.includes(mark)) yield* rowIn(line.toString("utf8"), from);
      pieces = [];
      from = at + end + 1;
    }
    const rest = chunk.subarray(Math.max(0, from - at));
    at += bytesRead;
    if (at - from > longestRow) pieces = [];
    else if (rest.length > 0) pieces.push(Buffer.from(rest));
    yield { kind: "position", position: { at: from, check: await digestBefore(file, from) } };
  }
}

async function digestBefore(file: FileHandle, at: number): Promise<string> {
  const length = Math.min(checkedBytes, at);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, at - length);
  return sha256(buffer.subarray(0, bytesRead));
}

function* rowIn(line: string, from: number): Iterable<Line> {
  const text = (from === 0 ? line.replace(/^\uFEFF/u, "") : line).trim();
  if (text === "") return;
  const value = jsonIn(text);
  yield value === undefined ? faultyRow("torn_row", `byte ${from}`) : { kind: "row", value, from };
}
