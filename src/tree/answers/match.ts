import { topicKey } from "../../base/memory-type.ts";
import { limitRefs, mergeRefs, type Ref } from "../../base/refs.ts";
import { wordKeys } from "../../text/word-keys.ts";

/** Source lines indexed by word; built once per request. */
export interface LineIndex {
  readonly lines: readonly SourceTextLine[];
  /** For each word, the indices of the lines that contain it, ascending. */
  readonly byKey: ReadonlyMap<string, readonly number[]>;
  readonly sizes: readonly number[];
  /** For each topic, the indices of the lines below its heading and of those that begin with its name. */
  readonly byTopic: ReadonlyMap<string, readonly number[]>;
}

export interface Told {
  /** Empty if there is none. */
  readonly topic: string;
  readonly text: string;
}

/** The most matching lines, and the most refs, that a passage can get. */
const mostStretches = 3;
const mostRefs = 5;
/** Another line is used only if it adds at least this share of the total word weight. */
const leastGain = 0.15;
/** Score factor for lines in the passage's topic. */
const ahead = 1.25;
/** A word in more lines than this is ignored if the passage has a rarer one. */
const mostLines = 2_000;

/** Linear in the number of words in the sources. */
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

/** The name in an entry's heading, such as `## Payment flow [project]`; empty for the heading of a day or period. */
function nameInHeading(text: string): string | undefined {
  if (!text.startsWith("#")) return undefined;
  if (/^#\s/u.test(text)) return "";
  const name = /^#{2,3}\s+(.+?)\s*(?:\[\w+\])?\s*$/u.exec(text)?.[1];
  return name === undefined ? undefined : topicKey(name);
}

/** The name at the start of a summary item, such as `- Rate limiting [project]: …`. */
function nameInItem(text: string): string | undefined {
  if (!text.startsWith("- ")) return undefined;
  const name = /^- "?([^:"[\]]{1,80}?)"?(?:\s*\[[^\]]*\])?(?::\s|$)/u.exec(text)?.[1];
  return name === undefined ? undefined : topicKey(name);
}

/**
 * The lines that best match a passage, in source order: first the one that shares the greatest word weight (rarer words
 * weigh more), then lines that add missing words. At most three lines; empty if no line shares a word.
 */
export function bestLines(told: Told, index: LineIndex): readonly SourceTextLine[] {
  return bestNumbers(told, index).flatMap((at) => index.lines[at] ?? []);
}

/** For each text, the indices of the best-matching lines, ascending; empty if no line shares a word. */
export function matchLines(texts: readonly string[], lines: readonly string[]): readonly (readonly number[])[] {
  const index = createLineIndex([{ name: "", lines: lines.map((text) => ({ text, refs: [], seq: 0 })) }]);
  return texts.map((text) => bestNumbers({ topic: "", text }, index));
}

/**
 * The provenance of a passage, marked as found by matching: the best lines; if no line shares a word, the lines of its
 * topic, or those that share words with the topic name; failing that, the whole logs. Empty only if no line has refs.
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

/**
 * The words found in at least one line, with their weights; rarer words weigh more. The topic name is left out because
 * most lines in an entry do not repeat it.
 */
function weightsOf({ text }: Told, { byKey, lines }: LineIndex): Map<string, number> {
  const weights = new Map<string, number>();
  for (const key of wordKeys(text)) {
    const holding = byKey.get(key);
    if (holding !== undefined) weights.set(key, Math.log(1 + lines.length / holding.length));
  }
  const rare = [...weights].filter(([key]) => (byKey.get(key)?.length ?? 0) <= mostLines);
  return rare.length > 0 ? new Map(rare) : weights;
}

/**
 * The line that shares the greatest word weight. Prefers lines of the topic and, if equal, shorter lines; headings
 * count half. The first wins a tie.
 */
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

/** Of two lines that share the same weight, the shorter one is more specific. */
const tiny = 0.001;

/** One source: a raw log, a child's body or the messages in a thread. Redacted and filtered. */
export interface SourceText {
  /** `2026-03-15-standup`, `2026-W10`, `notes`. */
  readonly name: string;
  readonly lines: readonly SourceTextLine[];
}

export interface SourceTextLine {
  /** Without refs. */
  readonly text: string;
  /** Where the line is in the raw logs; empty in threads. */
  readonly refs: readonly Ref[];
  /** The seq of the message, in a thread. */
  readonly seq?: number;
  /** The weight given by the built-in summarizer, which decides what stays when space is short. Default 0. */
  readonly weight?: number;
}
