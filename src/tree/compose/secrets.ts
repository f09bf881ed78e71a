import { listMark } from "../../base/markdown.ts";
import { parseHeadingTopic } from "../../base/memory-type.ts";
import { mayAnnounce } from "../../text/redact/passwords.ts";
import { redact, redactWindow } from "../../text/redact/redact.ts";
import { SecretValues, takenOut, SecretPieces } from "../../text/redact/known-secrets.ts";
import { uniqueTopics } from "../model/node-sections.ts";
import type { Node } from "../model/node-format.ts";

/**
 * Redacts a log window by window and learns the values of its secrets. A node joins text from several lines, such as a
 * heading and an item, so text that is a secret only when joined is learned too.
 */
export class SecretScan {
  readonly #values: SecretValues;
  /** The last lines of the previous windows: a secret may continue after them. */
  #before: readonly string[] = [];
  #topic = "";
  /** Whether the last joined text can announce a secret; if so, the next line may be that secret. */
  #isAnnounced = false;
  #item: readonly string[] = [];
  #isCode = false;
  #hasFound = false;

  constructor(values: SecretValues) {
    this.#values = values;
  }

  get hasFound(): boolean {
    return this.#hasFound;
  }

  /** Redacts the lines of the next window. */
  add(lines: readonly string[]): readonly string[] {
    const { lines: clean, last } = redactWindow(lines, this.#before);
    this.#before = last;
    if (clean !== lines) this.#values.learn(lines.join("\n"), clean.join("\n"));
    const joined = lines.map((line, index) => this.#joined(line, clean[index] !== line));
    const found = this.#redactJoined(joined);
    if (clean === lines && found.size === 0) return lines;
    this.#hasFound = true;
    return clean.map((line, index) => found.get(index)?.replaceIn(line) ?? line);
  }

  /** Secrets that depend on the topic before them, by line index. */
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

  /** The line appended to its topic and to the lines it continues, if it may be a secret that they announce; otherwise "". */
  #joined(line: string, hasSecret: boolean): string {
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
    const joined = `${this.#topic}${copula.test(item) ? "" : ":"} ${item}`;
    const wasAnnounced = this.#isAnnounced;
    this.#isAnnounced = hasSecret || mayAnnounce(joined);
    return this.#isAnnounced || wasAnnounced ? joined : "";
  }
}

const firstSign = /[^\0- \u00a0]/;

function isLikeSecret(word: string): boolean {
  return word.length >= 6 && mayBeginSecret.test(word) && /\p{L}|\d{8}/u.test(word);
}

function textOf(line: string): string {
  return line.replace(itemMark, "").trim();
}

/** The most characters kept on each side of a join. */
const mostJoined = 300;
const linesJoined = 5;
const mostBefore = 100;
/** The value may follow a few words, as in `is …`. */
const wordsBefore = 3;
/** Asterisks count, although most are emphasis: a password may be in bold. */
const mayBeginSecret = /[0-9!@#$%^&*+=~?]/;
/** An item starting like this continues the sentence begun by its topic. */
const copula = /^(?:is|was|ist|war|lautet|heißt|es|era|será|sera|est|était|é|è|это|[—–-]|->|→)\s/iu;
const itemMark = new RegExp(String.raw`^\s*(?:>\s*)*(?:${listMark})?(?:\[[ xX]\]\s+)?`, "u");
const field = /^[a-z][a-z-]{2,15}:\s+/iu;

export type Said = Pick<Node, "body" | "topics">;

/**
 * Redacts a composed text: joining lines may create a secret. Replaces every occurrence of the secrets found and of the
 * known values. Returns the same object if there are none.
 */
export function cleared<T extends Said>(composed: T, known: SecretValues): T {
  // Blank lines prevent a name from affecting the next line.
  const text = [...composed.topics.flatMap(({ name }) => [name, ""]), ...composed.body].join("\n");
  // Nodes are cleared when composed, and again with the secrets of the whole memory.
  if (cleanTopics.get(composed.body) === composed.topics && known.replaceIn(text) === text) return composed;
  const clean = clearedText(text, known);
  if (clean === text) {
    cleanTopics.set(composed.body, composed.topics);
    return composed;
  }
  const lines = clean.split("\n");
  const topics = composed.topics.map((topic, index) => ({ ...topic, name: lines[index * 2] ?? topic.name }));
  return { ...composed, topics: uniqueTopics(topics), body: lines.slice(topics.length * 2) };
}

/** Bodies without secrets, apart from those of the memory, each with the topics it was found with. */
const cleanTopics = new WeakMap<Said["body"], Said["topics"]>();

/** The known values, plus the parts of secrets in `pieces` that occur in the composed text. */
export function withPieces({ body, topics }: Said, pieces: SecretPieces): SecretValues {
  return pieces.in(pieces.seen.size === 0 ? "" : piecesText(body, topics));
}

/** The text that may contain parts of secrets; leaves out headings and refs, which composing adds. */
function piecesText(body: readonly string[], topics: Said["topics"]): string {
  const lines = body.filter((line) => !line.startsWith("#")).join("\n");
  return [...topics.map(({ name }) => name), lines.replaceAll(refs, "")].join("\n");
}

/** Reads the text of a node, to find parts of its secrets in what is composed from it. */
export function readInto(pieces: SecretPieces, { body, topics }: Said, known?: SecretValues): void {
  const text = [...topics.map(({ name }) => name), ...body].join("\n");
  pieces.read(text, known?.replaceIn(text));
}

/** Keeps the number of lines. */
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

/** A replacement may turn the text next to it into a secret. */
const mostPasses = 4;

/** The ref at the end of a line. It is kept; with an unclosed quotation, it would be redacted too. */
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
