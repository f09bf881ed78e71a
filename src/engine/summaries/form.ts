import { mostKeywords } from "../../base/keyword-list.ts";
import { pushAll } from "../../base/lists.ts";
import { parseHeading, scanLines, type ScannedLine } from "../../base/markdown.ts";
import { topicKey } from "../../base/memory-type.ts";
import type { Passage, SourceLine, SourceSection } from "../../base/passage.ts";
import { redact } from "../../base/redact/index.ts";
import { parseTaggedTopic } from "../../base/standing.ts";
import type { AnswerForm, FormContent, FormLine, FormSection } from "../../ports/answer-form.ts";
import { outlineOf, withoutHidden, withoutRefs } from "../../summarize/answers/answer-outline.ts";
import { itemWords, repetitiveFindings } from "../../summarize/answers/item-checks.ts";
import { sourcesOf } from "../../summarize/answers/read-answer.ts";
import {
  keptTitle,
  requiredTitle,
  type SourceText,
  type SourceTextLine,
  type SummaryRequest,
  titlesOf,
} from "../../summarize/answers/request.ts";
import { printSourceLine } from "../../summarize/answers/source-lines.ts";
import { builtInSummarizer } from "../../summarize/built-in.ts";
import { groundingFindings } from "../../summarize/grounding/grounding.ts";
import { tidy } from "../../summarize/sentences.ts";
import { beginSection } from "../../tree/reading.ts";
import { isSummaryTitle, parseSummary, titleOfRole } from "../../tree/summary-format.ts";

/** What the prompts say of a line. */
const mostCharacters = 220;
const mostTopics = 100;
const mostNumbers = 300;
const mostWords = 3000;

/** The form of an answer that its checks do not refuse for its form. Linear. */
export function formOf(request: SummaryRequest): AnswerForm {
  const { kind, space } = request;
  const bounds = { mostCharacters, mostLines: space.lines, topics: topicsOf(request), ...wordsOf(request) };
  const lines = linesToChoose(request, mostCharacters);
  const linesOf = (title: string): FormSection["lines"] => lines.get(title) ?? [];
  if (kind === "thread")
    return {
      sections: [{ title: "", presence: "always", content: { form: "messages" }, lines: linesOf("") }],
      ...bounds,
    };
  const required = requiredTitle(kind);
  const sections = titlesOf(kind).flatMap((title): FormSection[] => {
    if (title === keptTitle) return keptSection(request);
    const isTopics = title === required && kind !== "root";
    const content: FormContent = { form: isTopics ? "topics" : "items" };
    return [{ title, presence: title === required ? "always" : "one_of", content, lines: linesOf(title) }];
  });
  return { sections, ...bounds };
}

function keptSection({ mustKeep }: SummaryRequest): FormSection[] {
  const lines = mustKeep.map(({ topic, type }) => `### ${topic} [${type}]`);
  return lines.length === 0
    ? []
    : [{ title: keptTitle, presence: "always", content: { form: "headings", lines }, lines: [] }];
}

interface Counted {
  readonly topic: string;
  lines: number;
}

/** The topics of headings and of lists of topics, those with the most lines first; none when a line stands below no topic. */
function topicsOf({ kind, sources }: SummaryRequest): readonly string[] {
  if (kind === "thread" || kind === "root") return [];
  const titles = new Set([...titlesOf(kind), ...titlesOf("daily"), ...titlesOf("weekly")]);
  const found = new Map<string, Counted>();
  for (const { lines } of sources) {
    let place: "nowhere" | "topic" | "section" = "nowhere";
    let topic: Counted | undefined;
    for (const { text } of lines) {
      const heading = parseHeading(text);
      if (heading !== undefined && heading.level > 1) {
        place = titles.has(heading.text) ? "section" : "topic";
        topic = place === "topic" ? countedIn(found, heading.text) : undefined;
      } else if (heading !== undefined || text.trim() === "") continue;
      else if (place === "nowhere") return [];
      else if (place === "section") topic = countedIn(found, listed.exec(text)?.[1] ?? "");
      if (topic !== undefined) topic.lines += 1;
    }
  }
  return [...found.values()]
    .sort((one, other) => other.lines - one.lines)
    .map(({ topic }) => topic)
    .slice(0, mostTopics);
}

const listed = /^- ([^:]+ \[[a-z]+(?: by [a-z]+)?(?:, done)?\])(?::|$)/u;

function countedIn(found: Map<string, Counted>, text: string): Counted | undefined {
  const { name, type } = parseTaggedTopic(text.replace(/, done\]$/u, "]"));
  const key = topicKey(name);
  if (!found.has(key) && name !== "" && name.length <= 80 && !/[[\]<>]/u.test(name))
    found.set(key, { topic: `${name} [${type}]`, lines: 0 });
  return found.get(key);
}

