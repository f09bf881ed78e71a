import { listMark } from "../base/list-marks.ts";
import { parseHeadingTopic } from "../base/memory-type.ts";
import { redact, redactWindow, startRedaction, type RedactState } from "../base/redact/index.ts";
import { SecretValues } from "../base/secret-values.ts";

/**
 * Redacts a log window by window and learns the values of its secrets. A node joins what its sources have on several lines, as a heading and an item below
 * it: what is a secret only then is learned too.
 */
export class SecretScan {
  readonly #values: SecretValues;
  #state: RedactState = startRedaction();
  #topic = "";
  /** The item so far. */
  #item = "";
  #isCode = false;

  constructor(values: SecretValues) {
    this.#values = values;
  }

  /** The lines of the next window, redacted. */
  add(lines: readonly string[]): readonly string[] {
    const text = `${lines.join("\n")}\n`;
    const { text: redacted, state } = redactWindow(text, this.#state);
    this.#state = state;
    this.#values.learn(text, redacted);
    const joined = lines.flatMap((line) => this.#joined(line)).join("\n\n");
    this.#values.learn(joined, redact(joined).text);
    return redacted === text ? lines : redacted.split("\n").slice(0, lines.length);
  }

  /** The line behind the topic and the lines that it goes on, when its beginning could be a secret. */
  #joined(line: string): readonly string[] {
    if (/^\s*(?:```|~~~)/u.test(line)) this.#isCode = !this.#isCode;
    const heading = /^#{1,6}\s+(.*)$/u.exec(line)?.[1];
    if (heading !== undefined) {
      this.#topic = parseHeadingTopic(heading).name.slice(0, mostJoined);
      this.#isCode = false;
    }
    const own = line.replace(itemMark, "").trim();
    const isFirst = own.length < line.trim().length || this.#item === "";
    const before = heading !== undefined || own === "" || this.#isCode ? undefined : isFirst ? "" : this.#item;
    this.#item = before === undefined ? "" : `${before} ${own}`.trim().slice(-mostJoined);
    const said = own.replace(field, "").slice(0, mostJoined);
    if (before === undefined || said.startsWith("|") || !beginsLikeSecret.test(said)) return [];
    return [`${this.#topic}: ${before === "" ? said : `${before} ${said}`}`];
  }
}

/** Characters before and behind the place where lines are joined. */
const mostJoined = 300;
const itemMark = new RegExp(String.raw`^\s*(?:>\s*)*(?:${listMark})?(?:\[[ xX]\]\s+)?`, "u");
const field = /^[a-z][a-z-]{2,15}:\s+/iu;
/** Letters with digits or signs among the first words. */
const beginsLikeSecret = /^(?:\S{1,16}\s+){0,2}[^\s\p{L}]{0,3}(?=\S{0,120}\p{L})\S{0,120}[^\s\p{L}._\-/:,;()'"`*|]/u;
