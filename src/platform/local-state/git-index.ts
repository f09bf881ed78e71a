/** What may be of interest in an index. */
const mark = /\.heartwood/iu;

/** An index file of git, version 2 to 4 (gitformat-index(5)). */
export interface GitIndex {
  /** Those with `.heartwood` in their name, in either case. */
  readonly entries: readonly GitEntry[];
  /** For a split index: which file has the rest, and the positions in it that no longer count. */
  readonly shared: SharedIndex | undefined;
}

export interface GitEntry {
  /** Counted from 0 among all entries. */
  readonly place: number;
  /** A character for each byte. */
  readonly name: string;
}

export interface SharedIndex {
  readonly digest: string;
  readonly deleted: ReadonlySet<number>;
}

/** Whether a file mentions what is looked for, for one that cannot be read as an index. */
export function mentionsState(bytes: Buffer): boolean {
  return mark.test(bytes.toString("latin1"));
}

/** `undefined` for what is no index of these versions. */
export function parseGitIndex(bytes: Buffer): GitIndex | undefined {
  if (bytes.length < 12 || bytes.toString("latin1", 0, 4) !== "DIRC") return undefined;
  const version = bytes.readUInt32BE(4);
  if (version < 2 || version > 4) return undefined;
  try {
    // A repository has digests of SHA-1 or SHA-256, which only its configuration says: with the wrong length the file does not add up.
    const layout = { bytes, text: bytes.toString("latin1"), version };
    return parseWith({ ...layout, digestLength: 20 }) ?? parseWith({ ...layout, digestLength: 32 });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

interface Layout {
  readonly bytes: Buffer;
  /** A character for each byte. */
  readonly text: string;
  readonly version: number;
  readonly digestLength: number;
}

const statLength = 40;
const extendedFlag = 0x4000;
const longName = 0xfff;
const mostEntries = 10_000_000;

function parseWith(layout: Layout): GitIndex | undefined {
  const { bytes, text, version, digestLength } = layout;
  const places = placesOf(layout);
  const entries: GitEntry[] = [];
  const count = bytes.readUInt32BE(8);
  let at = 12;
  let next = 0;
  let before = "";
  for (let place = 0; place < count; place += 1) {
    const start = at;
    const flags = bytes.readUInt16BE(at + statLength + digestLength);
    at += statLength + digestLength + ((flags & extendedFlag) === 0 ? 2 : 4);
    if (version === 4) {
      const dropped = readOffset(bytes, at);
      const end = bytes.indexOf(0, dropped.next);
      if (end === -1 || dropped.value > before.length) return undefined;
      before = before.slice(0, before.length - dropped.value) + text.slice(dropped.next, end);
      if (Math.min(before.length, longName) !== (flags & longName)) return undefined;
      if (mark.test(before)) entries.push({ place, name: before });
      at = end + 1;
    } else {
      const length = flags & longName;
      const end = length === longName ? bytes.indexOf(0, at + longName) : at + length;
      if (bytes[end] !== 0) return undefined;
      while ((places[next] ?? Infinity) < at) next += 1;
      if ((places[next] ?? Infinity) < end) entries.push({ place, name: text.slice(at, end) });
      at = start + Math.ceil((end + 1 - start) / 8) * 8;
    }
  }
  return parseExtensions(layout, { at, entries });
}

/** Where the text has the mark, in order: to look at each name for itself takes longer than a hook has in a large repository. */
function placesOf({ text, version }: Layout): readonly number[] {
  return version === 4 ? [] : [...text.matchAll(new RegExp(mark, "giu"))].map(({ index }) => index);
}

/** The number of bytes to drop from the name before, as in a pack's offsets. */
function readOffset(bytes: Buffer, from: number): { readonly value: number; readonly next: number } {
  let at = from;
  let byte = bytes.readUInt8(at++);
  let value = byte & 0x7f;
  while ((byte & 0x80) !== 0) {
    byte = bytes.readUInt8(at++);
    value = (value + 1) * 128 + (byte & 0x7f);
  }
  return { value, next: at };
}

function parseExtensions(
  { bytes, digestLength }: Layout,
  read: { readonly at: number; readonly entries: readonly GitEntry[] },
): GitIndex | undefined {
  const end = bytes.length - digestLength;
  let shared: SharedIndex | undefined;
  let { at } = read;
  while (at < end) {
    const length = bytes.readUInt32BE(at + 4);
    const content = bytes.subarray(at + 8, at + 8 + length);
    if (bytes.toString("latin1", at, at + 4) === "link") shared = parseLink(content, digestLength);
    at += 8 + length;
  }
  return at === end ? { entries: read.entries, shared } : undefined;
}

function parseLink(content: Buffer, digestLength: number): SharedIndex | undefined {
  const digest = content.toString("hex", 0, digestLength);
  if (/^0*$/u.test(digest)) return undefined;
  const bitmap = content.subarray(digestLength);
  return { digest, deleted: bitmap.length === 0 ? new Set() : parseBitmap(bitmap) };
}

/** The set bits of an EWAH bitmap: words of 64 bits, those that repeat counted and the others literal. */
function parseBitmap(bytes: Buffer): ReadonlySet<number> {
  const set = new Set<number>();
  const size = bytes.readUInt32BE(0);
  if (size > mostEntries) throw new RangeError("no index has that many entries");
  const words = bytes.readUInt32BE(4);
  let bit = 0;
  for (let word = 0; word < words;) {
    const marker = bytes.readBigUInt64BE(8 + 8 * word++);
    const repeated = Math.min(Number((marker >> 1n) & 0xffffffffn) * 64, size - bit);
    if ((marker & 1n) === 1n) for (let index = 0; index < repeated; index += 1) set.add(bit + index);
    bit += repeated;
    for (let left = Number(marker >> 33n); left > 0; left -= 1, bit += 64) {
      const literal = bytes.readBigUInt64BE(8 + 8 * word++);
      for (let index = 0; index < 64; index += 1) if (((literal >> BigInt(index)) & 1n) === 1n) set.add(bit + index);
    }
  }
  return set;
}