/** Runs of what stands in numbers, dates, versions and paths. */
const numberWords = /(?<![\w.:/,+#@%~=&?-])[\w.:/,+#@%~=&?-]*\d[\w.:/,+#@%~=&?-]*/gu;
const plainWords = /(?<![\p{L}\p{M}\d])\p{L}[\p{L}\p{M}]*(?:['’-]\p{L}[\p{L}\p{M}]*)*(?![\p{L}\p{M}\d])/gu;
const mostOfWord = 40;

/** Those of the text; the mark of a numbered item is none. */
function wordsOf({ sources }: SummaryRequest): Pick<AnswerForm, "words" | "numbers"> {
  const words = new Set<string>();
  const numbers = new Set<string>();
  for (const { text } of sources.flatMap(({ lines }) => lines)) {
    const plain = text.replace(/^\s*\d{1,3}[.)]\s/u, "");
    for (const [word] of plain.matchAll(plainWords))
      if (word.length <= mostOfWord && words.size < mostWords) words.add(word);
    for (const [word] of plain.matchAll(numberWords)) {
      const number = word.replace(/^[.:/,=&?-]+/u, "").replace(/[.:/,=&?+#@-]+$/u, "");
      if (number.length <= mostOfWord && numbers.size < mostNumbers) numbers.add(number);
    }
  }
  return { words: [...words], numbers: [...numbers] };
}

/** Lines of a section, and topics. */
const mostLines = 24;

/**
 * Lines of the sources of a request that could stand in its answer, by the title of their section: what the built-in summarizer tells of the lines that the
 * model sees, each as one item, the best of each section in the order of the sources. None of them is refused where it stands. Linear.
 */
function linesToChoose(request: SummaryRequest, mostCharacters: number): ReadonlyMap<string, readonly FormLine[]> {
  const bestOf = (title: string, said: readonly Said[]): [string, readonly FormLine[]] => [
    title,
    bestLines(said, { title, request, mostCharacters }),
  ];
  return grounded(new Map(sectionsToChoose(request, bestOf)), request);
}

function sectionsToChoose(
  request: SummaryRequest,
  bestOf: (title: string, said: readonly Said[]) => [string, readonly FormLine[]],
): readonly (readonly [string, readonly FormLine[]])[] {
  const { kind, sources } = request;
  if (kind === "thread") return [bestOf("", sources.flatMap(saidIn))];
  if (kind === "root")
    return titlesOf(kind).map((title) =>
      bestOf(title, sources.filter(({ name }) => name.startsWith(title)).flatMap(saidIn)),
    );
  const told = sources.flatMap(passagesIn);
  const others = chosenRoles.map((role) =>
    bestOf(titleOfRole(kind, role), told.filter((one) => one.role === role).map(saidBy)),
  );
  return [[titleOfRole(kind, "topic"), topicsIn(told, request)], ...others];
}

/** Without those that the check of an answer would not find in the sources: what is tidied, or cut, is read another way now and then. */
function grounded(
  sections: ReadonlyMap<string, readonly FormLine[]>,
  request: SummaryRequest,
): ReadonlyMap<string, readonly FormLine[]> {
  const said = [...sections.values()].flat().flatMap(sayable);
  const found = groundingFindings(
    said.map((text, at) => ({ text, line: at })),
    sourcesOf(request),
  );
  const wrong = new Set(found.map(({ line }) => said[line ?? -1]));
  const kept = (line: FormLine): readonly FormLine[] => {
    if (line.keywords.length === 0) return wrong.has(line.text) ? [] : [line];
    const keywords = line.keywords.filter((word) => !wrong.has(line.text + word));
    return keywords.length === 0 ? [] : [{ ...line, keywords }];
  };
  return new Map(Array.from(sections, ([title, own]) => [title, own.flatMap(kept)]));
}

/** The line, or the line with each of its keywords. */
function sayable({ text, keywords }: FormLine): readonly string[] {
  return keywords.length === 0 ? [text] : keywords.map((word) => text + word);
}

const chosenRoles = ["decision", "done", "lesson", "open", "note"] as const;

interface Said {
  readonly text: string;
  readonly weight: number;
}

function saidIn({ lines }: SourceText): readonly Said[] {
  return lines.map((line) => ({ text: printSourceLine(line), weight: line.weight ?? 0 }));
}

function saidBy({ topic, text, naming, weight }: Passage): Said {
  return { text: topic === "" || naming === "found" ? text : `${topic}: ${text}`, weight };
}

interface Place {
  readonly title: string;
  readonly request: SummaryRequest;
  readonly mostCharacters: number;
}

/** Each once, whatever the order of its words; those of the greatest weight, in their order. */
function bestLines(said: readonly Said[], { title, request, mostCharacters }: Place): readonly FormLine[] {
  const lines = new Map<string, FormLine>();
  for (const { text, weight } of said) {
    const line = `- ${cleaned(text, mostCharacters - 2)}`;
    const [words] = itemWords([line]);
    const key = [...new Set(words?.all)].toSorted().join(" ") || line;
    const found = lines.get(key);
    lines.set(key, { text: found?.text ?? line, keywords: [], weight: Math.max(weight, found?.weight ?? 0) });
  }
  const kept: FormLine[] = [];
  for (const line of [...lines.values()].toSorted((one, other) => other.weight - one.weight)) {
    if (kept.length === mostLines) break;
    if (isItem(line.text, { title, request })) kept.push(line);
  }
  const best = new Set(kept);
  return [...lines.values()].filter((line) => best.has(line));
}

/** Without the marks of lists, of what hides text and of refs; cut at a word. A number that names a message stays. */
function cleaned(text: string, most: number): string {
  const [, seq = "", said = text] = /^(#\d+ )(.*)$/su.exec(text) ?? [];
  return `${seq}${withoutRefs(tidy(withoutHidden(said), most - seq.length))}`;
}

/** Whether an answer may have it there. */
function isItem(text: string, { title, request }: Pick<Place, "title" | "request">): boolean {
  if (text.length < shortestLine || redact(text).found.length > 0) return false;
  const lines = title === "" ? [text] : [`## ${title}`, text];
  const { items, findings } = outlineOf(
    lines.map((one, at) => ({ text: one, line: at + 1 })),
    request,
  );
  return findings.length === 0 && items.get(title) === 1 && repetitiveFindings(itemWords([text])).length === 0;
}

/** Without its mark; a shorter one says nothing. */
const shortestLine = 8;

/** What the built-in summarizer tells of lines, each with the weight of its best line. The lines of summaries are read as such. */
function passagesIn({ name, lines }: SourceText): readonly Passage[] {
  const kinds = scanLines(lines.map(({ text }) => text)).lines;
  const weighed = (passage: Passage, from: number, to: number): Passage => ({
    ...passage,
    weight: lines.slice(from - 1, to).reduce((most, { weight = 0 }) => Math.max(most, weight), 0),
  });
  const told: Passage[] = [];
  const flush = (place: "summary" | "log", from: number, to: number): void => {
    const texts = lines.slice(from, to);
    if (place === "summary") {
      const part = { lines: texts.map(({ text }) => text), firstLine: from + 1, spans: [], fallback: [], near: anyDay };
      pushAll(
        told,
        parseSummary(part).map((passage) => weighed(passage, passage.at[0], passage.at[1])),
      );
      return;
    }
    const sections = sectionsOf(texts, { name, from, kinds });
    for (const passage of builtInSummarizer.extract(sections)) {
      const [ref] = passage.refs;
      told.push(weighed(passage, ref?.from ?? 1, passage.refs.at(-1)?.to ?? 0));
    }
  };
  let [place, from]: ["summary" | "log", number] = ["log", 0];
  lines.forEach(({ text }, at) => {
    const heading = kinds[at]?.kind === "heading" ? parseHeading(text) : undefined;
    if (heading === undefined || heading.level > 2) return;
    const next = heading.level === 2 && isSummaryTitle(heading.text) ? "summary" : "log";
    if (next === place) return;
    flush(place, from, at);
    [place, from] = [next, at];
  });
  flush(place, from, lines.length);
  return told;
}

/** Refs of lines that are left out anyway are read against it. */
const anyDay = "2000-01-01";

function sectionsOf(
  texts: readonly SourceTextLine[],
  { name, from, kinds }: { readonly name: string; readonly from: number; readonly kinds: readonly ScannedLine[] },
): readonly SourceSection[] {
  const sections: { readonly section: SourceSection; readonly lines: SourceLine[] }[] = [];
  texts.forEach(({ text }, index) => {
    const { kind = "text", level = 0 } = kinds[from + index] ?? {};
    const isStart = kind === "heading" && level <= 2;
    if (isStart || sections.length === 0) {
      const lines: SourceLine[] = [];
      sections.push({ section: beginSection(text, name, lines, isStart ? "heading" : "text"), lines });
    }
    sections.at(-1)?.lines.push({ number: from + index + 1, text, kind });
  });
  return sections.map(({ section }) => section);
}

/** The topics with their keywords, those of which most is told first. */
function topicsIn(told: readonly Passage[], request: SummaryRequest): readonly FormLine[] {
  const topics = new Map<string, { text: string; keywords: Set<string>; weight: number }>();
  for (const { role, topic, type, text } of told) {
    const name = withoutHidden(topic).trim();
    if (name === "" || name.length > longestName || /[[\]<>:]/u.test(name)) continue;
    const found = topics.get(topicKey(name)) ?? { text: `- ${name} [${type}]: `, keywords: new Set(), weight: 0 };
    topics.set(topicKey(name), found);
    if (role !== "topic") found.weight += 1;
    else for (const keyword of keywordsIn(text)) found.keywords.add(keyword);
  }
  const title = titleOfRole(request.kind === "weekly" || request.kind === "monthly" ? request.kind : "daily", "topic");
  return [...topics.values()]
    .map(({ text, keywords, weight }): FormLine => ({ text, keywords: [...keywords].slice(0, mostKeywords), weight }))
    .filter((line) => line.keywords.length > 0 && isItem(line.text + line.keywords.join(", "), { title, request }))
    .toSorted((one, other) => other.weight - one.weight)
    .slice(0, mostLines);
}

const longestName = 80;
const longestKeyword = 24;

function keywordsIn(text: string): readonly string[] {
  return withoutHidden(text)
    .split(/, /u)
    .map((one) => one.trim())
    .filter((one) => one !== "" && one.length <= longestKeyword && !/[<>()[\]{}#`]/u.test(one));
}
