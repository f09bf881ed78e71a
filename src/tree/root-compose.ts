import type { Day } from "../base/calendar.ts";
import { isPreserved } from "../base/memory-type.ts";
import type { Node } from "./node-format.ts";
import { contentDigest } from "./node-format.ts";
import { nodePath } from "./period.ts";
import { readPassages } from "./reading.ts";
import { printRoot, rootDigest, rootSections, type RootDocument, type RootSection } from "./root-format.ts";
import { activeDays, activeLines, historyLine, historyRuns, indexLine, patternLines, type RootCandidate } from "./root-lines.ts";
import { gatherTopics, type RootTopic } from "./root-topics.ts";
import { rootRule } from "./rules.ts";
import type { NodeSummarizer } from "./summarizer.ts";

/** What ROOT.md is a function of. */
export interface RootInputs {
  /** The monthly nodes and their addenda, oldest first. */
  readonly monthlies: readonly Node[];
  /** The day it is rendered for. */
  readonly day: Day;
  readonly limits: RootLimits;
  readonly summarizer: NodeSummarizer;
  /** Exact o200k count. */
  readonly count: (text: string) => number;
  /** Front matter of others, which counts too. */
  readonly foreign: readonly string[];
}

export interface RootLimits {
  readonly tokens: number;
  readonly characters: number;
  readonly lines: number;
  readonly bytes: number;
}

/** The limits for a cap: up to the default, the loaders' 200 lines and 25,000 bytes hold too. */
export function rootLimits(tokens: number): RootLimits {
  const loaders = tokens <= 3000;
  const none = Number.POSITIVE_INFINITY;
  return { tokens, characters: none, lines: loaders ? 200 : none, bytes: loaders ? 25_000 : none };
}

export interface ComposedRoot {
  readonly root: RootDocument;
  readonly text: string;
  readonly tokens: number;
  /** The lines of the list, with the line of the file they stand in. */
  readonly lines: readonly PlacedLine[];
  readonly topics: number;
  readonly dropped: readonly DroppedLine[];
}

export interface PlacedLine extends RootCandidate {
  readonly line: number;
}

export interface DroppedLine {
  readonly section: RootSection;
  readonly text: string;
  readonly reason: string;
  readonly tokens: number;
}

/** The names and digests of the sources, the limits and the rule: whatever changes ROOT.md besides the day. */
export function rootInputsKey(
  sources: readonly { readonly path: string; readonly content: string }[],
  made: { readonly limits: RootLimits; readonly summarizer: string },
): string {
  return [rootRule, made.summarizer, made.limits.tokens, ...sources.map((source) => `${source.path} ${source.content}`)].join("\n");
}

/**
 * Chooses and prints ROOT.md. A knapsack by value per token with the rules of the types as constraints: `user` and `feedback` topics first, then
 * what is active, what recurs, the index by density, and history in the densest form that still fits. Greedy by density reaches at least half of the
 * best value (Dantzig 1957); the cap itself is exact.
 */
export function composeRoot(inputs: RootInputs): ComposedRoot {
  const passages = inputs.monthlies.flatMap((node) => {
    const path = nodePath(node.name);
    return readPassages(node, inputs.summarizer).map((passage) => ({ ...passage, path }));
  });
  const topics = gatherTopics(passages, inputs.day);
  const choice = new Choice(inputs, topics);
  choice.run();
  let composed = assemble(inputs, choice, topics);
  while (!isWithin(composed, inputs.limits) && choice.dropLast()) composed = assemble(inputs, choice, topics);
  return composed;
}

function isWithin(composed: ComposedRoot, limits: RootLimits): boolean {
  return (
    composed.tokens <= limits.tokens &&
    composed.text.length <= limits.characters &&
    composed.root.body.length + 7 <= limits.lines &&
    Buffer.byteLength(composed.text) <= limits.bytes
  );
}

/** How dense Historical Summary can be: months to a line and topics named in one. The first that fits is taken; nothing else leaves before the last. */
const densities = [
  { months: 1, topics: 8 }, { months: 1, topics: 5 }, { months: 1, topics: 3 }, { months: 3, topics: 6 },
  { months: 6, topics: 6 }, { months: 12, topics: 6 }, { months: 1200, topics: 8 }, { months: 1200, topics: 3 },
] as const;

/** Shares of the space for what is not index, when not everything fits. */
const shares = { preserved: 0.6, active: 0.22, patterns: 0.08, history: 0.1 };

class Choice {
  readonly chosen: RootCandidate[] = [];
  readonly dropped = new Map<RootCandidate, string>();
  readonly #inputs: RootInputs;
  readonly #topics: readonly RootTopic[];
  readonly #costs = new Map<{ readonly text: string }, number>();
  #free: number;
  #freeBytes: number;
  #freeLines: number;

  constructor(inputs: RootInputs, topics: readonly RootTopic[]) {
    this.#inputs = inputs;
    this.#topics = topics;
    const frame = printRoot({ lastUpdated: inputs.day, madeFrom: "0123456789abcdef", foreign: inputs.foreign, body: bodyOf([]).body });
    this.#free = inputs.limits.tokens - inputs.count(frame);
    this.#freeBytes = Math.min(inputs.limits.bytes, inputs.limits.characters) - frame.length;
    this.#freeLines = inputs.limits.lines - 16;
  }

