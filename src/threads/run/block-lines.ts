import { readSummary } from "./read-summary.ts";
import { detached } from "../../base/lines.ts";
import { blockSize, childrenOf, rungKind, rungRule, type Block } from "../plan/ladder.ts";
import { type SummaryLine, type Utterance } from "../../base/summary-line.ts";
import { type ThreadSummarizer, type Span, parseLines } from "../model/summary.ts";
import type { Place, StoredCheckpoint } from "../store/thread-store.ts";
import type { ThreadMemory } from "../memory.ts";
import { RawReader } from "./raw-reader.ts";

interface LineSource {
  readonly thread_id: string;
  /** The last message that counts. */
  readonly end: Place;
  readonly summarizer: ThreadSummarizer;
  /** Called before every page that is read. What it throws ends the work. */
  readonly onPage: () => Promise<void>;
}

/** The messages on the two sides of a weight. */
interface Boundary {
  readonly before: Place | undefined;
  readonly next: Place | undefined;
}

interface Stretch {
  readonly from: Boundary;
  readonly to: Boundary;
}

/**
 * Lines of the blocks of one thread, by recursion: from the stored rung when there is one of this summarizer, else from the block's four, and for a
 * smallest block from its messages. Messages are read in one pass, and of the tree only one path is held, and the blocks that are `kept`.
 */
export class BlockLines {
  readonly #memory: ThreadMemory;
  readonly #source: LineSource;
  readonly #reader: RawReader;
  readonly #kept = new Map<string, readonly SummaryLine[] | undefined>();

  constructor(memory: ThreadMemory, source: LineSource) {
    this.#memory = memory;
    this.#source = source;
    this.#reader = new RawReader(memory.threads, source.thread_id, source.onPage);
  }

  /** Lines of these blocks are kept when they come up. */
  keep(blocks: readonly Block[]): void {
    for (const block of blocks) this.#kept.set(rungRule(block), undefined);
  }

  /** The lines of a kept block; `undefined` when it has not come up. */
  kept(block: Block): readonly SummaryLine[] | undefined {
    return this.#kept.get(rungRule(block));
  }

  /** The first and the last message of each block; `undefined` for one without messages. */
  async spans(blocks: readonly Block[]): Promise<readonly (Span | undefined)[]> {
    const bounds = await this.#boundaries(blocks.flatMap((block) => [startOf(block), endOf(block)]));
    return blocks.map((_, at) => spanOf({ from: at2(bounds, 2 * at), to: at2(bounds, 2 * at + 1) }));
  }

  async ofBlock(block: Block): Promise<readonly SummaryLine[]> {
    const known = this.kept(block);
    if (known !== undefined) return known;
    const [from, to] = await this.#boundaries([startOf(block), endOf(block)]);
    const stretch = { from: from as Boundary, to: to as Boundary };
    return this.#lines(block, stretch, await this.#stored(block.level, stretch));
  }

