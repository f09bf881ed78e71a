import { isObject } from "../../base/json.ts";
import { ifMemoryError } from "../../base/errors.ts";
import { Needles } from "../../text/folded.ts";
import { compileBundle } from "../compile/compile.ts";
import { type Frame, frameOf, isMark, MESSAGE, messageOf } from "../model/frame.ts";
import { parseSummary, printSummary, rungSummary, type SummaryArtifact } from "../model/summary.ts";
import type { ThreadMemory } from "../memory.ts";
import { spanOf } from "../plan/judge-frame.ts";
import { blockOfRule } from "../plan/ladder.ts";
import type { Checkpoint } from "../plan/thread-state.ts";
import type { IndexedType } from "../store/thread-store.ts";
import { requestOf } from "../verify/artifacts.ts";
import { linesOf, makerOf } from "../verify/rebuild-summaries.ts";
import { Replay } from "../verify/replay.ts";
import { summarizerOf } from "./block-lines.ts";
import { readBase, summaryUpTo } from "./block-lines.ts";

const checkpointType = "continuity_compaction_checkpoint_created";

/** What to take out of the threads. */
export interface Redaction {
  /** The id of the tombstone of each message, by the id of its frame. */
  readonly messages: ReadonlyMap<string, string>;
  /** Threads whose titles go too. */
  readonly titles: ReadonlySet<string>;
  /** Texts that must not stay in any other field of a frame. */
  readonly needles: Needles;
  /** The ids of all threads: they stay, and so does what names them. */
  readonly ids: ReadonlySet<string>;
  /** Called with ids of artifacts before nothing names them any more, so that they are removed even after a crash. */
  readonly onOrphans: (ids: readonly string[]) => Promise<void>;
}

/**
 * Takes the words out of messages. Their frames stay, with the same ids and seqs; what was made from them is made again, and the frames name the new
 * artifacts. Can be repeated after a crash at any point. Leaves no old bytes in the store; the caller removes the orphaned artifacts.
 */
export async function redactThreads(memory: ThreadMemory, given: Omit<Redaction, "ids">): Promise<void> {
  const { heads } = await memory.threads.heads({ limit: Number.MAX_SAFE_INTEGER });
  const redaction = { ...given, ids: new Set(heads.map(({ thread_id }) => thread_id)) };
  if (heads.length === 0) return;
  const affected = new Map<string, number>();
  for (const { thread_id } of heads) {
    let first: number | undefined;
    await memory.threads.rewrite(thread_id, (line) => {
      const frame = frameOf({ line });
      if (frame === undefined) return line;
      const next = withoutWords(frame, redaction);
      // Also those of an earlier attempt, whose summaries may not have been rebuilt.
      if (redaction.messages.has(frame.id) || next !== undefined) first ??= frame.seq;
      return next ?? line;
    });
    // A summary that a person wrote may have words that no message has.
    for (const checkpoint of await framesOf(memory, thread_id, checkpointType)) {
      const { to_seq, summary_artifact_id: id } = checkpoint.fields;
      if (
        typeof to_seq === "number" &&
        (first === undefined || to_seq < first) &&
        (await hasWords(memory, id, given.needles))
      )
        first = to_seq;
    }
    if (first !== undefined) affected.set(thread_id, first);
  }
  const renamed = new Map<string, string>();
  for (const [thread_id, first] of affected) await rebuildSummaries(memory, { thread_id, first, redaction, renamed });
  for (const { thread_id } of heads) await rebuildHandoffs(memory, { thread_id, affected, redaction, renamed });
  await rename(memory, heads, renamed, redaction);
  const bundles = new Map<string, string>();
  for (const { thread_id } of heads) await recompile(memory, { thread_id, redaction, renamed, bundles });
  await rename(memory, heads, bundles, redaction);
  await memory.threads.purge();
}

async function hasWords({ artifacts }: ThreadMemory, id: unknown, needles: Needles): Promise<boolean> {
  const bytes = typeof id === "string" ? await artifacts.get(id).catch(ifMemoryError(() => undefined)) : undefined;
  return bytes !== undefined && needles.isInBytes(bytes);
}

/** The summary that a frame names, if a person or another program wrote it; `undefined` for any other. */
export async function writtenSummary(
  { artifacts }: ThreadMemory,
  { type, fields }: Pick<Frame, "type" | "fields">,
): Promise<string | undefined> {
  const id = type === checkpointType ? fields["summary_artifact_id"] : undefined;
  const bytes = typeof id === "string" ? await artifacts.get(id).catch(ifMemoryError(() => undefined)) : undefined;
  const summary = bytes === undefined ? undefined : parseSummary(bytes);
  if (summary === undefined || "fault" in summary || summary.provenance.produced_by !== undefined) return undefined;
  return summary.summary_markdown;
}

/** Whether the message at a seq is one whose words were taken out. */
export async function isRedacted(memory: ThreadMemory, thread_id: string, seq: string): Promise<boolean> {
  if (!/^\d{1,10}$/u.test(seq)) return false;
  const [stored] = await memory.threads.frames({ thread_id, from_seq: Number(seq), limit: 1 });
  const message = messageOf(frameOf(stored));
  return message?.forgotten !== undefined && String(message.seq) === seq;
}

