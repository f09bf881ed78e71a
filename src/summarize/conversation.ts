import type { Passage, SourceSection } from "../base/passage.ts";
import { isEphemeral, type KeptLine } from "./exclude.ts";
import { passageOf, refOf } from "./passage-of.ts";
import { tidy } from "./sentences.ts";
import { TermScores, type Term } from "./terms.ts";
import { isIdLike } from "./topic-passage.ts";
import { saidByPerson, type Said } from "./transcript.ts";

/** Sentences of one conversation that may compete for the space. */
const mostSaid = 8;
/** Keywords of one conversation that may compete for the space. */
const mostTerms = 20;

/** What a person said in a conversation, as a topic with its keywords and the sentences that say most. */
export function transcript(section: SourceSection, kept: readonly KeptLine[]): readonly Passage[] {
  const said = saidByPerson(kept).filter((sentence) => !isEphemeral(sentence.text));
  const scores = new TermScores();
  for (const sentence of said) scores.add(sentence.text, sentence.weight);
  const terms = scores.top(mostTerms);
  const given = section.topic !== "" && !isIdLike(section.topic);
  const topic = given ? section.topic : (terms[0]?.shown ?? "");
  if (topic === "") return [];
  const notes = said
    .filter((sentence) => sentence.value > 2.5)
    .toSorted((a, b) => b.value - a.value || a.number - b.number)
    .slice(0, mostSaid)
    .map((sentence): Passage => ({
      ...passageOf(section, "note", topic),
      text: tidy(sentence.text),
      refs: [refOf(section, sentence)],
      weight: sentence.value / 3,
    }));
  const head = topicOf(section, { topic, said, terms: given ? terms : terms.slice(1) });
  return [{ ...head, naming: given ? "given" : "found" }, ...notes];
}

function topicOf(
  section: SourceSection,
  from: { readonly topic: string; readonly said: readonly Said[]; readonly terms: readonly Term[] },
): Passage {
  const filled = section.lines.filter((line) => line.text.trim() !== "");
  const [first, last] = [filled[0] ?? section.lines[0], filled.at(-1) ?? section.lines.at(-1)];
  const own = from.said.reduce((sum, sentence) => sum + Math.max(0, sentence.weight - 1), 0);
  return {
    ...passageOf(section, "topic", from.topic),
    text: from.terms.map(({ shown }) => shown.replaceAll(/[,:()[\]]/gu, " ").trim()).join(", "),
    scores: from.terms.map(({ score }) => score),
    refs: [{ log: section.log, from: first?.number ?? 0, to: last?.number ?? 0 }],
    weight: 1 + Math.log2(1 + own) / 2,
  };
}
