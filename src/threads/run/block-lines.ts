import { readSummary, linesOfMarkdown } from "./read-summary.ts";
import { detached } from "../../base/lines.ts";
import { blockSize, childrenOf, rungKind, rungRule, stretchesOf, type Block, dealtOut } from "../plan/ladder.ts";
import type { SummaryLine, Utterance } from "../../base/summary-line.ts";
import {
  type Span,
  type ThreadSummarizer,
  parseLines,
  cumulativeSummary,
  MOST_CHARACTERS,
  spaceFor,
  type SummaryArtifact,
} from "../model/summary.ts";
import type { Place, StoredCheckpoint } from "../store/thread-store.ts";
import type { ThreadMemory } from "../memory.ts";
import { RawReader } from "./raw-reader.ts";
import { builtInThreadSummarizer } from "../extract/built-in.ts";
import { CUMULATIVE_KIND } from "../plan/thread-state.ts";

/** The summarizer the memory was opened with, else the built-in one. */
export function summarizerOf(memory: ThreadMemory): ThreadSummarizer {
  return memory.threadSummarizer ?? builtInThreadSummarizer;
}

interface LineSource {
  readonly thread_id: string;
  /** The last message to include. */
  readonly end: Place;
  /** Called before each page. If it throws, the work ends. */
  readonly onPage: () => Promise<void>;
}

/** The messages on either side of a weight. */
interface Boundary {
  readonly before: Place | undefined;
  readonly next: Place | undefined;
}

type Stretch = readonly [from: Boundary, to: Boundary];

type Lines = readonly SummaryLine[];

/**
 * The lines of a thread's blocks, built recursively: from the stored rung if this summarizer made it, else from the block's four children, and for a
 * smallest block from its messages. Messages are read in one pass; only one path of the tree and the `kept` blocks are in RAM.
 */
export class BlockLines {
  readonly #memory: ThreadMemory;
  readonly #summarizer: ThreadSummarizer;
  readonly #source: LineSource;
  readonly #kept = new Map<string, Lines | undefined>();

  constructor(memory: ThreadMemory, source: LineSource) {
    this.#memory = memory;
    this.#summarizer = summarizerOf(memory);
    this.#source = source;
  }

  keep(blocks: readonly Block[]): void {
    for (const block of blocks) this.#kept.set(rungRule(block), undefined);
  }

  /** The lines of a kept block; `undefined` if they are not made yet. */
  kept(block: Block): Lines | undefined {
    return this.#kept.get(rungRule(block));
  }

  async spans(blocks: readonly Block[]): Promise<readonly (Span | undefined)[]> {
    return (await this.#stretches(blocks)).map(spanOf);
  }

  async ofBlock(block: Block): Promise<Lines> {
    const known = this.kept(block);
    if (known !== undefined) return known;
    const [stretch] = await this.#stretches([block]);
    return this.#lines(block, stretch as Stretch, await this.#stored(block.level, stretch as Stretch));
  }

  /** The lines of the messages between two weights, in parts, oldest first. */
  async ofRange(from: number, to: number): Promise<readonly Lines[]> {
    const parts: Lines[] = [];
    for (const stretch of stretchesOf(from, to))
      parts.push(
        stretch.kind === "block" ? await this.ofBlock(stretch.block) : await this.#ofRagged(stretch.from, stretch.to),
      );
    return parts;
  }

  async #ofRagged(from: number, to: number): Promise<Lines> {
    const [start, end] = await this.#boundaries([from, to]);
    const reader = this.#begin([start as Boundary, end as Boundary]);
    return reader === undefined ? [] : this.#extract(await reader.take(to));
  }

  async #lines(block: Block, stretch: Stretch, stored: readonly StoredCheckpoint[]): Promise<Lines> {
    const known = this.kept(block);
    if (known !== undefined) return known;
    const span = spanOf(stretch);
    if (span === undefined) return this.#note(block, []);
    const rung = await this.#readRung(block, span, stored);
    if (rung !== undefined) return this.#note(block, rung);
    const finer = await this.#stored(block.level - 1, stretch);
    if (finer.length === 0) return this.#fromRaw(block, this.#begin(stretch));
    const children = childrenOf(block);
    const stretches = await this.#stretches(children);
    const parts: Lines[] = [];
    for (const [at, child] of children.entries()) parts.push(await this.#lines(child, stretches[at] as Stretch, finer));
    return this.#note(block, this.#merge(parts));
  }

  /** The reader must be at the first message of the block. */
  async #fromRaw(block: Block, reader: RawReader | undefined): Promise<Lines> {
    if (reader?.isBefore(endOf(block)) !== true) return this.#note(block, []);
    if (block.level === 0) return this.#note(block, this.#extract(await reader.take(endOf(block))));
    const parts: Lines[] = [];
    for (const child of childrenOf(block)) parts.push(await this.#fromRaw(child, reader));
    return this.#note(block, this.#merge(parts));
  }

