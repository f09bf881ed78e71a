import { type Day, daysBetween } from "../../base/calendar.ts";
import { keywordsOf } from "../../text/extract/keywords.ts";
import { rankOf, type Statement } from "./root-statements.ts";
import { isPreserved, topicKey } from "../../base/memory-type.ts";
import { nameKey } from "../../text/word-keys.ts";
import {
  densities,
  type HistoryDensity,
  historyLine,
  type HistoryRun,
  historyRuns,
  type HistoryTopic,
  topicsOfLines,
} from "./root-history.ts";
import {
  type Detail,
  indexLine,
  refsOf,
  type RootCandidate,
  type RootLimits,
  RootSpace,
  singleLines,
  worthOf,
} from "./root-lines.ts";
import type { PlacedPassage } from "../model/node-passages.ts";
import { type RootTopic, saidText } from "./root-topics.ts";
import { activeDays, activeLines } from "./root-active.ts";
import { journalPieces } from "./root-pieces.ts";
import { patternLines } from "./root-patterns.ts";
import { RootIndex } from "./root-index.ts";

interface ChoiceInputs {
  readonly topics: readonly RootTopic[];
  /** The user's statements in conversations without a heading. */
  readonly said: readonly Statement[];
  /** Found topics in the monthly nodes. */
  readonly found: readonly PlacedPassage[];
  readonly day: Day;
  readonly limits: RootLimits;
  readonly count: (text: string) => number;
  /** ROOT.md without any lines: its front matter and headings. */
  readonly frame: string;
}

/** Shares of the space for everything but the index, when not everything fits. */
const shares = { journal: 0.5, said: 0.05, active: 0.1, patterns: 0.12, history: 0.06 };

/**
 * The detail of a topic if everything fits: statements for `user` and `feedback`, keywords for others until the
 * remaining room is known.
 */
function inFull(topic: RootTopic): Detail {
  return isPreserved(topic.type) ? { in: "statements", most: 12 } : { in: "keywords", most: 12 };
}

/** Each sentence that the user said in a conversation, verbatim, under a keyword. */
function saidLines(said: readonly Statement[], used: ReadonlySet<string>, day: Day): readonly RootCandidate[] {
  const names = new Set(used);
  return said.map((statement): RootCandidate => {
    const words = keywordsOf([{ text: statement.text, weight: 1 }], "").map(({ shown }) => shown);
    const name = words.find((word) => !names.has(topicKey(word))) ?? words[0] ?? "said";
    names.add(topicKey(name));
    const age = Math.max(0, daysBetween(statement.day, day));
    const text = `- ${name} [project, ${age}d]: ${saidText(statement, day)}`;
    const from = [statement.passage];
    return { section: "Topics Index", text, topic: topicKey(name), refs: refsOf(from), from, value: 1 };
  });
}

/** The fewest tokens in an index line. */
const leastLine = 6;

/** `user` and `feedback` first, then by worth. */
function byWorth(a: RootTopic, b: RootTopic): number {
  return (
    Number(isPreserved(b.type)) - Number(isPreserved(a.type)) || worthOf(b) - worthOf(a) || (a.key < b.key ? -1 : 1)
  );
}

