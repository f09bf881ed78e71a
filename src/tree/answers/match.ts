import { topicKey } from "../../base/memory-type.ts";
import { limitRefs, mergeRefs, type Ref } from "../../base/refs.ts";
import { wordKeys } from "../../text/word-keys.ts";

/** The lines of sources by their words: made once for a request. */
export interface LineIndex {
  readonly lines: readonly SourceTextLine[];
  /** Numbers of the lines that have a word, in their order. */
  readonly byKey: ReadonlyMap<string, readonly number[]>;
  readonly sizes: readonly number[];
  /** The lines below the heading of a topic, and those that begin with its name. */
  readonly byTopic: ReadonlyMap<string, readonly number[]>;
}

export interface Told {
  /** Empty without one. */
  readonly topic: string;
  readonly text: string;
}

/** Stretches of lines that a passage gets at most, and refs that these have at most. */
const mostStretches = 3;
const mostRefs = 5;
/** A further line counts when it brings this part of the weight of what is looked for. */
const leastGain = 0.15;
/** Lines of the topic are ahead of others that share as much. */
const ahead = 1.25;
/** A word in more lines than this says nothing about one, where another word is rarer. */
const mostLines = 2_000;

/** Linear in the words of the sources. */
export function createLineIndex(sources: readonly SourceText[]): LineIndex {
  const lines = sources.flatMap((source) => source.lines);
  const byKey = new Map<string, number[]>();
  const byTopic = new Map<string, number[]>();
  const sizes: number[] = [];
  let at = 0;
  for (const source of sources) {
    let heading = "";
    for (const { text } of source.lines) {
      heading = nameInHeading(text) ?? heading;
      const named = nameInItem(text);
      for (const topic of named === undefined || named === heading ? [heading] : [heading, named])
        if (topic !== "") add(byTopic, topic, at);
      const keys = wordKeys(text);
      for (const key of keys) add(byKey, key, at);
      sizes.push(keys.size);
      at += 1;
    }
  }
  return { lines, byKey, sizes, byTopic };
}

function add(map: Map<string, number[]>, key: string, at: number): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [at]);
  else list.push(at);
}

/** The name in a heading of an entry, as `## Payment flow [project]`; empty in a heading of the day or the period. */
function nameInHeading(text: string): string | undefined {
  if (!text.startsWith("#")) return undefined;
  if (/^#\s/u.test(text)) return "";
  const name = /^#{2,3}\s+(.+?)\s*(?:\[\w+\])?\s*$/u.exec(text)?.[1];
  return name === undefined ? undefined : topicKey(name);
}

/** The name that an item of a summary begins with, as `- Rate limiting [project]: …`. */
function nameInItem(text: string): string | undefined {
  if (!text.startsWith("- ")) return undefined;
  const name = /^- "?([^:"[\]]{1,80}?)"?(?:\s*\[[^\]]*\])?(?::\s|$)/u.exec(text)?.[1];
  return name === undefined ? undefined : topicKey(name);
}

/**
 * The lines that a passage fits best, in the order of the sources: first the one that shares the greatest weight of words, a word weighing the more the fewer lines have
 * it; then those that bring what it lacks. At most three stretches. None when it shares no word with any line.
 */
export function bestLines(told: Told, index: LineIndex): readonly SourceTextLine[] {
  return bestNumbers(told, index).flatMap((at) => index.lines[at] ?? []);
}

/** For each text the indices of the lines that it fits best, in their order; none where it shares no word with any. */
export function matchLines(texts: readonly string[], lines: readonly string[]): readonly (readonly number[])[] {
  const index = createLineIndex([{ name: "", lines: lines.map((text) => ({ text, refs: [], seq: 0 })) }]);
  return texts.map((text) => bestNumbers({ topic: "", text }, index));
}

/**
 * Where a passage comes from, marked as found by a program: the best lines; when it shares no word with any, the lines of its topic or those that share words of its
 * name, else the whole sources. Empty only
 * when no line has refs.
 */