/** The line of a frame without the words; `undefined` if it has none of them. */
function withoutWords(frame: Frame, redaction: Redaction): string | undefined {
  const by = redaction.messages.get(frame.id);
  if (by !== undefined && frame.type === MESSAGE) {
    if (frame.fields["content"] === "" && frame.fields["redacted"] !== undefined) return undefined;
    const bytes = Buffer.byteLength(String(frame.fields["content"]), "utf8");
    return JSON.stringify({ ...fieldsWithout(frame, redaction), content: "", redacted: { by, bytes } });
  }
  const isTitled = redaction.titles.has(frame.thread_id) && typeof frame.fields["title"] === "string";
  const titled = isTitled ? { ...frame, fields: { ...frame.fields, title: null } } : frame;
  const next = frame.type === MESSAGE ? titled.fields : fieldsWithout(titled, redaction);
  return next === frame.fields ? undefined : JSON.stringify(next);
}

function fieldsWithout({ type, fields }: Frame, redaction: Redaction): Frame["fields"] {
  const after = Object.entries(fields).map(
    ([name, value]) => [name, isMark(type, name) ? value : withoutNeedles(value, redaction)] as const,
  );
  return after.every(([name, value]) => value === fields[name]) ? fields : Object.fromEntries(after);
}

/** Texts without their lines that contain a needle; the same value if there are none. Keys are fields of the format. */
function withoutNeedles<T>(value: T, redaction: Pick<Redaction, "needles" | "ids">): T {
  const { needles, ids } = redaction;
  if (typeof value === "string") {
    if (ids.has(value) || !needles.isIn(value)) return value;
    const lines = value.split("\n");
    const gone = needles.linesIn(lines);
    return lines.filter((_, index) => !gone.has(index + 1)).join("\n") as T;
  }
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, inner, withoutNeedles(inner, redaction)] as const);
  if (entries.every(([, before, after]) => before === after)) return value;
  const after = entries.map(([key, , inner]) => [key, inner] as const);
  return (Array.isArray(value) ? after.map(([, inner]) => inner) : Object.fromEntries(after)) as T;
}

interface Rebuild {
  readonly thread_id: string;
  readonly redaction: Redaction;
  /** New ids of artifacts, by the old ones. */
  readonly renamed: Map<string, string>;
}

/** Makes the summaries of a thread from its first changed frame on again, oldest first, because each builds on one before. */
async function rebuildSummaries(memory: ThreadMemory, work: Rebuild & { readonly first: number }): Promise<void> {
  const replay = new Replay(memory, work.thread_id, {});
  await replay.catchUp();
  for (const checkpoint of replay.thread.checkpoints) {
    if (checkpoint.to_seq < work.first || work.renamed.has(checkpoint.artifact_id)) continue;
    const bytes = await memory.artifacts.get(checkpoint.artifact_id).catch(ifMemoryError(() => undefined));
    const summary = bytes === undefined ? undefined : parseSummary(bytes);
    if (summary === undefined || "fault" in summary) continue;
    const next = await rebuilt(replay, checkpoint, summary, work);
    if (next === undefined) continue;
    const id = typeof next === "string" ? next : await memory.artifacts.put(printSummary(next));
    if (id !== checkpoint.artifact_id) work.renamed.set(checkpoint.artifact_id, id);
  }
}

/** The summary without what was forgotten, or the id of the one to use instead. */
async function rebuilt(
  replay: Replay,
  checkpoint: Checkpoint,
  summary: SummaryArtifact,
  { thread_id, redaction, renamed }: Rebuild,
): Promise<SummaryArtifact | string | undefined> {
  const { memory } = replay;
  const { places } = replay.thread;
  const last = places.at(places.count);
  const to = places.ofSeq(checkpoint.to_seq);
  const named = summary.basis?.base_summary_artifact_id;
  const base = named === undefined ? undefined : (renamed.get(named) ?? named);
  const isOwn = makerOf(summary) === summarizerOf(memory).id && last !== undefined && to !== undefined;
  const block = blockOfRule(checkpoint.cut_rule_id);
  if (isOwn && block !== undefined) {
    const [from, end] = (spanOf(places, block) ?? []).map((ordinal) => places.at(ordinal));
    if (from === undefined || end === undefined) return undefined;
    const lines = await linesOf(replay, last).ofBlock(block);
    return rungSummary({ thread_id, block, span: { from, to: end }, lines, summarizer: summarizerOf(memory).id });
  }
  if (isOwn) {
    const read = base === undefined ? null : await readBase(memory, thread_id, base);
    if (read === undefined) return undefined;
    const source = linesOf(replay, last);
    return summaryUpTo(memory, { thread_id, to, base: read, source, provenance: summary.provenance });
  }
  // A model may have put it in other words: the built-in summary that it was made with says the rest.
  if (summary.provenance.produced_by?.type === "model" && base !== undefined) return base;
  return withoutLines(summary, redaction, seqsIn(replay, redaction));
}

