import type { Day } from "../../base/calendar.ts";
import { isPreserved, topicKey } from "../../base/memory-type.ts";
import { nameKey } from "../../text/word-keys.ts";
import { activeDays, activeLines } from "./root-active.ts";
import { historyLine, historyRuns } from "./root-history.ts";
import { indexLine, type RootCandidate } from "./root-lines.ts";
import { patternLines } from "./root-patterns.ts";
import { singleLines, topicsOfLines } from "./root-found.ts";
import { RootIndex } from "./root-index.ts";
import { RootSpace, type RootLimits } from "./root-space.ts";
import type { PlacedPassage, RootTopic } from "./root-topics.ts";
import type { NodeSummarizer } from "../model/summarizer.ts";

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
  { months: 3, topics: 10 },
  { months: 3, topics: 6 },
  { months: 6, topics: 10 },
  { months: 6, topics: 6 },
  { months: 12, topics: 10 },
  { months: 12, topics: 6 },
  { months: 1200, topics: 8 },
  { months: 1200, topics: 3 },
] as const;

/** Over the cap the periods of history are merged before any topic leaves the index. */
const merged = densities.filter(({ months }) => months > 1);

/** Shares of the space for what is not index, when not everything fits. */
const shares = { active: 0.14, patterns: 0.12, history: 0.06 };

/** Tokens that no line of the index goes below. */
const leastLine = 6;

/** `user` and `feedback` first, then what is worth most. */
function byWorth(a: RootTopic, b: RootTopic): number {
  return (
    Number(isPreserved(b.type)) - Number(isPreserved(a.type)) ||
    indexLine(b, 12).value - indexLine(a, 12).value ||
    (a.key < b.key ? -1 : 1)
  );
}

/** Chooses the lines of ROOT.md. */
export class RootChoice {
  readonly space: RootSpace;
  readonly #inputs: ChoiceInputs;

  constructor(inputs: ChoiceInputs) {
    this.#inputs = inputs;
    this.space = new RootSpace(inputs.limits, inputs.count, inputs.frame);
  }

  run(): void {
    const { topics, day } = this.#inputs;
    const window = activeDays(topics, day);
    const active = activeLines(topics, window);
    const patterns = patternLines(topics, day);
    const named = topics.filter(({ naming }) => naming === "given").toSorted(byWorth);
    // What was found under a name that somebody gave stands in the line of that topic.
    const keys = new Set(named.map(({ name }) => nameKey(name)));
    const found = this.#inputs.found.filter(({ topic }) => !keys.has(nameKey(topic)));
    const others = [...active, ...patterns, ...named.map((topic) => indexLine(topic, 12))];
    const names = new Set(found.map(({ topic }) => topicKey(topic))).size;
    if (names * leastLine <= this.space.free) {
      const singles = singleLines({ day, topics: found });
      const past = [...named, ...topicsOfLines(singles, day)];
      if (this.#takeAll([...others, ...singles], { before: window.first, topics: past })) return;
    }
    const total = this.space.free;
    const taken = new Set(named.map(({ key }) => key));
    const index = new RootIndex(this.space, named, { ...this.#inputs, topics: found, names: taken });
    if (index.takePreserved() === "some") {
      const told = new Set(this.space.chosen.map(({ topic }) => topic));
      for (const line of [...others, ...singleLines({ day, topics: found })])
        if (!told.has(line.topic)) this.space.dropped.set(line, "user and feedback come first");
      return;
    }
    this.space.takeShare(active, total * shares.active);
    this.space.takeShare(patterns, total * shares.patterns);
    index.takeOthers(total * shares.history);
    const past = [...named, ...topicsOfLines(index.taken, day)];
    this.#takeHistory(past, { before: window.first, leftOut: index.leftOut() });
    index.takeRest();
    for (const line of [...active, ...patterns]) if (this.space.dropped.has(line)) this.space.take(line);
  }

  /** Takes everything with the most detailed history that fits; whether it did. */
  #takeAll(
    lines: readonly RootCandidate[],
    past: { readonly before: Day; readonly topics: readonly RootTopic[] },
  ): boolean {
    if (!this.space.fitsAll(lines)) return false;
    for (const density of densities) {
      const history = historyRuns(past.topics, { ...density, before: past.before, leftOut: new Set() });
      if (!this.space.fitsAll([...lines, ...history])) continue;
      for (const line of [...lines, ...history.map(historyLine)]) this.space.take(line);
      return true;
    }
    return false;
  }

  /** The densest history that fits into what is left. */
  #takeHistory(
    topics: readonly RootTopic[],
    of: { readonly before: Day; readonly leftOut: ReadonlySet<string> },
  ): void {
    for (const density of of.leftOut.size === 0 ? densities : merged) {
      const history = historyRuns(topics, { ...density, ...of });
      if (!this.space.fitsAll(history)) continue;
      for (const run of history) this.space.take(historyLine(run));
      return;
    }
    const shortest = historyRuns(topics, { ...of, months: 1200, topics: 3 });
    for (const run of shortest) this.space.dropped.set(historyLine(run), "no form of history fits");
  }
}
