import type { Passage, Role, SourceSection } from "../base/passage.ts";
import { entitiesOf } from "./entities.ts";
import { isEphemeral, type KeptLine } from "./exclude.ts";
import { passageOf, refOf } from "./passage-of.ts";
import { progressOf } from "./progress.ts";
import { tidy } from "./sentences.ts";
import { isIdLike, nameFrom, topicPassage } from "./topic-passage.ts";
import { contentWords, WordCounts } from "./words.ts";

const keyed = /^\s*[-*+]\s+(?:\*\*)?([\p{L}][\p{L}\p{N} _-]{0,24}?)(?:\*\*)?\s*[:：]\s*(?:\*\*)?\s*(.+)$/u;
const roleOfKey: readonly (readonly [RegExp, Role])[] = [
  [/^(?:decisions?|decided|chose|결정|決定|决定)$/iu, "decision"],
  [/^(?:outcomes?|results?|status|done|completed|결과|상태|結果|状態|状态)$/iu, "done"],
  [/^(?:lessons?(?: learned)?|learned|insights?|교훈|教訓|学び)$/iu, "lesson"],
  [/^(?:open(?: items?)?|todo|next(?: steps?)?|pending|questions?|blocked|미해결|할 일|未解決|課題)$/iu, "open"],
];

function roleOf(
  section: SourceSection,
  text: string,
): { readonly role: Role; readonly text: string; readonly weight: number } {
  const box = !text.includes("[") ? null : /^\s*(?:[-*+]|\d{1,9}[.)])\s+\[([ xX])\]\s+(.*)$/u.exec(text);
  if (box !== null) return { role: box[1] === " " ? "open" : "done", text: box[2] ?? "", weight: 2 };
  const match = /[:：]/u.test(text) ? keyed.exec(text) : null;
  const role = match === null ? undefined : roleOfKey.find(([pattern]) => pattern.test(match[1] ?? ""))?.[1];
  if (role !== undefined) return { role, text: match?.[2] ?? "", weight: role === "decision" ? 3 : 2.5 };
  return {
    role: "note",
    text: text.replace(/^\s*(?:[-*+]|\d+[.)])\s+/u, ""),
    weight: section.type === "reference" ? 2 : 1,
  };
}

export function entry(section: SourceSection, kept: readonly KeptLine[]): readonly Passage[] {
  const found = detailsOf(section, kept);
  const counts = new WordCounts();
  for (const detail of found) counts.add(contentWords(detail.text), 1);
  const topic = section.topic === "" || isIdLike(section.topic) ? nameFrom(counts) : section.topic;
  if (topic === "") return [];
  const progress = progressOf(
    section.heading,
    kept.map((line) => line.text),
  );
  const details = found.map((detail): Passage => ({ ...detail, topic, progress }));
  const told = section.type === "reference" ? pointerOnly(details) : details.filter((passage) => passage.text !== "");
  return [{ ...topicPassage(section, topic, counts), progress }, ...told, ...entitiesOf(section, kept)];
}

/** The items as passages; items below a bare `- open:` have its role. */
function detailsOf(section: SourceSection, kept: readonly KeptLine[]): readonly Passage[] {
  let group: { readonly indent: number; readonly role: Role } | undefined;
  return itemsOf(kept).flatMap((item): readonly Passage[] => {
    const indent = item.text.search(/\S/u);
    if (group !== undefined && indent <= group.indent) group = undefined;
    const bare = !/[:：]\s*$/u.test(item.text)
      ? null
      : /^\s*[-*+]\s+(?:\*\*)?([\p{L}][\p{L}\p{N} _-]{0,24}?)(?:\*\*)?\s*[:：]\s*$/u.exec(item.text);
    const opened = bare === null ? undefined : roleOfKey.find(([pattern]) => pattern.test(bare[1] ?? ""))?.[1];
    if (bare !== null) {
      group = opened === undefined ? group : { indent, role: opened };
      return [];
    }
    const own = roleOf(section, item.text);
    const { role, weight } = group !== undefined && own.role === "note" ? { role: group.role, weight: 2.5 } : own;
    const value = weight + (/\d/u.test(own.text) ? 0.3 : 0) + (/https?:\/\//u.test(own.text) ? 0.5 : 0);
    return [{ ...passageOf(section, role, ""), text: tidy(own.text), refs: [refOf(section, item)], weight: value }];
  });
}

/** Of a reference: the line with the URL, or the first one. */
function pointerOnly(details: readonly Passage[]): readonly Passage[] {
  const pointer = details.find((passage) => /https?:\/\/|→|\/\w/u.test(passage.text)) ?? details[0];
  const described = details.find((passage) => passage !== pointer && passage.text !== "");
  return [pointer, described].filter((passage) => passage !== undefined);
}

/** List items with their continuation lines, and paragraphs. */
function itemsOf(lines: readonly KeptLine[]): readonly KeptLine[] {
  const items: KeptLine[] = [];
  let last = -1;
  for (const line of lines) {
    const open = items.at(-1);
    const continues =
      open !== undefined &&
      line.number === last + 1 &&
      !isItem(line.text) &&
      !line.text.startsWith("#") &&
      (/^\s/u.test(line.text) || !isItem(open.text));
    if (continues && open.text.length < 600)
      items[items.length - 1] = { number: open.number, to: line.to, text: `${open.text} ${line.text.trim()}` };
    else if (!/^\s*(?:#{1,6}\s|[-*_]{3,}\s*$|\|?[\s:|-]+\|?$)/u.test(line.text)) items.push(line);
    last = line.to;
  }
  return items;
}

/** The list items and paragraphs without those that carry an ephemeral marker. */
export function withoutEphemeral(lines: readonly KeptLine[]): readonly KeptLine[] {
  const groups: KeptLine[][] = [];
  for (const line of lines) {
    const last = groups.at(-1)?.at(-1);
    if (last === undefined || isItem(line.text) || line.number > last.to + 1) groups.push([line]);
    else groups.at(-1)?.push(line);
  }
  return groups.filter((group) => !group.some((line) => isEphemeral(line.text))).flat();
}

function isItem(text: string): boolean {
  return /^\s*(?:[-*+]|\d+[.)])\s/u.test(text);
}