export function bestRefs(told: Told, index: LineIndex): readonly Ref[] {
  const places = [
    () => bestLines(told, index),
    () => (index.byTopic.get(topicKey(told.topic)) ?? []).flatMap((at) => index.lines[at] ?? []),
    () => bestLines({ topic: "", text: told.topic }, index),
  ];
  for (const linesAt of places) {
    const refs = refsOf(linesAt());
    if (refs.length > 0) return found(limitRefs(refs, mostRefs));
  }
  const logs = new Set(refsOf(index.lines).map(({ log }) => log));
  const whole = Array.from(logs, (log): Ref => ({ log, from: 0, to: 0 }));
  return found(limitRefs(whole, mostRefs));
}

function found(refs: readonly Ref[]): readonly Ref[] {
  return refs.map(({ log, from, to }) => ({ log, from, to, found: "by_match" }));
}

function refsOf(lines: readonly SourceTextLine[]): readonly Ref[] {
  return mergeRefs(lines.flatMap(({ refs }) => refs.map(({ log, from, to }): Ref => ({ log, from, to }))));
}

function bestNumbers(told: Told, index: LineIndex): readonly number[] {
  const weights = weightsOf(told, index);
  const own = new Set(index.byTopic.get(topicKey(told.topic)) ?? []);
  const all = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  const chosen: number[] = [];
  for (let stretches = 0; stretches < mostStretches && weights.size > 0; stretches++) {
    const best = bestLine(weights, index, own);
    if (best === undefined || (stretches > 0 && best.gain < all * leastGain)) break;
    chosen.push(best.at);
    for (const [key] of weights) if (index.byKey.get(key)?.includes(best.at) === true) weights.delete(key);
  }
  return chosen.toSorted((a, b) => a - b);
}

/** The words that some line has, with what each weighs: the more, the fewer lines have it. Most lines of an entry do not repeat the name of its topic. */
function weightsOf({ text }: Told, { byKey, lines }: LineIndex): Map<string, number> {
  const weights = new Map<string, number>();
  for (const key of wordKeys(text)) {
    const holding = byKey.get(key);
    if (holding !== undefined) weights.set(key, Math.log(1 + lines.length / holding.length));
  }
  const rare = [...weights].filter(([key]) => (byKey.get(key)?.length ?? 0) <= mostLines);
  return rare.length > 0 ? new Map(rare) : weights;
}

/** The line that has the greatest weight of the words; of equal ones one of the topic, then a shorter one, then the first. */
function bestLine(
  weights: ReadonlyMap<string, number>,
  { byKey, sizes, lines }: LineIndex,
  own: ReadonlySet<number>,
): { readonly at: number; readonly gain: number } | undefined {
  const gains = new Map<number, number>();
  for (const [key, weight] of weights)
    for (const at of byKey.get(key) ?? []) gains.set(at, (gains.get(at) ?? 0) + weight);
  let best: { readonly at: number; readonly gain: number; readonly score: number } | undefined;
  for (const [at, gain] of gains) {
    const line = lines[at];
    if (line === undefined || (line.refs.length === 0 && line.seq === undefined)) continue;
    const score =
      gain * (own.has(at) ? ahead : 1) - (sizes[at] ?? 0) * tiny - (line.text.startsWith("#") ? gain / 2 : 0);
    if (best === undefined || score > best.score || (score === best.score && at < best.at)) best = { at, gain, score };
  }
  return best;
}

/** Of lines that share as much the shorter says it more exactly. */
const tiny = 0.001;

/** A part of the sources: a raw log, a child's body, the messages of a thread. Redacted and filtered. */
export interface SourceText {
  /** `2026-03-15-standup`, `2026-W10`, `notes`. */
  readonly name: string;
  readonly lines: readonly SourceTextLine[];
}

export interface SourceTextLine {
  /** Without refs. */
  readonly text: string;
  /** Where it is in the raw logs; empty in threads. */
  readonly refs: readonly Ref[];
  /** Of a message of a thread: its seq. */
  readonly seq?: number;
  /** How much the built-in summarizer makes of it; decides what stays when there is not space for all. Default 0. */
  readonly weight?: number;
}
