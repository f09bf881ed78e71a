import type { Day } from "../base/calendar.ts";
import { isPreserved } from "../base/memory-type.ts";
import {
  activeDays,
  activeLines,
  historyLine,
  historyRuns,
  indexLine,
  patternLines,
  type RootCandidate,
} from "./root-lines.ts";
import type { RootTopic } from "./root-topics.ts";

export interface RootLimits {
  readonly tokens: number;
  readonly characters: number;
  readonly lines: number;
  readonly bytes: number;
}

export interface ChoiceInputs {
  readonly topics: readonly RootTopic[];
  readonly day: Day;
  readonly limits: RootLimits;
  readonly count: (text: string) => number;
  /** ROOT.md without any line: what its front matter and headings take. */
  readonly frame: string;
}

/** How dense Historical Summary can be: months to a line and topics named in one. The first that fits is taken; nothing else leaves before the last. */
const densities = [
  { months: 1, topics: 8 },
  { months: 1, topics: 5 },
  { months: 1, topics: 3 },
  { months: 3, topics: 6 },
  { months: 6, topics: 6 },
  { months: 12, topics: 6 },
  { months: 1200, topics: 8 },
  { months: 1200, topics: 3 },
] as const;

/** Shares of the space for what is not index, when not everything fits. */
const shares = { preserved: 0.75, active: 0.22, patterns: 0.08, history: 0.1 };

/** Takes lines into a limited space, the most valuable first, and keeps the ledger of what did not fit. */
export class RootChoice {
  readonly chosen: RootCandidate[] = [];
  readonly dropped = new Map<RootCandidate, string>();
  readonly #inputs: ChoiceInputs;
  readonly #topics: readonly RootTopic[];
  readonly #costs = new Map<{ readonly text: string }, number>();
  #free: number;
  #freeBytes: number;
  #freeLines: number;

  constructor(inputs: ChoiceInputs) {
    this.#inputs = inputs;
    this.#topics = inputs.topics;
    this.#free = inputs.limits.tokens - inputs.count(inputs.frame);
    this.#freeBytes = Math.min(inputs.limits.bytes, inputs.limits.characters) - inputs.frame.length;
    this.#freeLines = inputs.limits.lines - inputs.frame.split("\n").length;
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
    this.#takeIndex(
      index.filter(({ topic }) => !isPreserved(topic.type)),
      total * shares.history,
    );
    const left = new Set(index.filter(({ line }) => this.dropped.has(line)).map(({ topic }) => topic.key));
    this.#takeHistory(window.first, left);
    this.#takeIndex(
      index.filter(({ line }) => this.dropped.has(line)),
      0,
    );
    for (const line of [...active, ...patterns]) if (this.dropped.has(line)) this.#take(line, this.#free);
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
    const rows = lines.map((row) => ({
      ...row,
      tier: tier(row.topic),
      density: row.line.value / (6 + this.#cost(row.line)),
    }));
    rows.sort(
      (a, b) =>
        a.tier - b.tier ||
        (a.tier === 1 ? a.topic.age - b.topic.age : 0) ||
        b.density - a.density ||
        (a.topic.key < b.topic.key ? -1 : 1),
    );
    for (const { topic, line } of rows) {
      const shorter = indexLine(topic, 5);
      if (this.#take(line, this.#free - reserve)) continue;
      if (isPreserved(topic.type) && this.#take(shorter, this.#free - reserve)) continue;
      this.dropped.set(
        line,
        topic.progress === "done"
          ? "completed, and the index is full"
          : topic.age > 90
            ? "silent for over 90 days, and the index is full"
            : "the index is full",
      );
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
    const shortest = historyRuns(this.#topics, { before, months: 1200, topics: 3, leftOut });
    for (const run of shortest) this.dropped.set(historyLine(run), "no form of history fits");
  }
}