/** Selects the lines of ROOT.md. */
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
    const active = activeLines(topics, window, day);
    const patterns = patternLines(topics, day);
    const named = topics.filter(({ naming }) => naming === "given").toSorted(byWorth);
    // A found topic with the name of a named one belongs to that topic's line.
    const keys = new Set(named.map(({ name }) => nameKey(name)));
    const found = this.#inputs.found.filter(({ topic }) => !keys.has(nameKey(topic)));
    const used = new Set([...named, ...found.map(({ topic }) => ({ key: topicKey(topic) }))].map(({ key }) => key));
    const said = saidLines(this.#inputs.said, used, day);
    const others = [...active, ...patterns, ...said, ...named.map((topic) => indexLine(topic, inFull(topic), day))];
    const names = new Set(found.map(({ topic }) => topicKey(topic))).size;
    const { pieces, others: own } = this.#journal(named);
    if (pieces.length === 0 && names * leastLine <= this.space.free) {
      const singles = [...singleLines({ day, topics: found })];
      const all = [...others, ...singles];
      const past = [...named, ...topicsOfLines(singles)];
      const history = this.space.fitsAll(all) ? this.#historyBeside(all, past, { before: window.first }) : undefined;
      if (history !== undefined) {
        for (const line of [...all, ...history.map(historyLine)]) this.space.take(line);
        this.#tellMore(topics);
        return;
      }
    }
    const total = this.space.free;
    const taken = new Set([...own.map(({ key }) => key), ...said.map(({ topic }) => topic)]);
    const index = new RootIndex(this.space, own, {
      ...this.#inputs,
      topics: [...found, ...pieces],
      names: taken,
      journal: pieces.length > 0,
    });
    if (index.takePreserved() === "some") {
      const told = new Set(this.space.chosen.map(({ topic }) => topic));
      for (const line of [...others, ...singleLines({ day, topics: found })])
        if (!told.has(line.topic)) this.space.dropped.set(line, "user and feedback entries come first");
      return;
    }
    this.space.takeShare(said, total * shares.said);
    this.space.takeShare(active, total * shares.active);
    this.space.takeShare(patterns, total * shares.patterns);
    index.takeOthers(total * shares.history);
    const past = [...own, ...topicsOfLines(index.taken)];
    const leftOut = index.leftOut();
    const history = this.#historyBeside([], past, { before: window.first, leftOut });
    if (history !== undefined) for (const run of history) this.space.take(historyLine(run));
    else
      for (const run of historyRuns(past, { months: 1200, topics: 3, before: window.first, leftOut }))
        this.space.dropped.set(historyLine(run), "no version of the history fits");
    index.takeRest();
    for (const line of [...active, ...patterns, ...said]) if (this.space.dropped.has(line)) this.space.take(line);
    this.#tellMore(topics);
  }

  /** The entries of a journal, if the lines of its topics leave them enough space. */
  #journal(named: readonly RootTopic[]): ReturnType<typeof journalPieces> {
    const journal = journalPieces(named, this.space.free);
    const lines = journal.others.map((topic) => {
      return indexLine(
        topic,
        isPreserved(topic.type) ? { in: "statements", most: 3 } : { in: "keywords", most: 5 },
        this.#inputs.day,
      );
    });
    const isRoomy = journal.pieces.length > 0 && this.space.costOf(lines) <= this.space.free * shares.journal;
    return isRoomy ? journal : { pieces: [], others: named };
  }

  /**
   * Spends leftover space on sentences instead of keywords, in rounds: first the newest of each topic, most valuable
   * topics first, then more of each. Skips what Active Context already contains.
   */
  #tellMore(topics: readonly RootTopic[]): void {
    const { day } = this.#inputs;
    const byKey = new Map(topics.map((topic) => [topic.key, topic]));
    const active = new Map(
      this.space.chosen.filter(({ section }) => section.startsWith("Active")).map(({ topic, text }) => [topic, text]),
    );
    const lines = this.space.chosen.filter(({ section }) => section === "Topics Index");
    const rows = lines.flatMap((line) => {
      const topic = byKey.get(line.topic);
      const isQuote = line.from.some(({ role }) => role === "said" && line.from.length === 1);
      // A line for several found topics must keep covering all of them.
      const isOfSeveral = topic?.naming === "found" && line.from.some((one) => topicKey(one.topic) !== topic.key);
      if (topic === undefined || isQuote || isOfSeveral) return [];
      const said = active.get(line.topic) ?? "";
      const statements = topic.statements.filter(({ text }) => !said.includes(text.replace(/[.。]$/u, "")));
      return topic.statements.length === 0 ? [] : [{ topic: { ...topic, statements }, now: line }];
    });
    for (const most of [1, 3, 12])
      for (const row of rows.toSorted((a, b) => byWorth(a.topic, b.topic))) {
        const told = isPreserved(row.topic.type) ? (byKey.get(row.topic.key) ?? row.topic) : row.topic;
        // A single remark says less about a topic than its keywords.
        const [first] = told.statements;
        if (most === 1 && first !== undefined && rankOf(first) <= 1 && told.statements.length > 1) continue;
        const fuller = indexLine(told, { in: "statements", most }, day);
        if (fuller.text.length > row.now.text.length || !isPreserved(row.topic.type))
          row.now = this.space.replace(row.now, fuller);
      }
  }

  /** The most detailed history that fits next to these lines. */
  #historyBeside(
    lines: readonly RootCandidate[],
    topics: readonly HistoryTopic[],
    of: Pick<HistoryDensity, "before" | "leftOut">,
  ): readonly HistoryRun[] | undefined {
    for (const density of densities) {
      if (density.months === 1 && (of.leftOut?.size ?? 0) > 0) continue;
      const history = historyRuns(topics, { ...density, ...of });
      if (this.space.fitsAll([...lines, ...history])) return history;
    }
    return undefined;
  }
}