function seqsIn(replay: Replay, { messages }: Redaction): ReadonlySet<number> {
  const { places } = replay.thread;
  const all = Array.from({ length: places.count }, (_, index) => places.at(index + 1));
  return new Set(all.flatMap((place) => (place !== undefined && messages.has(place.id) ? [place.seq] : [])));
}

/** A text that someone else wrote, without the lines that have the words or name a message that has none any more. */
function withoutLines(summary: SummaryArtifact, { needles }: Redaction, seqs: ReadonlySet<number>): SummaryArtifact {
  const lines = summary.summary_markdown.split("\n");
  const gone = needles.linesIn(lines);
  const kept = lines.filter((line, index) => {
    const seq = /^- #(\d{1,10}) /u.exec(line)?.[1];
    return !gone.has(index + 1) && !(seq !== undefined && seqs.has(Number(seq)));
  });
  return { ...summary, summary_markdown: kept.join("\n") };
}

/** The summaries with which other threads begin. */
async function rebuildHandoffs(
  memory: ThreadMemory,
  work: Rebuild & { readonly affected: ReadonlyMap<string, number> },
): Promise<void> {
  const { thread_id, affected, redaction, renamed } = work;
  for (const { fields } of await framesOf(memory, thread_id, "continuity_handoff_created")) {
    const id = fields["summary_artifact_id"];
    if (typeof id !== "string" || renamed.has(id)) continue;
    const bytes = await memory.artifacts.get(id).catch(ifMemoryError(() => undefined));
    const summary = bytes === undefined ? undefined : parseSummary(bytes);
    if (summary === undefined || "fault" in summary) continue;
    const isFrom = affected.has(summary.coverage.thread_id);
    const seqs = new Set<number>();
    if (isFrom)
      for (const message of redaction.messages.keys()) {
        const [place] = await memory.threads.places(summary.coverage.thread_id, [{ id: message }]);
        if (place !== undefined) seqs.add(place.seq);
      }
    const next = await memory.artifacts.put(printSummary(withoutLines(summary, redaction, seqs)));
    if (next !== id) renamed.set(id, next);
  }
}

const page = 1000;

async function framesOf(memory: ThreadMemory, thread_id: string, type: IndexedType): Promise<readonly Frame[]> {
  const found: Frame[] = [];
  for (let from_seq = 0; ;) {
    const frames = await memory.threads.frames({ thread_id, types: [type], from_seq, limit: page });
    for (const stored of frames) {
      const frame = frameOf(stored);
      if (frame !== undefined) found.push(frame);
    }
    if (frames.length === 0) return found;
    from_seq = (frames.at(-1)?.seq ?? 0) + 1;
  }
}

/** Compiles recorded contexts again that contain what was forgotten, or a summary that has another id now. */
async function recompile(
  memory: ThreadMemory,
  work: Rebuild & { readonly bundles: Map<string, string> },
): Promise<void> {
  const { thread_id, redaction, renamed, bundles } = work;
  const compiled = await framesOf(memory, thread_id, "continuity_context_compiled");
  if (compiled.length === 0) return;
  const replay = new Replay(memory, thread_id, {});
  await replay.catchUp();
  for (const frame of compiled) {
    const id = String(frame.fields["bundle_artifact_id"]);
    const bytes = await memory.artifacts.get(id).catch(ifMemoryError(() => undefined));
    if (bytes === undefined) continue;
    const text = Buffer.from(bytes).toString("utf8");
    const names = (ids: Iterable<string>): boolean => [...ids].some((one) => text.includes(one));
    // The title counts in the budget of a context.
    const isTitled = redaction.titles.has(thread_id);
    const isNamed = names(redaction.messages.keys()) || names(renamed.keys());
    if (!isTitled && !isNamed && !redaction.needles.isInBytes(bytes)) continue;
    const request = await requestOf(replay, frame);
    const next = request === undefined ? itemsWithout(text, redaction) : (await compileBundle(memory, request)).bytes;
    const now = await memory.artifacts.put(next);
    if (now !== id) bundles.set(id, now);
  }
}

/** A bundle that another program compiled: the words go, the items stay. */
function itemsWithout(text: string, redaction: Redaction): Uint8Array {
  const emptied = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(emptied);
    if (!isObject(value)) return value;
    if (redaction.messages.has(String(value["thread_event_id"]))) return { ...value, content: "" };
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, emptied(inner)]));
  };
  return Buffer.from(JSON.stringify(withoutNeedles(emptied(JSON.parse(text)), redaction)));
}

/** Puts new ids of artifacts for old ones, in every frame that names them. */
async function rename(
  memory: ThreadMemory,
  heads: readonly { readonly thread_id: string }[],
  renamed: ReadonlyMap<string, string>,
  { onOrphans }: Redaction,
): Promise<void> {
  if (renamed.size === 0) return;
  await onOrphans([...renamed.keys()]);
  for (const { thread_id } of heads)
    await memory.threads.rewrite(thread_id, (line) =>
      line.replaceAll(/(?<=")[0-9a-f]{64}(?=")/gu, (id) => renamed.get(id) ?? id),
    );
}
