import { artifactPath } from "../../base/known-paths.ts";
import { decodeText } from "../../base/lines.ts";
import { ifMemoryError, MemoryError } from "../../base/errors.ts";
import { parseEntryComment } from "../../base/memory-type.ts";
import { pushAll } from "../../base/lists.ts";
import { parsePlace, readPlace } from "../../recall/read/read.ts";
import { repeats, sentencesSaid } from "../../text/corrected.ts";
import { shown } from "../../text/shown.ts";
import { frameOf, MESSAGE, roleOf, type Frame } from "../../threads/model/frame.ts";
import { parseLines } from "../../threads/model/summary.ts";
import { readSummary } from "../../threads/run/read-summary.ts";
import { derivedLines, findEntry, shortText } from "../../tree/inspect/trace-forward.ts";
import { readLines, readLogTexts } from "../../tree/logs/raw-logs.ts";
import { withWholeLogs } from "../../tree/memory.ts";
import { isEntryId } from "../../tree/model/entry-format.ts";
import { parseLogFile } from "../../tree/model/period.ts";
import type { LineRange } from "../../tree/root-run/root.ts";
import type { AgentMemory } from "../memory.ts";
import { parseInjections, sessionsFolder, type Injection } from "./record.ts";

/** Something that comes from a place. */
export interface DerivedPlace {
  /** A file, or `thread:ID`. */
  readonly path: string;
  /** Lines of the file, of a thread's summary, or messages. */
  readonly lines: readonly [number, number];
  /** Without secrets, at most 2,000 characters. */
  readonly text: string;
  /**
   * `verbatim`: a copy. `summary`: made from it. `correction`: an entry that corrects it. `message`: what capture wrote to the thread for this entry.
   * `entry`: what capture wrote to the log for this message. `session`: a text that a session was given.
   */
  readonly how: "verbatim" | "summary" | "correction" | "message" | "entry" | "session";
  /** Present if the place is only one possible source: a model worded the line, or the log was changed. */
  readonly approximate?: true;
}

export interface ForwardResult {
  /** What was asked for: lines of a log, or messages of a thread (`thread:ID`). */
  readonly source: { readonly path: string; readonly lines: readonly [number, number]; readonly text: string };
  readonly derived: readonly DerivedPlace[];
  /** Whether the search index has it. */
  readonly indexed: boolean;
}

/**
 * Everything that comes from log lines, thread messages or an entry: lines of nodes and of ROOT.md, lines of thread summaries, what capture wrote to both
 * the log and the thread, entries that correct it, and the sessions that were given it. `place`: `memory/2026-03-15.md:12-18`, `thread:ID:5` or an
 * entry's id. Errors: `invalid_path`, `not_found`, `thread_not_found`, `invalid_thread_id`, `io`.
 */
export async function traceForward(memory: AgentMemory, input: { readonly place: string }): Promise<ForwardResult> {
  const source = await sourceAt(memory, input.place.trim());
  const linked = source.path.startsWith("thread:") ? await entriesOf(memory, source) : await messagesOf(memory, source);
  const all = [source, ...linked];
  const [messages, logs] = [all.filter(isThread), all.filter((place) => !isThread(place))];
  const derived: DerivedPlace[] = [...linked];
  for (const one of messages) pushAll(derived, await summariesOf(memory, one));
  if (logs.length > 0) pushAll(derived, await derivedLines(memory, logs));
  pushAll(derived, await sessionsGiven(memory, all, derived));
  const places = all.map(({ path, lines }) => ({ source: path, lines }));
  const rows = await memory.searchIndex.rowsAt("chunk", places).catch(ifMemoryError(() => []));
  return { source, derived, indexed: rows.length > 0 };
}

type Source = ForwardResult["source"];

function isThread({ path }: LineRange): boolean {
  return path.startsWith("thread:");
}

