import type { Day } from "../base/calendar.ts";
import { isPreserved } from "../base/memory-type.ts";
import { activeDays, activeLines } from "./root-active.ts";
import { historyLine, historyRuns, indexLine, type RootCandidate } from "./root-lines.ts";
import { patternLines } from "./root-patterns.ts";
import { chooseFound, singleLines, topicsOfLines } from "./root-found.ts";
import type { PlacedPassage, RootTopic } from "./root-topics.ts";
import type { NodeSummarizer } from "./summarizer.ts";

export interface RootLimits {
  readonly tokens: number;
  readonly characters: number;
  readonly lines: number;
  readonly bytes: number;
}

export interface ChoiceInputs {
  readonly topics: readonly RootTopic[];
  /** Topic lines of the monthlies that nobody named. */
  readonly found: readonly PlacedPassage[];
  readonly keys: NodeSummarizer["keys"];
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

/** Over the cap the periods of history are merged before any topic leaves the index. */
const merged = densities.filter(({ months }) => months > 1);

/** Shares of the space for what is not index, when not everything fits. `user` and `feedback` leave the others only `others`. */
const shares = { others: 0.1, active: 0.15, patterns: 0.08, history: 0.04, found: 0.4 };

/** Keywords of a `user` or `feedback` topic: as many as leave room for all such topics. */
const keywordSteps = [12, 8, 5, 3, 1, 0] as const;
/** Of the others: a line that says less is hard to find again. */
const projectSteps = [12, 9, 7, 5] as const;

/** Lines that are kept for Historical Summary. */
const linesOfHistory = 4;

interface IndexRow {
  readonly topic: RootTopic;
  readonly line: RootCandidate;
}

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
    const patterns = patternLines(this.#topics, this.#inputs.day);
    const index = this.#topics
      .filter(({ naming }) => naming === "given")
      .map((topic) => ({ topic, line: indexLine(topic, 12) }));
    const singles = singleLines({ ...this.#inputs, topics: this.#inputs.found });
    const others = [...active, ...patterns, ...index.map(({ line }) => line), ...singles];
    const told = [...index.map(({ topic }) => topic), ...topicsOfLines(singles, this.#inputs.day)];
    for (const density of densities) {
      const history = historyRuns(told, { ...density, before: window.first, leftOut: new Set() });
      if (!this.#fitsAll([...others, ...history])) continue;
      for (const line of [...others, ...history.map(historyLine)]) this.#take(line, total);
      return;
    }
    const [kept, free] = [true, false].map((wanted) =>
      index.map(({ topic }) => topic).filter(({ type }) => isPreserved(type) === wanted),
    );
    const preserved = this.#forms(kept ?? [], { steps: keywordSteps, room: this.#free - total * shares.others });
    this.#takeIndex(preserved, total * shares.others);
    const missing = (): readonly IndexRow[] => preserved.filter(({ line }) => this.dropped.has(line));
    this.#takeIndex(missing(), 0);
    if (missing().length > 0) {
      for (const line of [...active, ...patterns, ...index.map((row) => row.line), ...singles])
        if (!this.chosen.some(({ topic }) => topic !== "" && topic === line.topic))
          this.dropped.set(line, "user and feedback come first");
      return;
    }
    this.#takeShare(active, total * shares.active);
    this.#takeShare(patterns, total * shares.patterns);
    const wanted = singles.reduce((sum, line) => sum + this.#cost(line), 0);
    const reserve = total * shares.history + Math.min(wanted, this.#free * shares.found);
    const projects = this.#forms(free ?? [], { steps: projectSteps, room: this.#free - reserve });
    this.#takeIndex(projects, reserve);
    const found = this.#takeFound(total * shares.history);
    const left = (): readonly IndexRow[] => [...preserved, ...projects].filter(({ line }) => this.dropped.has(line));
    const past = [...index.map(({ topic }) => topic), ...topicsOfLines(found, this.#inputs.day)];
    this.#takeHistory(past, { before: window.first, leftOut: new Set(left().map(({ topic }) => topic.key)) });
    this.#takeIndex(left(), 0);
    for (const line of [...active, ...patterns]) if (this.dropped.has(line)) this.#take(line, this.#free);
  }

  /** Takes back the line that was chosen last; false when none is left. */
  dropLast(): boolean {
    const line = this.chosen.pop();
    if (line !== undefined) this.dropped.set(line, "the exact count was over the cap");
    return line !== undefined;
  }

  #fitsAll(lines: readonly { readonly text: string }[], room: number = this.#free): boolean {
    const tokens = lines.reduce((sum, line) => sum + this.#cost(line), 0);
    const bytes = lines.reduce((sum, line) => sum + Buffer.byteLength(line.text) + 1, 0);
    return tokens <= room && bytes <= this.#freeBytes && lines.length <= this.#freeLines;
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

  /** Index lines with fewer keywords the more there are, so that all of them fit into `room` while the fewest keywords let them. */
  #forms(
    topics: readonly RootTopic[],
    of: { readonly steps: readonly number[]; readonly room: number },
  ): readonly IndexRow[] {
    let form: readonly IndexRow[] = [];
    for (const keywords of of.steps) {
      form = topics.map((topic) => ({ topic, line: indexLine(topic, keywords) }));
      const lines = form.map(({ line }) => line);
      if (this.#fitsAll(lines, of.room)) break;
    }
    return form;
  }

  /** Index lines: live topics by value per token, then those silent for over 90 days, newest first, then completed ones; `reserve` stays free. */
  #takeIndex(lines: readonly IndexRow[], reserve: number): void {
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
    // Where something of a tier had to stay out, nothing of a later one is in, and of the silent ones none that was silent for longer.
    let open = 2;
    for (const { topic, line, tier: own } of rows) {
      if (own <= open && this.#take(line, this.#free - reserve)) continue;
      open = Math.min(open, own === 1 ? 0 : own);
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

  #takeFound(reserve: number): readonly RootCandidate[] {
    // The costs of a line's words add up to somewhat more than the line: a few more lines are asked for than seem to fit.
    const tokens = Math.floor((this.#free - reserve) * 1.15);
    const room = { tokens, lines: Math.max(0, this.#freeLines - linesOfHistory) };
    const { lines, left } = chooseFound({ ...this.#inputs, topics: this.#inputs.found }, room);
    const taken = lines.filter((line) => this.#take(line, this.#free - reserve));
    for (const line of lines) if (!taken.includes(line)) this.dropped.set(line, "the index is full");
    for (const line of singleLines({ ...this.#inputs, topics: left })) this.dropped.set(line, "the index is full");
    return taken;
  }

  /** The densest history that fits into what is left. */
  #takeHistory(
    topics: readonly RootTopic[],
    of: { readonly before: Day; readonly leftOut: ReadonlySet<string> },
  ): void {
    for (const density of of.leftOut.size === 0 ? densities : merged) {
      const history = historyRuns(topics, { ...density, ...of });
      if (!this.#fitsAll(history)) continue;
      for (const run of history) this.#take(historyLine(run), this.#free);
      return;
    }
    const shortest = historyRuns(topics, { ...of, months: 1200, topics: 3 });
    for (const run of shortest) this.dropped.set(historyLine(run), "no form of history fits");
  }
}