  #merge(parts: readonly Lines[]): Lines {
    return parts.every((part) => part.length === 0) ? [] : this.#summarizer.merge(parts);
  }

  #extract(utterances: readonly Utterance[]): Lines {
    if (utterances.length === 0) return [];
    return this.#summarizer.extract(utterances).map((line) => ({ ...line, text: detached(line.text) }));
  }

  #note(block: Block, lines: Lines): Lines {
    const rule = rungRule(block);
    if (this.#kept.has(rule)) this.#kept.set(rule, lines);
    return lines;
  }

  /** A reader that starts at the first message of a stretch, including the tool effects before it; `undefined` if the stretch has no message. */
  #begin(stretch: Stretch): RawReader | undefined {
    const span = spanOf(stretch);
    if (span === undefined) return undefined;
    const { thread_id, onPage } = this.#source;
    const range = { thread_id, from_seq: (stretch[0].before?.seq ?? -1) + 1, to_seq: span.to.seq };
    return new RawReader(this.#memory.threads, { ...range, weight: span.from.weight_before, onPage });
  }

  async #readRung(block: Block, span: Span, stored: readonly StoredCheckpoint[]): Promise<Lines | undefined> {
    const rule = rungRule(block);
    for (const checkpoint of stored) {
      if (checkpoint.cut_rule_id !== rule) continue;
      const summary = await readSummary(this.#memory, checkpoint.artifact_id);
      if (summary?.kind !== rungKind(block.level)) continue;
      const { coverage, provenance } = summary;
      const isOwn =
        provenance.produced_by?.id === this.#summarizer.id &&
        coverage.thread_id === this.#source.thread_id &&
        coverage.from_seq === span.from.seq &&
        coverage.to_seq === span.to.seq;
      if (isOwn) return parseLines(summary.summary_markdown, span.to.seq);
    }
    return undefined;
  }

  async #stored(level: number, stretch: Stretch): Promise<readonly StoredCheckpoint[]> {
    const span = spanOf(stretch);
    if (span === undefined || level < 0) return [];
    const { thread_id } = this.#source;
    const range = { to_seq_at_least: span.from.seq, to_seq_at_most: span.to.seq };
    return this.#memory.threads.checkpoints({ thread_id, kind: rungKind(level), ...range, limit: MOST_COPIES });
  }

  async #stretches(blocks: readonly Block[]): Promise<readonly Stretch[]> {
    const bounds = await this.#boundaries(blocks.flatMap((block) => [startOf(block), endOf(block)]));
    return blocks.map((_, at) => [bounds[2 * at] as Boundary, bounds[2 * at + 1] as Boundary]);
  }

  async #boundaries(weights: readonly number[]): Promise<readonly Boundary[]> {
    const { thread_id, end } = this.#source;
    const { threads } = this.#memory;
    const placed = await threads.places(
      thread_id,
      weights.map((weight) => ({ weight })),
    );
    const next = placed.map((place) => (place === undefined || place.ordinal > end.ordinal ? undefined : place));
    const ordinals = next.map((place) => ({ ordinal: place === undefined ? end.ordinal : place.ordinal - 1 }));
    const before = await threads.places(thread_id, ordinals);
    return next.map((place, at) => ({ next: place, before: before[at] }));
  }
}

/** Enough for the rungs of four blocks, even if each is stored several times. */
const MOST_COPIES = 32;

function spanOf([{ next: from }, { before: to }]: Stretch): (Span & { readonly from: Place }) | undefined {
  return from === undefined || to === undefined || from.ordinal > to.ordinal ? undefined : { from, to };
}

function startOf({ level, index }: Block): number {
  return index * blockSize(level);
}

function endOf({ level, index }: Block): number {
  return (index + 1) * blockSize(level);
}

export interface Base {
  readonly artifact_id: string;
  readonly to_seq: number;
  readonly markdown: string;
}

const MOST_BASES = 1_000;

/** A thread's readable cumulative summary with the greatest `to_seq` up to `to_seq_at_most`, among the newest 1,000; null if there is none. */
export async function findBase(memory: ThreadMemory, thread_id: string, to_seq_at_most: number): Promise<Base | null> {
  const query = { thread_id, kind: CUMULATIVE_KIND, to_seq_at_most, limit: MOST_BASES };
  for (const { artifact_id, to_seq } of await memory.threads.checkpoints(query)) {
    const base = await readBase(memory, thread_id, artifact_id);
    if (base?.to_seq === to_seq) return base;
  }
  return null;
}

/** The cumulative summary with this id, if it belongs to this thread. */
export async function readBase(memory: ThreadMemory, threadId: string, artifactId: string): Promise<Base | undefined> {
  const summary = await readSummary(memory, artifactId);
  if (summary?.kind !== CUMULATIVE_KIND || summary.coverage.thread_id !== threadId) return undefined;
  return { artifact_id: artifactId, to_seq: summary.coverage.to_seq, markdown: summary.summary_markdown };
}

interface Work {
  readonly thread_id: string;
  readonly to: Place;
  readonly base: Base | null;
  /** Must provide lines at least up to `to`. */
  readonly source: BlockLines;
  /** Maximum characters of the printed lines. Default: the limit of a cumulative summary. */
  readonly space?: number;
}

/** The lines in a cumulative summary up to a message, made from a base and the messages since. Reads those messages in one pass, in bounded memory. */
export async function cumulativeLines(memory: ThreadMemory, work: Work): Promise<readonly SummaryLine[]> {
  const { thread_id, to, base, source, space = MOST_CHARACTERS } = work;
  const [covered] = base === null ? [] : await memory.threads.places(thread_id, [{ seq: base.to_seq }]);
  return summarizerOf(memory).cumulate({
    base: base === null ? [] : linesOfMarkdown(base.markdown, base.to_seq),
    delta: dealtOut(await source.ofRange(covered?.weight ?? 0, to.weight)),
    base_to_seq: base?.to_seq ?? 0,
    to_seq: to.seq,
    space: Math.min(space, spaceFor(to.ordinal)),
  });
}

export async function summaryUpTo(
  memory: ThreadMemory,
  work: Work & Pick<SummaryArtifact, "provenance">,
): Promise<SummaryArtifact> {
  const lines = await cumulativeLines(memory, work);
  const base_summary_artifact_id = work.base?.artifact_id ?? null;
  return cumulativeSummary({ ...work, lines, base_summary_artifact_id, summarizer: summarizerOf(memory).id });
}
