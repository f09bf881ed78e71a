import type { AnswerForm, FormLine } from "../../ports/answer-form.ts";
import { literal } from "./literals.ts";
import { pickRules } from "./pick-rules.ts";
import { pushAll } from "../../base/lists.ts";

/** What the answer may cost, and what a text costs, both in tokens of the model. */
export interface LineSpace {
  readonly tokens: number;
  readonly cost: (text: string) => number;
}

/**
 * The grammar of the answers that say nothing in words of their own, as llama.cpp reads it: of the lines that the form has for each section as many as
 * there is space for, at most eight and at most half, in their order, so that a model chooses which and not how many; of topics the first, each with up to
 * four of its keywords. All that may be chosen together cost at most `tokens`, as long as one of each section does. `undefined` when the form has no lines for a section that has to be there.
 * Pure; linear in the form.
 */
export function lineGrammarOf(form: AnswerForm, space: LineSpace): string | undefined {
  const sections = withLines(form);
  if (sections === undefined) return undefined;
  const shares = sharesOf(sections, { form, space });
  const rules = shares.flatMap((share, at) => rulesOf(share, `s${at}`));
  return `${[`root ::= ${shares.map((_, at) => `s${at}`).join(" ")}`, ...rules].join("\n")}\n`;
}

const mostPicked = 8;
const mostKeywords = 4;
/** Lines to choose from, for each that may be chosen: the more, the less of what is worth telling is told. */
const choiceOf = 3;
/** What a model says only because it has to, it spells with up to 1.6 times the tokens that it needs (bench/models.md). */
const safe = 0.6;
const shareOfTopics = 0.4;

/** What stands below a heading: these lines, each of them, or some of them. */
interface Share {
  readonly heading: string;
  readonly lines: readonly FormLine[];
  readonly most: number;
  readonly take: "all" | "some";
}

/** The sections of which the sources have lines, all of them. */
function withLines({ sections }: AnswerForm): readonly Share[] | undefined {
  const shares: Share[] = [];
  for (const { title, presence, content, lines } of sections) {
    const heading = title === "" ? "" : `## ${title}\n`;
    if (content.form === "headings") {
      const kept = content.lines.map((text): FormLine => ({ text, keywords: [], weight: 0 }));
      shares.push({ heading, lines: kept, most: kept.length, take: "all" });
    } else if (lines.length > 0)
      shares.push({ heading, lines, most: 1, take: content.form === "topics" ? "all" : "some" });
    else if (presence === "always") return undefined;
  }
  const isListed = sections.some(({ presence }) => presence === "one_of");
  return isListed && !shares.some(({ take }) => take === "some") ? undefined : shares;
}

interface Room {
  tokens: number;
  lines: number;
}

/** A heading and a line of each section first; then of topics as many as a part of the rest holds, and one line more of each section in turn. */
function sharesOf(
  sections: readonly Share[],
  { form, space }: { readonly form: AnswerForm; readonly space: LineSpace },
): readonly Share[] {
  const cost = costsOf(space.cost);
  const room: Room = { tokens: space.tokens * safe, lines: form.mostLines };
  let shares = sections.map((share) => ({ ...share }));
  const first = (share: Share): number =>
    space.cost(share.heading) + cost.most(share.lines, isHeadings(share) ? share.most : 1);
  // Where there is not space for a line of each, the last ones go; one is needed.
  while (sum(shares.map(first)) > room.tokens && shares.filter(({ take }) => take === "some").length > 1)
    shares = shares.slice(0, -1);
  room.tokens -= sum(shares.map(first));
  room.lines -= sum(shares.map((share) => (isHeadings(share) ? share.most : 1) + 1));
  const topics = shares.find((share) => share.take === "all" && !isHeadings(share));
  if (topics !== undefined) {
    let left = room.tokens * shareOfTopics;
    for (const line of topics.lines.slice(1)) {
      left -= cost.of(line);
      if (left < 0 || room.lines < 1) break;
      room.tokens -= cost.of(line);
      room.lines -= 1;
      topics.most += 1;
    }
  }
  addInTurn(
    shares.filter(({ take }) => take === "some"),
    { room, most: cost.most },
  );
  return shares.map((share) => ({ ...share, lines: chosenOf(share) }));
}

function addInTurn(
  shares: { readonly lines: readonly FormLine[]; most: number }[],
  { room, most }: { readonly room: Room; readonly most: (lines: readonly FormLine[], count: number) => number },
): void {
  for (let open = shares; open.length > 0;)
    open = open.filter((share) => {
      if (share.most >= Math.min(mostPicked, Math.ceil(share.lines.length / 2)) || room.lines < 1) return false;
      const more = most(share.lines, share.most + 1) - most(share.lines, share.most);
      if (more > room.tokens) return false;
      share.most += 1;
      room.tokens -= more;
      room.lines -= 1;
      return true;
    });
}

/** Of topics the first, of lines the best, in their order. */
function chosenOf({ lines, most, take }: Share): readonly FormLine[] {
  if (take === "all") return lines.slice(0, most);
  const best = new Set(lines.toSorted((one, other) => other.weight - one.weight).slice(0, most * choiceOf));
  return lines.filter((line) => best.has(line));
}

function isHeadings({ lines, take }: Share): boolean {
  return take === "all" && lines.every(({ keywords }) => keywords.length === 0);
}

/** What a line costs, and what so many lines cost at most. */
function costsOf(cost: (text: string) => number): {
  readonly of: (line: FormLine) => number;
  readonly most: (lines: readonly FormLine[], count: number) => number;
} {
  const known = new Map<FormLine, number>();
  const of = (line: FormLine): number => {
    const words = line.keywords.map((word) => cost(`, ${word}`)).sort((one, other) => other - one);
    const found = known.get(line) ?? cost(`${line.text}\n`) + sum(words.slice(0, mostKeywords));
    known.set(line, found);
    return found;
  };
  const most = (lines: readonly FormLine[], count: number): number =>
    sum(
      lines
        .map(of)
        .sort((one, other) => other - one)
        .slice(0, count),
    );
  return { of, most };
}

function rulesOf({ heading, lines, most, take }: Share, name: string): readonly string[] {
  const before = heading === "" ? [] : [literal(heading)];
  if (take === "some") {
    const texts = lines.map(({ text }) => `${text}\n`);
    const picked = pickRules(`${name}l`, texts, { least: most, most, between: "" });
    return [`${name} ::= ${[...before, picked.start].join(" ")}`, ...picked.rules];
  }
  const rules: string[] = [];
  const parts = lines.map(({ text, keywords }, at) => {
    if (keywords.length === 0) return literal(`${text}\n`);
    const most = Math.min(mostKeywords, Math.ceil(keywords.length / 2));
    const picked = pickRules(`${name}t${at}k`, keywords, { least: most, most, between: ", " });
    pushAll(rules, picked.rules);
    return `${literal(text)} ${picked.start} ${literal("\n")}`;
  });
  return [`${name} ::= ${[...before, ...parts].join(" ")}`, ...rules];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}
