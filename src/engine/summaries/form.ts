import { parseHeading } from "../../base/markdown.ts";
import { topicKey } from "../../base/memory-type.ts";
import { parseTaggedTopic } from "../../base/standing.ts";
import type { AnswerForm, FormContent, FormSection } from "../../ports/answer-form.ts";
import { keptTitle, requiredTitle, type SummaryRequest, titlesOf } from "../../summarize/answers/request.ts";
import { linesToChoose } from "./form-lines.ts";

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
