import type { Passage, SourceSection } from "../base/passage.ts";
import { isEphemeral, type KeptLine } from "./exclude.ts";
import { passageOf, refOf } from "./passage-of.ts";
import { tidy } from "./sentences.ts";
import { isIdLike, nameFrom, topicPassage } from "./topic-passage.ts";
import { saidByPerson } from "./transcript.ts";
import { contentWords, WordCounts } from "./words.ts";

/** Sentences of one conversation that may compete for the space. */
const mostSaid = 16;

export function transcript(section: SourceSection, kept: readonly KeptLine[]): readonly Passage[] {
  const said = saidByPerson(kept).filter((sentence) => !isEphemeral(sentence.text));
  const counts = new WordCounts();
  for (const sentence of said) counts.add(contentWords(sentence.text), 1);
  const topic = section.topic === "" || isIdLike(section.topic) ? nameFrom(counts) : section.topic;
  if (topic === "") return [];
  const best = said
    .filter((sentence) => sentence.value > 2.5)
    .toSorted((a, b) => b.value - a.value || a.number - b.number)
    .slice(0, mostSaid);
  const notes = best.map((sentence): Passage => ({
    ...passageOf(section, "note", topic),
    text: tidy(sentence.text),
    refs: [refOf(section, sentence)],
    weight: sentence.value / 3,
  }));
  return [topicPassage(section, topic, counts), ...notes];
}
