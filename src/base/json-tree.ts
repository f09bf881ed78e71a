/** Where a text stops being JSON. `at` is an offset in UTF-16 units. */
export class JsonFault extends Error {
  readonly at: number;

  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

/** A value of a JSON text with its place: the text from `from` up to `to`. */
export type JsonNode = JsonList | JsonScalar;

export interface JsonScalar {
  readonly kind: "scalar";
  readonly value: string | number | boolean | null;
  readonly from: number;
  readonly to: number;
}

/** An object or an array. */
export interface JsonList {
  readonly kind: "object" | "array";
  readonly items: readonly JsonItem[];
  readonly from: number;
  readonly to: number;
}

/** A member of an object, or an item of an array. `from`: of its key, where it has one. */
export interface JsonItem {
  readonly key?: string;
  readonly from: number;
  readonly node: JsonNode;
}

export interface JsonToken {
  readonly kind: "mark" | "string" | "word" | "comment";
  readonly from: number;
  readonly to: number;
}

export interface JsonTree {
  /** `undefined` when the text has nothing but blanks and comments. */
  readonly root: JsonNode | undefined;
  /** Comments among them, in order. */
  readonly tokens: readonly JsonToken[];
}

/**
 * Reads JSON with the places of its values, as it stands in configuration files: with comments (`//`, `/* … *\/`), trailing commas and a byte order mark.
 * Throws `JsonFault` for everything else, and for what is nested more than 500 deep.
 */
export function parseJsonTree(text: string): JsonTree {
  const tokens = tokensOf(text);
  const reading = new Reading(
    text,
    tokens.filter(({ kind }) => kind !== "comment"),
  );
  return { root: reading.document(), tokens };
}

const pattern =
  /(?<blank>[ \t\r\n]+)|(?<comment>\/\/[^\n\r]*|\/\*[\s\S]*?\*\/)|(?<string>"[^"\\\n\r]*(?:\\.[^"\\\n\r]*)*")|(?<mark>[{}[\],:])|(?<word>[^\s{}[\],:"/]+)/uy;

function tokensOf(text: string): readonly JsonToken[] {
  const tokens: JsonToken[] = [];
  const matcher = new RegExp(pattern);
  let at = text.startsWith("\uFEFF") ? 1 : 0;
  while (at < text.length) {
    matcher.lastIndex = at;
    const groups = matcher.exec(text)?.groups;
    if (groups === undefined) throw new JsonFault("a sign that JSON does not have, or a string without an end", at);
    const to = matcher.lastIndex;
    const kind = (["comment", "string", "mark", "word"] as const).find((name) => groups[name] !== undefined);
    if (kind !== undefined) tokens.push({ kind, from: at, to });
    at = to;
  }
  return tokens;
}

const deepest = 500;

class Reading {
  readonly #text: string;
  readonly #tokens: readonly JsonToken[];
  #next = 0;

  constructor(text: string, tokens: readonly JsonToken[]) {
    this.#text = text;
    this.#tokens = tokens;
  }

  document(): JsonNode | undefined {
    if (this.#tokens.length === 0) return undefined;
    const root = this.#value(0);
    const more = this.#tokens[this.#next];
    if (more !== undefined) throw new JsonFault("something behind the end", more.from);
    return root;
  }

  #value(depth: number): JsonNode {
    const token = this.#take("a value");
    const said = this.#said(token);
    if (said === "{" || said === "[") return this.#list(token, said === "{" ? "object" : "array", depth);
    if (token.kind === "mark") throw new JsonFault(`${said} where a value is to be`, token.from);
    return { kind: "scalar", value: this.#scalar(token), from: token.from, to: token.to };
  }

  #list(open: JsonToken, kind: "object" | "array", depth: number): JsonList {
    if (depth > deepest) throw new JsonFault("too deep a nesting", open.from);
    const close = kind === "object" ? "}" : "]";
    const items: JsonItem[] = [];
    while (!this.#isNext(close)) {
      items.push(kind === "object" ? this.#member(depth) : this.#item(depth));
      if (!this.#isNext(",")) break;
      this.#next += 1;
    }
    const end = this.#take(close);
    if (this.#said(end) !== close) throw new JsonFault(`${this.#said(end)} where , or ${close} is to be`, end.from);
    return { kind, items, from: open.from, to: end.to };
  }

  #member(depth: number): JsonItem {
    const token = this.#take("a key");
    if (token.kind !== "string") throw new JsonFault(`${this.#said(token)} where a key is to be`, token.from);
    const colon = this.#take(":");
    if (this.#said(colon) !== ":") throw new JsonFault(`${this.#said(colon)} where : is to be`, colon.from);
    return { key: String(this.#scalar(token)), from: token.from, node: this.#value(depth + 1) };
  }

  #item(depth: number): JsonItem {
    const node = this.#value(depth + 1);
    return { from: node.from, node };
  }

  #scalar(token: JsonToken): JsonScalar["value"] {
    try {
      return JSON.parse(this.#said(token)) as JsonScalar["value"];
    } catch {
      throw new JsonFault("a value that JSON does not have", token.from);
    }
  }

  #isNext(mark: string): boolean {
    const token = this.#tokens[this.#next];
    return token !== undefined && this.#said(token) === mark;
  }

  #take(wanted: string): JsonToken {
    const token = this.#tokens[this.#next];
    if (token === undefined) throw new JsonFault(`the end where ${wanted} is to be`, this.#text.length);
    this.#next += 1;
    return token;
  }

  #said({ from, to }: JsonToken): string {
    return this.#text.slice(from, to);
  }
}

/** A value as `JSON.parse` gives it. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** Whether the node says this value, its members in any order. */
export function isValue(node: JsonNode, value: JsonValue): boolean {
  if (node.kind === "scalar") return node.value === value;
  if (typeof value !== "object" || value === null) return false;
  if (node.kind === "array")
    return (
      Array.isArray(value) &&
      value.length === node.items.length &&
      node.items.every((item, at) => isValue(item.node, value[at] as JsonValue))
    );
  if (Array.isArray(value)) return false;
  const wanted = new Map(Object.entries(value as Readonly<Record<string, JsonValue>>));
  return (
    wanted.size === node.items.length &&
    node.items.every(({ key = "", node: own }) => {
      const other = wanted.get(key);
      return other !== undefined && isValue(own, other);
    })
  );
}

/** What stands under the key; the last of several, as `JSON.parse` has it. */
export function memberOf(node: JsonNode | undefined, key: string): JsonItem | undefined {
  if (node?.kind !== "object") return undefined;
  return node.items.findLast((item) => item.key === key);
}

/** What stands at the end of a path of keys. */
export function nodeAt(root: JsonNode | undefined, path: readonly string[]): JsonNode | undefined {
  return path.reduce<JsonNode | undefined>((node, key) => memberOf(node, key)?.node, root);
}

/** Values, keys and comments in their order: two texts that say the same differ in blanks and trailing commas at most. */
export function saidIn(text: string): string {
  const { root, tokens } = parseJsonTree(text);
  const comments = tokens.filter(({ kind }) => kind === "comment").map(({ from, to }) => text.slice(from, to).trim());
  return JSON.stringify([root === undefined ? null : plain(root), comments]);
}

function plain(node: JsonNode): unknown {
  if (node.kind === "scalar") return ["=", node.value];
  return [node.kind, node.items.map((item) => [item.key ?? null, plain(item.node)])];
}
