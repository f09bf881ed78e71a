/** The planted truth of a corpus: facts, corrections, the state of projects, and the locations of five facts. Days are `YYYY-MM-DD`. */
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
  /** Started, not completed, and not mentioned for more than 90 days. */
  readonly silent: readonly { readonly topic: string; readonly lastDay: string }[];
  readonly references: readonly { readonly topic: string; readonly url: string; readonly lastDay: string }[];
  readonly recurringLessons: readonly { readonly text: string; readonly days: readonly string[] }[];
  readonly openItems: readonly { readonly topic: string; readonly text: string; readonly day: string }[];
  readonly facts: readonly PlantedFact[];
  /** Words from code and temporary notes. None belongs in ROOT.md. */
  readonly passing: readonly string[];
}

export interface PlantedPerson {
  readonly topic: string;
  /** For a corrected topic, the words now valid. */
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
