import type { ResultOf } from "../../src/operations/table.ts";

type Recalled = Extract<ResultOf<"memory.recall">, { readonly context: unknown }>;
export type Passage = Recalled["context"][number];

/** Why a passage is there, in words: "Found by the words limiter, payments; 3 days old; same topic as memory/2026-03-20.md:7." */
export function reasonsOf(passage: Passage, { context, steps }: Pick<Recalled, "context" | "steps">): string {
  const { why = [], pinned, age_days } = passage;
  const scores = new Map(why.map(({ part, score }) => [part, score]));
  const has = (part: string): boolean => (scores.get(part) ?? 0) > 0;
  const found = steps.filter(({ step }) => step === "search").flatMap(({ notes }) => notes);
  const own = wordsIn(
    passage,
    found.filter((word) => !word.startsWith("+")),
  );
  const others = wordsIn(
    passage,
    found.flatMap((word) => (word.startsWith("+") ? [word.slice(1)] : [])),
  );
  const isByWords = has("words") || own.length > 0;
  const reasons = [
    ...(pinned === true ? ["pinned"] : []),
    ...(own.length > 0 ? [`found by the ${own.length === 1 ? "word" : "words"} ${own.join(", ")}`] : []),
    ...(own.length === 0 && has("words") ? ["found by forms of the message's words"] : []),
    ...(!isByWords && others.length > 0 ? [`has ${others.slice(0, 3).join(", ")}, like the passages found first`] : []),
    ...(has("meaning") ? ["close in meaning"] : []),
    ...(has("words before") ? ["the sentence before it has words of the message"] : []),
    ...(has("step root") ? ["a line of ROOT.md leads to it"] : []),
    ...(has("step manifest") ? ["a node leads to it"] : []),
    ...(has("step chosen") ? ["the model chose its node"] : []),
    ...(has("supersedes") ? ["newer than what it replaces"] : []),
    ...sectionReason(scores.get("section")),
    ...(age_days === null ? [] : [ageReason(age_days)]),
    ...sameTopic(passage, context),
  ];
  const text = reasons.join("; ");
  return text === "" ? "" : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** The words of a passage or its heading that contain what was searched for, which may be the beginning of a word; in scripts without spaces, what was searched for itself. */
function wordsIn({ text, heading }: Passage, words: readonly string[]): readonly string[] {
  const all = `${heading}\n${text}`.toLocaleLowerCase();
  const found = words.flatMap((given): readonly string[] => {
    const word = given.toLocaleLowerCase();
    const at = /\p{L}/u.test(word) ? all.indexOf(word) : -1;
    const rest = at < 0 ? null : spaced.exec(all.slice(at + word.length, at + word.length + longestRest));
    return at < 0 ? [] : [`${word}${rest?.[0] ?? ""}`];
  });
  return [...new Set(found)];
}

/** The rest of a word in scripts that put spaces between words. */
const spaced = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Arabic}\p{Script=Hebrew}\p{M}]*/u;
const longestRest = 20;

/** Of how well the best section fits. */
const goodFit = 0.5;

function sectionReason(share: number | undefined): readonly string[] {
  if (share === undefined || share <= 0) return [];
  return [
    share >= 1 ? "its section fits best" : share >= goodFit ? "its section fits well" : "its section fits a little",
  ];
}

function ageReason(days: number): string {
  if (days === 0) return "of today";
  if (days < 0) return "about a day to come";
  return days === 1 ? "1 day old" : `${days} days old`;
}

/** The first passage above it that has the same heading. */
function sameTopic(passage: Passage, context: Recalled["context"]): readonly string[] {
  const before = context.slice(0, Math.max(0, context.indexOf(passage)));
  const other = passage.heading === "" ? undefined : before.find(({ heading }) => heading === passage.heading);
  return other === undefined ? [] : [`same topic as ${other.source.replace(/:(\d+)-\1$/u, ":$1")}`];
}
