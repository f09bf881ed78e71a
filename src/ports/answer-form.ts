/** The form that an answer has to have, as a value: for implementations that can hold a model to it. The same request gives the same form. */
export interface AnswerForm {
  /** In their order. */
  readonly sections: readonly FormSection[];
  /** The most characters that a line may have, its mark included. */
  readonly mostCharacters: number;
  /** The most lines, of all sections together. */
  readonly mostLines: number;
  /** The topics that there are, as `name [type]`, the most important first; empty when the sources tell of things without a topic too, so that a model may name some. */
  readonly topics: readonly string[];
  /** Words of the sources without digits, at most some thousands. For models that have to be kept to them. */
  readonly words: readonly string[];
  /** Words with digits that the sources have: numbers, dates, versions. All digits of an answer have to stand in one of them. */
  readonly numbers: readonly string[];
}

export interface FormSection {
  /** Stands behind `## `; empty of a list without a heading. */
  readonly title: string;
  /** `always`: it has to be there. `one_of`: at least one of all sections that say so. */
  readonly presence: "always" | "one_of";
  readonly content: FormContent;
  /** Lines of the sources that could stand there as they are, in their order, at most 24, those of topics the most important first. For models that choose instead of writing. */
  readonly lines: readonly FormLine[];
}

export interface FormLine {
  /** With its mark. With keywords its beginning, which some of them follow, separated by commas. */
  readonly text: string;
  readonly keywords: readonly string[];
  /** How much it is worth, larger is more; only compared within its section. */
  readonly weight: number;
}

/**
 * What stands below a heading: `topics` are `- name [type]: keywords`, `items` `- topic: text` or `- text`, `messages` `- #12 user: text`, and `headings`
 * these lines and nothing else, each of them.
 */
export type FormContent =
  | { readonly form: "topics" | "items" | "messages" }
  | { readonly form: "headings"; readonly lines: readonly string[] };
