import type { NumberedLine } from "./lines.ts";
import { pushAll } from "./lists.ts";

/**
 * Front matter as blocks of lines: a top-level key and all lines that belong to it. Foreign keys and comments keep their
 * exact bytes; each format reads the values of its own keys.
 */
export interface FrontMatter {
  /** In file order. */
  readonly blocks: readonly FrontMatterBlock[];
  /** Number of lines, including both `---`. */
  readonly lines: number;
}

interface FrontMatterBlock {
  /** Empty for a comment or blank lines before the first key. */
  readonly key: string;
  /** The text after `key:` on its line, trimmed. */
  readonly value: string;
  /** All lines in the block. Comments above a key belong to its block. */
  readonly lines: readonly string[];
}

type FrontMatterReading =
  | { readonly state: "none"; readonly body: readonly string[] }
  | { readonly state: "read"; readonly front: FrontMatter; readonly body: readonly string[] }
  /** `line`: the first invalid line of the file, 1-based. */
  | { readonly state: "broken"; readonly line: number; readonly message: string };

/** Any top-level YAML key: plain, with spaces or in quotes. */
const keyPattern = /^("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s#'"[\]{}&*!|>%@`,:?-][^:]*?)\s*:(?:[ \t]+(.*))?$/u;

/** A comment or a blank line. */
const commentPattern = /^\s*(#|$)/u;

/** Splits a file's lines into front matter and body. Linear. */
export function readFrontMatter(lines: readonly string[]): FrontMatterReading {
  if ((lines[0] ?? "").trimEnd() !== "---") return { state: "none", body: lines };
  const end = lines.findIndex((line, index) => index > 0 && line.trimEnd() === "---");
  if (end < 0) return { state: "broken", line: 1, message: "the front matter has no closing ---" };
  const blocks: (FrontMatterBlock & { readonly lines: string[] })[] = [];
  let pending: string[] = [];
  const seen = new Set<string>();
  for (let index = 1; index < end; index++) {
    const line = lines[index] ?? "";
    const match = keyPattern.exec(line);
    if (match !== null) {
      const key = match[1] ?? "";
      if (seen.has(key)) return { state: "broken", line: index + 1, message: `the key ${key} occurs twice` };
      seen.add(key);
      blocks.push({ key, value: (match[2] ?? "").trim(), lines: [...pending, line] });
      pending = [];
    } else if (commentPattern.test(line)) pending.push(line);
    else if (blocks.length > 0 && /^([ \t]|- |-$)/u.test(line)) {
      pushAll(blocks.at(-1)?.lines ?? [], [...pending, line]);
      pending = [];
    } else return { state: "broken", line: index + 1, message: "a line is not a key, part of a value or a comment" };
  }
  if (pending.length > 0) blocks.push({ key: "", value: "", lines: pending });
  return { state: "read", front: { blocks, lines: end + 1 }, body: lines.slice(end + 1) };
}

/** The value of a key, or `undefined`. */
export function valueOf(front: FrontMatter, key: string): string | undefined {
  return front.blocks.find((block) => block.key === key)?.value;
}

/** The trimmed items in a block list (`- item` lines below a key). */
export function itemsOf(front: FrontMatter, key: string): readonly string[] {
  const block = front.blocks.find((candidate) => candidate.key === key);
  return (block?.lines ?? []).flatMap((line) => {
    const match = /^\s*-\s+(.*)$/u.exec(line);
    return match === null ? [] : [(match[1] ?? "").trim()];
  });
}

/** Foreign lines: all lines of blocks whose key is not in `known`, plus all comments and blank lines. */
export function foreignLines(front: FrontMatter, known: ReadonlySet<string>): readonly string[] {
  return front.blocks.flatMap((block) => block.lines.filter((line) => isForeign(block, line, known)));
}

function isForeign(block: FrontMatterBlock, line: string, known: ReadonlySet<string>): boolean {
  return !known.has(block.key) || commentPattern.test(line);
}

/** The lines of a file, with foreign front matter lines moved after the keys in `known`. A final newline gives an empty last line. */
export function withForeignLast(text: string, known: ReadonlySet<string>): readonly NumberedLine[] {
  const lines = text.split(/\r?\n/u).map((line, index): NumberedLine => ({ text: line, line: index + 1 }));
  const reading = readFrontMatter(lines.map((line) => line.text));
  if (reading.state !== "read") return lines;
  const { blocks, lines: end } = reading.front;
  const kinds = blocks.flatMap((block) => block.lines.map((line) => isForeign(block, line, known)));
  const keys = lines.slice(1, end - 1);
  return [
    ...lines.slice(0, 1),
    ...keys.filter((_, index) => kinds[index] === false),
    ...keys.filter((_, index) => kinds[index] === true),
    ...lines.slice(end - 1),
  ];
}