  run(): void {
    const total = this.#free;
    const window = activeDays(this.#topics, this.#inputs.day);
    const active = activeLines(this.#topics, window);
    const patterns = patternLines(this.#topics);
    const index = this.#topics.map((topic) => ({ topic, line: indexLine(topic, 12) }));
    const others = [...active, ...patterns, ...index.map(({ line }) => line)];
    for (const density of densities) {
      const history = historyRuns(this.#topics, { ...density, before: window.first, leftOut: new Set() });
      if (!this.#fitsAll([...others, ...history])) continue;
      for (const line of [...others, ...history.map(historyLine)]) this.#take(line, total);
      return;
    }
    const preserved = index.filter(({ topic }) => isPreserved(topic.type));
    this.#takeIndex(preserved, this.#free - total * shares.preserved);
    this.#takeShare(active, total * shares.active);
    this.#takeShare(patterns, total * shares.patterns);
    this.#takeIndex(index.filter(({ topic }) => !isPreserved(topic.type)), total * shares.history);
    const left = new Set(index.filter(({ line }) => this.dropped.has(line)).map(({ topic }) => topic.key));
    this.#takeHistory(window.first, left);
    this.#takeIndex(index.filter(({ line }) => this.dropped.has(line)), 0);
  }

  /** Takes back the line that was chosen last; false when none is left. */
  dropLast(): boolean {
    const line = this.chosen.pop();
    if (line !== undefined) this.dropped.set(line, "the exact count was over the cap");
    return line !== undefined;
  }

  #fitsAll(lines: readonly { readonly text: string }[]): boolean {
    const tokens = lines.reduce((sum, line) => sum + this.#cost(line), 0);
    const bytes = lines.reduce((sum, line) => sum + Buffer.byteLength(line.text) + 1, 0);
    return tokens <= this.#free && bytes <= this.#freeBytes && lines.length <= this.#freeLines;
  }

  #cost(line: { readonly text: string }): number {
    const known = this.#costs.get(line);
    if (known !== undefined) return known;
    const cost = this.#inputs.count(`${line.text}\n`);
    this.#costs.set(line, cost);
    return cost;
  }

  #take(line: RootCandidate, most: number): boolean {
    const cost = this.#cost(line);
    const bytes = Buffer.byteLength(line.text) + 1;
    if (cost > most || cost > this.#free || bytes > this.#freeBytes || this.#freeLines < 1) return false;
    this.#free -= cost;
    this.#freeBytes -= bytes;
    this.#freeLines -= 1;
    this.chosen.push(line);
    this.dropped.delete(line);
    return true;
  }

  #takeShare(lines: readonly RootCandidate[], share: number): void {
    let left = share;
    for (const line of lines) {
      if (this.#take(line, left)) left -= this.#cost(line);
      else this.dropped.set(line, "its section's share of the space is full");
    }
  }

  /** Index lines: live topics by value per token, then those silent for over 90 days, newest first, then completed ones; `reserve` stays free. */
  #takeIndex(lines: readonly { readonly topic: RootTopic; readonly line: RootCandidate }[], reserve: number): void {
    const tier = (topic: RootTopic): number =>
      topic.type !== "project" ? 0 : topic.progress === "done" ? 2 : topic.age > 90 ? 1 : 0;
    const rows = lines.map((row) => ({ ...row, tier: tier(row.topic), density: row.line.value / (6 + this.#cost(row.line)) }));
    rows.sort((a, b) => a.tier - b.tier || (a.tier === 1 ? a.topic.age - b.topic.age : 0) || b.density - a.density || (a.topic.key < b.topic.key ? -1 : 1));
    for (const { topic, line } of rows) {
      const shorter = indexLine(topic, 5);
      if (this.#take(line, this.#free - reserve)) continue;
      if (isPreserved(topic.type) && this.#take(shorter, this.#free - reserve)) continue;
      this.dropped.set(line, topic.progress === "done" ? "completed, and the index is full" : topic.age > 90 ? "silent for over 90 days, and the index is full" : "the index is full");
    }
  }

  /** The densest history that fits into what is left. */
  #takeHistory(before: Day, leftOut: ReadonlySet<string>): void {
    for (const density of densities) {
      const history = historyRuns(this.#topics, { ...density, before, leftOut });
      if (!this.#fitsAll(history)) continue;
      for (const run of history) this.#take(historyLine(run), this.#free);
      return;
    }
  }
}

function bodyOf(chosen: readonly RootCandidate[]): { readonly body: readonly string[]; readonly places: ReadonlyMap<RootCandidate, number> } {
  const body: string[] = [];
  const places = new Map<RootCandidate, number>();
  for (const section of rootSections) {
    body.push("", `## ${section}`);
    for (const line of chosen.filter((candidate) => candidate.section === section)) {
      body.push(line.text);
      places.set(line, body.length);
    }
  }
  return { body, places };
}

function assemble(inputs: RootInputs, choice: Choice, topics: readonly RootTopic[]): ComposedRoot {
  const { body, places } = bodyOf(choice.chosen);
  const sources = inputs.monthlies.map((node) => ({ path: nodePath(node.name), content: contentDigest(node) }));
  const key = rootInputsKey(sources, { limits: inputs.limits, summarizer: inputs.summarizer.id });
  const root: RootDocument = { lastUpdated: inputs.day, madeFrom: rootDigest(key, body), foreign: inputs.foreign, body };
  const text = printRoot(root);
  const front = text.slice(0, text.length).split("\n").length - 1 - body.length;
  return {
    root, text,
    tokens: inputs.count(text),
    lines: choice.chosen.map((line): PlacedLine => ({ ...line, line: front + (places.get(line) ?? 0) })).toSorted((a, b) => a.line - b.line),
    topics: topics.length,
    dropped: [...choice.dropped].map(([line, reason]) => ({ section: line.section, text: line.text, reason, tokens: inputs.count(`${line.text}\n`) })),
  };
}
