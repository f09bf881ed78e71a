/** What a node records of the things it was made from. */
export type Source = RawSource | NodeSource;

/** A raw log as read. */
export interface RawSource {
  readonly kind: "raw";
  readonly path: string;
  /** Bytes and lines of the file when it was read. */
  readonly bytes: number;
  readonly lines: number;
  /** SHA-256 of those bytes. */
  readonly sha256: string;
  readonly sections: readonly SectionDigest[];
  /** How many low bits of a section's digest must be zero for it to begin a group; 0: every section stands alone. */
  readonly grouping: number;
  /** In an addendum: the lines of the file that it is about. Empty: all. */
  readonly part: readonly LineSpan[];
}

/** A section (or a group of them) of a raw log: its first line and the first 16 digits of the SHA-256 of its bytes. */
export interface SectionDigest {
  readonly line: number;
  readonly digest: string;
}

/** Lines of a file, 1-based, both ends included. */
export interface LineSpan {
  readonly from: number;
  readonly to: number;
}

/** A node one level down, by the digest of its content. */
export interface NodeSource {
  readonly kind: "node";
  readonly path: string;
  readonly sha256: string;
}

/** One line, which is a YAML flow mapping. */
export function printSource(source: Source): string {
  if (source.kind === "node") return `{path: ${source.path}, sha256: ${source.sha256}}`;
  const fields = [
    `path: ${source.path}`,
    `bytes: ${source.bytes}`,
    `lines: ${source.lines}`,
    `sha256: ${source.sha256}`,
    `sections: ${source.sections.map((section) => `${section.line}+${section.digest}`).join(" ")}`,
  ];
  if (source.grouping > 0) fields.push(`grouping: ${source.grouping}`);
  if (source.part.length > 0) fields.push(`part: ${printSpans(source.part)}`);
  return `{${fields.join(", ")}}`;
}

/** The same without what can be counted again from the bytes: what a basis is of. */
export function printSourceAlone(source: Source): string {
  if (source.kind === "node") return printSource(source);
  const { path, bytes, lines, sha256 } = source;
  const part = source.part.length === 0 ? "" : `, part: ${printSpans(source.part)}`;
  return `{path: ${path}, bytes: ${bytes}, lines: ${lines}, sha256: ${sha256}${part}}`;
}

/** `3-7 12-12`: lines as a source records them. */
export function printSpans(spans: readonly LineSpan[]): string {
  return spans.map((span) => `${span.from}-${span.to}`).join(" ");
}

/** The source that a line records, or `undefined` when it has not the form. */
export function parseSource(line: string): Source | undefined {
  if (!line.startsWith("{") || !line.endsWith("}")) return undefined;
  const fields = new Map<string, string>();
  for (const part of line.slice(1, -1).split(", ")) {
    const colon = part.indexOf(": ");
    if (colon > 0) fields.set(part.slice(0, colon), part.slice(colon + 2));
    else if (part.endsWith(":")) fields.set(part.slice(0, -1), "");
  }
  const path = fields.get("path") ?? "";
  const digest = fields.get("sha256") ?? "";
  if (path === "" || !/^[0-9a-f]{64}$/u.test(digest)) return undefined;
  if (!fields.has("bytes")) return { kind: "node", path, sha256: digest };
  const bytes = parseCount(fields.get("bytes"));
  const lines = parseCount(fields.get("lines"));
  const sections = parseSections(fields.get("sections") ?? "");
  const part = parseSpans(fields.get("part") ?? "");
  if (bytes === undefined || lines === undefined || sections === undefined || part === undefined) return undefined;
  return {
    kind: "raw",
    path,
    bytes,
    lines,
    sha256: digest,
    sections,
    grouping: parseCount(fields.get("grouping")) ?? 0,
    part,
  };
}

function parseCount(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/u.test(text) ? Number(text) : undefined;
}

function parseSections(text: string): readonly SectionDigest[] | undefined {
  const sections: SectionDigest[] = [];
  for (const part of text === "" ? [] : text.split(" ")) {
    const match = /^(\d{1,15})\+([0-9a-f]{16})$/u.exec(part);
    if (match === null) return undefined;
    sections.push({ line: Number(match[1]), digest: match[2] ?? "" });
  }
  return sections;
}

function parseSpans(text: string): readonly LineSpan[] | undefined {
  const spans: LineSpan[] = [];
  for (const part of text === "" ? [] : text.split(" ")) {
    const match = /^(\d{1,15})-(\d{1,15})$/u.exec(part);
    if (match === null) return undefined;
    spans.push({ from: Number(match[1]), to: Number(match[2]) });
  }
  return spans;
}
