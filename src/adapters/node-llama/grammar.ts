import type { AnswerForm, FormSection } from "../../ports/answer-form.ts";
import { literal, oneOf } from "./literals.ts";

/**
 * The grammar of the answers that have a form, as llama.cpp reads it (GBNF, `grammars/README.md` of github.com/ggml-org/llama.cpp). Every repetition in
 * it is bounded, so that an answer has an end: about `characters` characters, where these leave a short line for each section. Pure; linear in the form.
 */
export function grammarOf(form: AnswerForm, { characters, words }: GrammarSpace): string {
  const sections = form.sections.map((section, index) => ({ ...section, index }));
  const shares = sharesOf(form, characters);
  const text = words === "any" || form.words.length < leastWords ? freeText : sourceText;
  const rules = sections.flatMap((section) => rulesOf(section, { form, lines: shares.lines[section.index] ?? 1 }));
  return `${[`root ::= ${chainOf(sections)}`, ...rules, ...lineRules(form), ...text(form, shares.characters)].join("\n")}\n`;
}

export interface GrammarSpace {
  readonly characters: number;
  /** Whether the texts of items may have any words, or those of the sources alone. */
  readonly words: "any" | "of_sources";
}

/** Fewer, as of scripts without spaces, say nothing. */
const leastWords = 40;
/** A shorter line says nothing. */
const leastCharacters = 80;
/** Where there is space for so many lines, they become longer instead of more. */
const goodLines = 16;

interface Numbered extends FormSection {
  readonly index: number;
}

/** Lines of each section, and characters of a line. The first list gets a third of the lines: the topics, or all there is. */
function sharesOf(
  { sections, mostCharacters, mostLines }: AnswerForm,
  characters: number,
): { readonly lines: readonly number[]; readonly characters: number } {
  const written = sections.flatMap(({ title, content }) => [
    ...(title === "" ? [] : [`## ${title}`]),
    ...(content.form === "headings" ? content.lines : []),
  ]);
  const room = characters - written.reduce((sum, line) => sum + line.length + 1, 0);
  const line = Math.min(mostCharacters, Math.max(leastCharacters, Math.floor(room / goodLines)));
  const lists = sections.filter(({ content }) => content.form !== "headings").length;
  const all = Math.max(lists, Math.min(mostLines - written.length, Math.floor(room / line)));
  const first = lists === 1 ? all : Math.max(1, Math.floor(all / 3));
  const [each, more] = [Math.floor((all - first) / (lists - 1)), (all - first) % (lists - 1)];
  let seen = 0;
  const lines = sections.map(({ content }) => {
    if (content.form === "headings") return 0;
    seen += 1;
    return seen === 1 ? first : Math.max(1, each + (seen - 1 <= more ? 1 : 0));
  });
  return { lines, characters: line };
}

/** The sections in their order: those that have to be there, and of the others at least one. */
function chainOf(sections: readonly Numbered[]): string {
  const chosen = sections.filter(({ presence }) => presence === "one_of");
  if (chosen.length === 0) return sections.map(({ index }) => `s${index}`).join(" ");
  const chains = chosen.map(({ index: first }) =>
    sections
      .filter(({ presence, index }) => presence === "always" || index >= first)
      .map(({ presence, index }) => `s${index}${presence === "always" || index === first ? "" : "?"}`)
      .join(" "),
  );
  return chains.join(" | ");
}

function rulesOf(
  { title, content, index }: Numbered,
  { form, lines }: { readonly form: AnswerForm; readonly lines: number },
): readonly string[] {
  const heading = title === "" ? "" : `${literal(`## ${title}\n`)} `;
  if (content.form === "headings")
    return [`s${index} ::= ${heading}${literal(content.lines.map((line) => `${line}\n`).join(""))}`];
  // Each once, in their order: small models say the same one for ever.
  if (content.form === "topics" && form.topics.length > 0)
    return [`s${index} ::= ${heading}${namedTopics(form.topics.slice(0, lines))}`];
  const line = { topics: "topic", items: "item", messages: "message" }[content.form];
  return [`s${index} ::= ${heading}${line}{1,${lines}}`];
}

function namedTopics(topics: readonly string[]): string {
  return topics.map((topic) => `${literal(`- ${topic}: `)} text`).join(" ");
}

/** What hides text, turns it around or ends a line; without `<` there is neither HTML nor a comment, without digits no number of the model's own. */
const never = String.raw`\x00-\x1F\x7F-\x9F<\u2028-\u202E\u2060-\u2069\uFEFF0-9`;
/** A text begins with a letter, not with a mark of Markdown. */
const notFirst = String.raw`\x20-\x40\x5B-\x60\x7B-\xA9\u2000-\u27BF`;
/** So many characters before the first number and before the end: small models like to make lines of a number alone. */
const leastOfText = 10;

function lineRules({ topics }: AnswerForm): readonly string[] {
  const named = topics.map((topic) => `${topic.slice(0, topic.lastIndexOf(" ["))}: `);
  return [
    `topic ::= "- " first letter{1,40} " [" ("project" | "project, done" | "reference") "]: " text`,
    `item ::= "- " ${named.length === 0 ? "" : `${oneOf(named)}? `}text`,
    `message ::= "- #" [1-9] [0-9]{0,6} " " ("user" | "assistant" | "system" | "tool") ": " text`,
    `first ::= [^${never}${notFirst}]`,
    `letter ::= [^${never}${String.raw`\[\]:,`}]`,
  ];
}

function freeText({ numbers }: AnswerForm, most: number): readonly string[] {
  const part = Math.floor(most * 0.4);
  const start = `first char{${leastOfText - 2},`;
  const withNumber = `${start}${part}} before number ((behind char{0,${part}})? before number)? (behind char{0,${part}})? "\\n"`;
  return [
    `text ::= ${start}${most}} "\\n"${numbers.length === 0 ? "" : ` | ${withNumber}`}`,
    `char ::= [^${never}]`,
    `before ::= [^${never}A-Za-z${String.raw`!%&*+,./:;=?@^_|~#-`}]`,
    `behind ::= [^${never}A-Za-z${String.raw`&*+/=@^_|~#-`}]`,
    ...(numbers.length === 0 ? [] : [`number ::= ${oneOf(numbers)}`]),
  ];
}

const charactersOfWord = 7;

/** Without numbers: models that are kept to the words of their sources say one number for ever. */
function sourceText({ words }: AnswerForm, most: number): readonly string[] {
  return [
    `text ::= word ((" " | ", ") word){2,${Math.max(4, Math.floor(most / charactersOfWord))}} "\\n"`,
    `word ::= ${oneOf(words)}`,
  ];
}
