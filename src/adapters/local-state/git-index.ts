/** The index files of git, versions 2 to 4 (gitformat-index(5)), as far as the names in them go. */
export interface GitIndex {
  /** As bytes, one character each. A name that stands for a replaced entry of the shared index is empty. */
  readonly names: readonly string[];
  /** For a split index: which file has the rest, and the positions in it that no longer count. */
  readonly shared: SharedIndex | undefined;
}

export interface SharedIndex {
  readonly digest: string;
  readonly deleted: ReadonlySet<number>;
}

/** `undefined` for what is no index of these versions. */
export function parseGitIndex(bytes: Buffer): GitIndex | undefined {
  if (bytes.length < 12 || bytes.toString("latin1", 0, 4) !== "DIRC") return undefined;
  const version = bytes.readUInt32BE(4);
  if (version < 2 || version > 4) return undefined;
  try {
    // A repository has digests of SHA-1 or SHA-256, which only its configuration says: with the wrong length the file does not add up.
    return parseWith({ bytes, version, digestLength: 20 }) ?? parseWith({ bytes, version, digestLength: 32 });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

interface Layout {
  readonly bytes: Buffer;
  readonly version: number;
  readonly digestLength: number;
}

const statLength = 40;
const extendedFlag = 0x4000;
const longName = 0xfff;
const mostEntries = 10_000_000;

function parseWith(layout: Layout): GitIndex | undefined {
  const { bytes, version, digestLength } = layout;
  const names: string[] = [];
  let at = 12;
  let before = "";
  for (let left = bytes.readUInt32BE(8); left > 0; left -= 1) {
    const start = at;
    const flags = bytes.readUInt16BE(at + statLength + digestLength);
    at += statLength + digestLength + ((flags & extendedFlag) === 0 ? 2 : 4);
    let kept = "";
    if (version === 4) {
      const dropped = readOffset(bytes, at);
      at = dropped.next;
      if (dropped.value > before.length) return undefined;
      kept = before.slice(0, before.length - dropped.value);
    }
    const end = bytes.indexOf(0, at);
    if (end === -1) return undefined;
    before = kept + bytes.toString("latin1", at, end);
    if (Math.min(before.length, longName) !== (flags & longName)) return undefined;
    names.push(before);
    at = version === 4 ? end + 1 : start + Math.ceil((end + 1 - start) / 8) * 8;
  }
  return parseExtensions(layout, { at, names });
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
  entries: { readonly at: number; readonly names: readonly string[] },
): GitIndex | undefined {
  const end = bytes.length - digestLength;
  let shared: SharedIndex | undefined;
  let { at } = entries;
  while (at < end) {
    const length = bytes.readUInt32BE(at + 4);
    const content = bytes.subarray(at + 8, at + 8 + length);
    if (bytes.toString("latin1", at, at + 4) === "link") shared = parseLink(content, digestLength);
    at += 8 + length;
  }
  return at === end ? { names: entries.names, shared } : undefined;
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
