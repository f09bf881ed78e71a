/** What is planted in a corpus: what is so, what was corrected, what is under way or over, and where five facts stand. Days are `YYYY-MM-DD`. */
export interface PlantedTruth {
  readonly today: string;
  readonly user: readonly PlantedPerson[];
  readonly feedback: readonly PlantedPerson[];
  readonly corrections: readonly {
    readonly topic: string;
    readonly was: readonly string[];
    readonly now: readonly string[];
    readonly wasDay: string;
    readonly nowDay: string;
  }[];
  readonly active: readonly { readonly topic: string; readonly lastDay: string; readonly words: readonly string[] }[];
  readonly completed: readonly { readonly topic: string; readonly doneDay: string }[];
  /** Begun, not completed, and not mentioned for more than 90 days. */
  readonly silent: readonly { readonly topic: string; readonly lastDay: string }[];
  readonly references: readonly { readonly topic: string; readonly url: string; readonly lastDay: string }[];
  readonly recurringLessons: readonly { readonly text: string; readonly days: readonly string[] }[];
  readonly openItems: readonly { readonly topic: string; readonly text: string; readonly day: string }[];
  readonly facts: readonly PlantedFact[];
  /** Words of code and of passing notes; none belongs into ROOT.md. */
  readonly passing: readonly string[];
}

export interface PlantedPerson {
  readonly topic: string;
  /** Of a corrected topic those that hold. */
  readonly words: readonly string[];
  readonly days: readonly string[];
}

export interface PlantedFact {
  readonly question: string;
  readonly topic: string;
  readonly clues: readonly string[];
  readonly word: string;
  readonly period: string;
  readonly path: string;
  /** 1-based. */
  readonly line: number;
}

/** The logs of a corpus, by day, as lines. */
export interface PlantedCorpus {
  readonly logs: readonly (readonly [date: string, lines: readonly string[]])[];
  readonly truth: PlantedTruth;
}

export const yearToday: string;
export function writeYear(dir: string, options: { readonly seed: number }): PlantedTruth;
export function composeYear(options: { readonly seed: number }): PlantedCorpus;