  /** The lines of messages between two weights within one smallest block. */
  async ofRagged(fromWeight: number, toWeight: number): Promise<readonly SummaryLine[]> {
    const [from, to] = await this.#boundaries([fromWeight, toWeight]);
    const stretch = { from: from as Boundary, to: to as Boundary };
    if (!this.#begin(stretch)) return [];
    return this.#extract(await this.#reader.take(toWeight));
  }

  async #lines(block: Block, stretch: Stretch, stored: readonly StoredCheckpoint[]): Promise<readonly SummaryLine[]> {
    const known = this.kept(block);
    if (known !== undefined) return known;
    const span = spanOf(stretch);
    const lines =
      span === undefined
        ? []
        : ((await this.#readRung(block, span, stored)) ??
          ((await this.#hasFiner(block, stretch))
            ? await this.#fromChildren(block, stretch)
            : this.#begin(stretch)
              ? await this.#fromRaw(block)
              : []));
    return this.#note(block, lines);
  }

  async #fromChildren(block: Block, stretch: Stretch): Promise<readonly SummaryLine[]> {
    const children = childrenOf(block);
    const inner = await this.#boundaries(children.slice(1).map(startOf));
    const bounds = [stretch.from, ...inner, stretch.to];
    const stored = await this.#stored(block.level - 1, stretch);
    const parts: (readonly SummaryLine[])[] = [];
    for (const [at, child] of children.entries())
      parts.push(await this.#lines(child, { from: at2(bounds, at), to: at2(bounds, at + 1) }, stored));
    return this.#merge(parts);
  }

  /** The reader is at the first message of the block. */
  async #fromRaw(block: Block): Promise<readonly SummaryLine[]> {
    if (!this.#reader.isBefore(endOf(block))) return this.#note(block, []);
    if (block.level === 0) return this.#note(block, this.#extract(await this.#reader.take(endOf(block))));
    const parts: (readonly SummaryLine[])[] = [];
    for (const child of childrenOf(block)) parts.push(await this.#fromRaw(child));
    return this.#note(block, this.#merge(parts));
  }

  #merge(parts: readonly (readonly SummaryLine[])[]): readonly SummaryLine[] {
    return parts.every((part) => part.length === 0) ? [] : this.#source.summarizer.merge(parts);
  }

  #extract(utterances: readonly Utterance[]): readonly SummaryLine[] {
    if (utterances.length === 0) return [];
    const lines = this.#source.summarizer.extract(utterances);
    return lines.map((line) => ({ ...line, text: detached(line.text) }));
  }

  #note(block: Block, lines: readonly SummaryLine[]): readonly SummaryLine[] {
    const rule = rungRule(block);
    if (this.#kept.has(rule)) this.#kept.set(rule, lines);
    return lines;
  }

  /** Sets the reader to the first message of a stretch, and to the tool effects before it. Whether there is one. */
  #begin(stretch: Stretch): boolean {
    const span = spanOf(stretch);
    if (span === undefined) return false;
    const start = { seq: (stretch.from.before?.seq ?? -1) + 1, weight: stretch.from.next?.weight_before ?? 0 };
    this.#reader.begin(start, span.to.seq);
    return true;
  }

  async #readRung(
    block: Block,
    span: Span,
    stored: readonly StoredCheckpoint[],
  ): Promise<readonly SummaryLine[] | undefined> {
    const rule = rungRule(block);
    for (const checkpoint of stored) {
      if (checkpoint.cut_rule_id !== rule) continue;
      const summary = await readSummary(this.#memory, checkpoint.artifact_id);
      if (summary?.kind !== rungKind(block.level)) continue;
      const { coverage, provenance } = summary;
      const isItsOwn =
        provenance.produced_by?.id === this.#source.summarizer.id &&
        coverage.thread_id === this.#source.thread_id &&
        coverage.from_seq === span.from.seq &&
        coverage.to_seq === span.to.seq;
      if (isItsOwn) return parseLines(summary.summary_markdown, span.to.seq);
    }
    return undefined;
  }

  async #hasFiner({ level }: Block, stretch: Stretch): Promise<boolean> {
    for (let finer = level - 1; finer >= 0; finer -= 1)
      if ((await this.#stored(finer, stretch, 1)).length > 0) return true;
    return false;
  }

  async #stored(level: number, stretch: Stretch, limit = MOST_COPIES): Promise<readonly StoredCheckpoint[]> {
    const span = spanOf(stretch);
    const { thread_id } = this.#source;
    if (span === undefined) return [];
    const range = { to_seq_at_least: span.from.seq, to_seq_at_most: span.to.seq };
    return this.#memory.threads.checkpoints({ thread_id, kind: rungKind(level), ...range, limit });
  }

  async #boundaries(weights: readonly number[]): Promise<readonly Boundary[]> {
    const { thread_id, end } = this.#source;
    const found = await this.#memory.threads.places(
      thread_id,
      weights.map((weight) => ({ weight })),
    );
    const next = found.map((place) => (place === undefined || place.ordinal > end.ordinal ? undefined : place));
    const before = await this.#memory.threads.places(
      thread_id,
      next.map((place) => ({ ordinal: place === undefined ? end.ordinal : place.ordinal - 1 })),
    );
    return next.map((place, at) => ({ next: place, before: before[at] }));
  }
}

/** Rungs of four blocks, each made a few times. */
const MOST_COPIES = 32;

function spanOf({ from, to }: Stretch): Span | undefined {
  if (from.next === undefined || to.before === undefined || from.next.ordinal > to.before.ordinal) return undefined;
  return { from: from.next, to: to.before };
}

function startOf({ level, index }: Block): number {
  return index * blockSize(level);
}

function endOf({ level, index }: Block): number {
  return (index + 1) * blockSize(level);
}

function at2(bounds: readonly Boundary[], at: number): Boundary {
  return bounds[at] ?? { before: undefined, next: undefined };
}
