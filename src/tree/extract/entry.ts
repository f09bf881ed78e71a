import type { Passage, SourceSection } from "../../base/passage.ts";
import { countTerms, entitiesOf } from "../../text/extract/keywords.ts";
import type { KeptLine } from "../../text/extract/noise.ts";
import { itemsIn } from "./items.ts";
import { isLongNote, notes } from "./notes.ts";
import { progressOf } from "./progress.ts";
import { detailsOf, saidIn } from "./telling.ts";
import { isNamed, keyedTopic, nameOf } from "./topic-passage.ts";

/** An entry or a free note: its topic, or the topics found in it, and what is told of them. */
export function entry(section: SourceSection, kept: readonly KeptLine[]): readonly Passage[] {
  const items = itemsIn(section, kept);
  const entities = entitiesOf(section, kept);
  if (isLongNote(section)) {
    const found = notes(section, items);
    if (found.length > 0) return [...found, ...entities];
  }
  const counts = countTerms(items.map(saidIn));
  const named = isNamed(section);
  const topic = named ? section.topic : nameOf(counts) || section.topic;
  if (topic === "") return [];
  const progress = progressOf(
    section.heading,
    kept.map((line) => line.text),
  );
  const naming = named ? "given" : "found";
  const details = detailsOf(section, items, { topic, progress });
  const told = section.type === "reference" ? pointerOnly(details) : details.filter((passage) => passage.text !== "");
  return [{ ...keyedTopic(section, topic, counts), progress, naming }, ...told, ...entities];
}

/** Of a reference: the line with the URL, or the first one. */
function pointerOnly(details: readonly Passage[]): readonly Passage[] {
  const pointer = details.find((passage) => /https?:\/\/|→|\/\w/u.test(passage.text)) ?? details[0];
  const described = details.find((passage) => passage !== pointer && passage.text !== "");
  return [pointer, described].filter((passage) => passage !== undefined);
}
