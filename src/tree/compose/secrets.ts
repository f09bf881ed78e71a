import { listMark } from "../../base/markdown.ts";
import { parseHeadingTopic } from "../../base/memory-type.ts";
import { redact, redactWindow } from "../../text/redact/redact.ts";
import { SecretValues, takenOut, SecretPieces } from "../../text/redact/known-secrets.ts";
import { uniqueTopics } from "../model/node-sections.ts";
import type { Node } from "../model/node-format.ts";

/**
 * Redacts a log window by window and learns the values of its secrets. A node joins what its sources have on several lines, as a heading and an item below
 * it: what is a secret only then is learned too.
 */
export class SecretScan {
  readonly #values: SecretValues;
  /** The last lines of the windows before: a secret can go on after them. */
  #before: readonly string[] = [];
  #topic = "";
  #item: readonly string[] = [];
  #isCode = false;
  #hasFound = false;

  constructor(values: SecretValues) {
    this.#values = values;
  }

  get hasFound(): boolean {
    return this.#hasFound;
  }

  /** The lines of the next window, redacted. */
  add(lines: readonly string[]): readonly string[] {
    const { lines: clean, last } = redactWindow(lines, this.#before);
    this.#before = last;
    const [text, redacted] = [lines.join("\n"), clean.join("\n")];
    this.#values.learn(text, redacted);
    const joined = lines.map((line) => this.#joined(line));
    const found = this.#redactJoined(joined);
    this.#hasFound ||= redacted !== text || found.size > 0;
    if (redacted === text && found.size === 0) return lines;
    return clean.map((line, index) => found.get(index)?.replaceIn(line) ?? line);
  }

  /** What is a secret only after its topic, by the index of its line. */
  #redactJoined(joined: readonly string[]): ReadonlyMap<number, SecretValues> {
    const found = new Map<number, SecretValues>();
    const places = joined.flatMap((text, index) => (text === "" ? [] : [index]));
    const before = places.map((index) => joined[index] ?? "");
    const after = redact(before.join("\n\n")).text.split("\n\n");
    this.#values.learn(before.join("\n\n"), after.join("\n\n"));
    for (const [at, index] of places.entries()) {
      const taken = after[at] === before[at] ? [] : (takenOut(before[at] ?? "", after[at] ?? "") ?? []);
      if (taken.length === 0) continue;
      const own = new SecretValues();
      for (const { value, kind } of taken) own.add(value.trim(), kind);
      found.set(index, own);
    }
    return found;
  }

  /** The line after the topic and the lines that it goes on, when its beginning could be a secret. */
  #joined(line: string): string {
    const start = line.search(firstSign);
    const first = line.charAt(start);
    if ((first === "`" || first === "~") && /^(?:```|~~~)/u.test(line.slice(start))) this.#isCode = !this.#isCode;
    const heading = first === "#" && start === 0 ? /^#{1,6}\s+(.*)$/u.exec(line)?.[1] : undefined;
    if (heading !== undefined) {
      this.#topic = parseHeadingTopic(heading).name.slice(0, mostJoined);
      this.#isCode = false;
    }
    if (first === "" || first === "|" || heading !== undefined || this.#isCode) {
      this.#item = [];
      return "";
    }
    const before = /[a-z]/i.test(first) || itemMark.exec(line)?.[0].trim() === "" ? this.#item : [];
    this.#item = [...before.slice(1 - linesJoined), line];
    if (!mayBeginSecret.test(line.slice(start, start + mostBefore))) return "";
    const said = textOf(line).replace(field, "").slice(0, mostJoined);
    if (!said.split(/\s+/u, wordsBefore).some(isLikeSecret)) return "";
    const item = [...before.map(textOf), said].join(" ").slice(-mostJoined * 2);
    return `${this.#topic}${copula.test(item) ? "" : ":"} ${item}`;
  }
}

const firstSign = /[^\0- \u00a0]/;

function isLikeSecret(word: string): boolean {
  return word.length >= 6 && mayBeginSecret.test(word) && /\p{L}|\d{8}/u.test(word);
}

function textOf(line: string): string {
  return line.replace(itemMark, "").trim();
}

/** Characters before and after the place where lines are joined. */
const mostJoined = 300;
const linesJoined = 5;
const mostBefore = 100;
/** A sentence such as `is …` may go on before the value. */
const wordsBefore = 3;
const mayBeginSecret = /[0-9!@#$%^&*+=~?]/;
/** With these an item goes on with the sentence that its topic begins. */
const copula = /^(?:is|was|ist|war|lautet|heißt|es|era|será|sera|est|était|é|è|это|[—–-]|->|→)\s/iu;
const itemMark = new RegExp(String.raw`^\s*(?:>\s*)*(?:${listMark})?(?:\[[ xX]\]\s+)?`, "u");
const field = /^[a-z][a-z-]{2,15}:\s+/iu;

export type Said = Pick<Node, "body" | "topics">;

/**
 * What was composed without its secrets: composing joins what was apart, and a secret may be one only then. What is found in one place goes everywhere, as do
 * the known values. The very same object when there is none.
 */
export function cleared<T extends Said>(composed: T, known: SecretValues): T {
  // A name does not announce what is in the next line.
  const text = [...composed.topics.flatMap(({ name }) => [name, ""]), ...composed.body].join("\n");
  const clean = clearedText(text, known);
  if (clean === text) return composed;
  const lines = clean.split("\n");
  const topics = composed.topics.map((topic, index) => ({ ...topic, name: lines[index * 2] ?? topic.name }));
  return { ...composed, topics: uniqueTopics(topics), body: lines.slice(topics.length * 2) };
}

/** The known values, and the parts of them that got into what was composed from sources that were read into `pieces`. */
export function withPieces({ body, topics }: Said, pieces: SecretPieces): SecretValues {
  return pieces.in(piecesText(body, topics));
}

/** A text in which composing can have left parts of secrets: headings and refs are its own. */
function piecesText(body: readonly string[], topics: Said["topics"]): string {
  const lines = body.filter((line) => !line.startsWith("#")).join("\n");
  return [...topics.map(({ name }) => name), lines.replaceAll(refs, "")].join("\n");
}

/** The texts of nodes, for the parts of secrets in what is composed from them. */
export function readInto(pieces: SecretPieces, { body, topics }: Said, known?: SecretValues): void {
  const text = [...topics.map(({ name }) => name), ...body].join("\n");
  pieces.read(text, known?.replaceIn(text));
}

/** As many lines as before. */
export function clearedText(text: string, known: SecretValues): string {
  const own = new SecretValues();
  let now = text;
  for (let pass = 0; pass < mostPasses; pass++) {
    const redacted = redactAside(now);
    own.learn(now, redacted);
    const next = own.replaceIn(known.replaceIn(redacted));
    if (next === now) return now;
    now = next;
  }
  return redact(now).text;
}

/** What is replaced can make what is left beside it a secret. */
const mostPasses = 4;

/** Where a line comes from stays: in quotes that are never closed it would go with the secret. */
const refs = / \(~?\d\d-\d\d[^()]*\)$/gmu;

function redactAside(text: string): string {
  const { found } = redact(text);
  if (found.length === 0) return text;
  const without = redact(text.replace(refs, "")).text.split("\n");
  return text
    .split("\n")
    .map((line, index) => `${without[index] ?? ""}${line.match(refs)?.[0] ?? ""}`)
    .join("\n");
}
