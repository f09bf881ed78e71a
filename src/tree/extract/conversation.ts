import type { Passage, SourceSection } from "../../base/passage.ts";
import { isEphemeral, type KeptLine } from "../../text/extract/noise.ts";
import { passageOf, refOf } from "./passage-of.ts";
import { tidy } from "../../text/extract/sentences.ts";
import { TermScores, type Term } from "./terms.ts";
import { isNamed, wholeSection } from "./topic-passage.ts";
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
  const given = isNamed(section);
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
  const own = from.said.reduce((sum, sentence) => sum + Math.max(0, sentence.weight - 1), 0);
  return {
    ...wholeSection(section, from.topic),
    text: from.terms.map(({ shown }) => shown.replaceAll(/[,:()[\]]/gu, " ").trim()).join(", "),
    scores: from.terms.map(({ score }) => score),
    weight: 1 + Math.log2(1 + own) / 2,
  };
}