async function sourceAt(memory: AgentMemory, text: string): Promise<Source> {
  const entry = isEntryId(text) && !/[:/]|\.md$/u.test(text) ? await findEntry(memory, text) : undefined;
  const asked = entry === undefined ? text : `${entry.path}:${entry.lines.join("-")}`;
  const place = parsePlace(asked);
  const isLog = place.is === "thread" || parseLogFile(place.path.replace(/^memory\//u, "")).state === "log";
  if (!isLog) {
    const seen = shown(text, 80);
    const message = `"${seen}" is neither lines of a log (memory/2026-03-15.md:12-18), messages of a thread (thread:ID:5) nor the id of an entry.`;
    throw new MemoryError("not_found", message, { place: seen });
  }
  const read = await readPlace(memory, { place: asked });
  const [, path = "", from, to] = /^(.*):(\d+)-(\d+)$/su.exec(read.source) ?? [];
  const lines = [Number(from), Math.max(Number(from), Number(to))] as const;
  if (read.text.trim() !== "" || place.is === "thread") return { path, lines, text: shortText(read.text) };
  // An entry that was removed is still in the log.
  const { files } = await withWholeLogs(memory);
  const [written] = await readLines(files, path, [{ from: lines[0], to: lines[1] }], "kept");
  return { path, lines, text: shortText(written?.text ?? "") };
}

/** The messages that capture wrote into the entries at these lines. */
async function messagesOf(memory: AgentMemory, source: LineRange): Promise<readonly DerivedPlace[]> {
  const captured = (await capturedEntries(memory, source.path)).filter(
    ({ lines }) => lines[0] <= source.lines[1] && source.lines[0] <= lines[1],
  );
  if (captured.length === 0) return [];
  const { heads } = await memory.threads.heads({ limit: Number.MAX_SAFE_INTEGER });
  const found: DerivedPlace[] = [];
  for (const { digest, at } of captured)
    for (const head of heads.filter(
      ({ created_at_ms, updated_at_ms }) => created_at_ms < at + second && at <= updated_at_ms,
    )) {
      const frames = await messageFrames(memory, head.thread_id, [0, head.head_seq]);
      const start = frames.findIndex(({ id }) => isMadeFrom(id, digest));
      if (start >= 0) pushAll(found, turnAt(frames, start).map(messageAt));
    }
  return found;
}

/** The log entries that capture made from turns with these messages. */
async function entriesOf(memory: AgentMemory, source: Source): Promise<readonly DerivedPlace[]> {
  const thread = source.path.slice("thread:".length);
  const head = await memory.threads.head(thread);
  const frames = await messageFrames(memory, thread, [0, head?.head_seq ?? 0]);
  const starts = frames.flatMap((frame, at) => {
    const isAsked = turnAt(frames, at).some(({ seq }) => source.lines[0] <= seq && seq <= source.lines[1]);
    return isOfUser(frame) && isAsked ? [frame.id] : [];
  });
  const found: DerivedPlace[] = [];
  for (const name of starts.length === 0 ? [] : await memory.files.names("memory")) {
    if (parseLogFile(name).state !== "log") continue;
    const path = `memory/${name}`;
    for (const { digest, lines, text } of await capturedEntries(memory, path))
      if (starts.some((id) => isMadeFrom(id, digest))) found.push({ path, lines, text, how: "entry" });
  }
  return found;
}

const second = 1000;

/** The entries of a log that capture wrote. */
async function capturedEntries(opened: AgentMemory, path: string) {
  const { files } = await withWholeLogs(opened);
  const lines: string[] = [];
  await readLogTexts(files, path, (more) => pushAll(lines, more));
  return lines.flatMap((line, at) => {
    const comment = line.startsWith("<!-- hw id=capture-") ? parseEntryComment(line) : undefined;
    const digest = /^capture-([0-9a-f]{26})$/u.exec(comment?.id ?? "")?.[1];
    if (comment === undefined || digest === undefined || at === 0) return [];
    const next = lines.findIndex((other, index) => index > at && other.startsWith("## "));
    const text = lines
      .slice(at - 1, next < 0 ? undefined : next)
      .join("\n")
      .trimEnd();
    const last = at + text.split("\n").length - 1;
    return [{ digest, at: Date.parse(comment.at), lines: [at, last] as const, text: shortText(text) }];
  });
}

/** Whether the id of a frame is made from a digest that begins with these digits. Two of its digits are the version and the variant. */
function isMadeFrom(frameId: string, digest: string): boolean {
  const hex = frameId.replaceAll("-", "");
  return [...digest].every((digit, at) => at === 12 || at === 16 || hex[at] === digit);
}

const page = 1000;

async function messageFrames(memory: AgentMemory, thread: string, [from, to]: readonly [number, number]) {
  const found: Frame[] = [];
  for (let from_seq = from; from_seq <= to; from_seq += page) {
    const range = { thread_id: thread, from_seq, to_seq: Math.min(to, from_seq + page - 1), limit: page };
    const frames = (await memory.threads.frames(range)).map(frameOf);
    pushAll(found, frames.filter((frame) => frame?.type === MESSAGE) as Frame[]);
  }
  return found;
}

function isOfUser({ fields }: Frame): boolean {
  return roleOf(String(fields["actor_id"])) === "user";
}

/** What the entry of a turn contains: the message of the user at `start`, and the last thing that was said before the next one. */
function turnAt(frames: readonly Frame[], start: number): readonly Frame[] {
  const next = frames.findIndex((frame, at) => at > start && isOfUser(frame));
  const answers = frames.slice(start + 1, next < 0 ? undefined : next);
  return [frames[start], answers.at(-1)].filter((frame) => frame !== undefined);
}

function messageAt({ thread_id, seq, fields }: Frame): DerivedPlace {
  const text = `${roleOf(String(fields["actor_id"]))}: ${String(fields["content"])}`;
  return { path: `thread:${thread_id}`, lines: [seq, seq], text: shortText(text), how: "message" };
}

/** The lines of summaries about these messages: those of the thread, and those that other threads began with. Lines count within the summary. */
async function summariesOf(memory: AgentMemory, { path, lines }: LineRange): Promise<readonly DerivedPlace[]> {
  const thread = path.slice("thread:".length);
  const { heads } = await memory.threads.heads({ limit: Number.MAX_SAFE_INTEGER });
  const ids = new Set<string>();
  for (const { thread_id } of heads)
    for (const { fields, type } of await summaryFrames(memory, thread_id)) {
      const of = type === handoff ? fields["from_thread_id"] : thread_id;
      const to = Number(type === handoff ? fields["from_seq"] : fields["to_seq"]);
      const from = type === handoff ? 0 : Number(fields["from_seq"]);
      const id = fields["summary_artifact_id"];
      if (of === thread && from <= lines[1] && lines[0] <= to && typeof id === "string") ids.add(id);
    }
  const found: DerivedPlace[] = [];
  for (const id of ids) {
    const summary = await readSummary(memory, id);
    for (const [at, line] of (summary?.summary_markdown ?? "").split(/\r\n|\n|\r/u).entries()) {
      // A line without the number of a message may be about any.
      const [said] = parseLines(line, -1);
      if (said === undefined || (said.seq !== -1 && !(lines[0] <= said.seq && said.seq <= lines[1]))) continue;
      const text = shortText(line);
      const exact = said.seq === -1 ? { approximate: true as const } : {};
      found.push({ path: artifactPath(id, "json"), lines: [at + 1, at + 1], text, how: "summary", ...exact });
    }
  }
  return found;
}

const handoff = "continuity_handoff_created";

async function summaryFrames(memory: AgentMemory, thread_id: string): Promise<readonly Frame[]> {
  const types = ["continuity_compaction_checkpoint_created", handoff] as const;
  const frames = await memory.threads.frames({ thread_id, types, limit: 10_000 });
  return frames.map(frameOf).filter((frame) => frame !== undefined);
}

/** The texts that sessions were given with any of this: they name the place, or say the same. `lines`: the line of the record. */
async function sessionsGiven(
  memory: AgentMemory,
  sources: readonly Pick<DerivedPlace, "path" | "lines" | "text">[],
  derived: readonly DerivedPlace[],
): Promise<readonly DerivedPlace[]> {
  const said = sentencesSaid(sources.map(({ text }) => text).join("\n"));
  const copies = new Set(derived.flatMap(({ how, text }) => (how === "summary" ? [text.trim()] : [])));
  const isGiven = (line: string): boolean => copies.has(line.trim()) || repeats(line, said);
  const namesPlace = (place: string): boolean => {
    const [, path, from, to = from] = /^(.*):(\d+)(?:-(\d+))?$/su.exec(place) ?? [];
    return sources.some((one) => one.path === path && Number(from) <= one.lines[1] && one.lines[0] <= Number(to));
  };
  const found: DerivedPlace[] = [];
  for (const name of await memory.files.names(sessionsFolder)) {
    if (!name.endsWith(".jsonl")) continue;
    const path = `${sessionsFolder}/${name}`;
    const read = await memory.files.read(path);
    for (const [at, line] of (decodeText(read?.bytes ?? new Uint8Array()) ?? "").split("\n").entries()) {
      const [one]: readonly (Injection | undefined)[] = parseInjections(line);
      if (one === undefined) continue;
      const given = one.text.split("\n").filter(isGiven);
      if (given.length === 0 && !one.lines.some(namesPlace)) continue;
      found.push({ path, lines: [at + 1, at + 1], text: shortText(given.join("\n")), how: "session" });
    }
  }
  return found;
}
