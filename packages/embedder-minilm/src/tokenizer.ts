/** The file model/vocabulary.bin: 65,536 slots of a hash table, then the offsets of the words, then their bytes. It is searched as it is. */
const slotCount = 65_536;
const wordCount = 30_522;
const headBytes = slotCount * 2 + (wordCount + 1) * 4;

const [unknown, begin, end] = [100, 101, 102];
/** A word of more characters is unknown. */
const longestWord = 100;
/** Bytes of the longest piece of the vocabulary. */
const longestPiece = 18;

/** Removed before anything else: control and format characters and private ones. */
const removed = /[\u{FFFD}\p{Cf}\p{Co}\p{Cs}]|[^\P{Cc}\t\n\r]/gu;
/** Marks that remain of an accented letter once it is decomposed. */
const marks = /\p{Mn}/gu;
const ideographs =
  "\\u{4E00}-\\u{9FFF}\\u{3400}-\\u{4DBF}\\u{20000}-\\u{2A6DF}\\u{2A700}-\\u{2B73F}\\u{2B740}-\\u{2B81F}\\u{2B920}-\\u{2CEAF}\\u{F900}-\\u{FAFF}\\u{2F800}-\\u{2FA1F}";
const punctuation = "\\p{P}$+<=>^`|~";
const words = new RegExp(`[${ideographs}${punctuation}]|[^\\s${ideographs}${punctuation}]+`, "gu");

/** The bytes of the word being cut, at most four for each character. */
const bytes = new Uint8Array(4 * longestWord);
const encoder = new TextEncoder();

/** Returns a function that cuts a text into ids of pieces of words, as BERT does (WordPiece, uncased): at most `most`, with the marks at both ends. */
export function createTokenizer(file: Uint8Array): (text: string, most: number) => readonly number[] {
  const slots = new Uint16Array(file.buffer, file.byteOffset, slotCount);
  const offsets = new Uint32Array(file.buffer, file.byteOffset + slotCount * 2, wordCount + 1);
  const letters = file.subarray(headBytes);

  /** The longest piece that the word continues with from `from`, below `to`: its id and where it ends; `-1` if there is none. */
  const longest = (from: number, to: number): readonly [id: number, past: number] => {
    const mark = from === 0 ? "" : "##";
    let hash = 0x811c9dc5;
    for (let at = 0; at < mark.length; at++) hash = Math.imul(hash ^ 35, 0x01000193);
    let [found, past] = [-1, from];
    const last = Math.min(to, from + longestPiece);
    for (let at = from; at < last; at++) {
      hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193);
      for (let slot = (hash ^ (hash >>> 16)) & 0xffff; ; slot = (slot + 1) & 0xffff) {
        const id = (slots[slot] ?? 0) - 1;
        if (id < 0) break;
        if (!isPiece(id, mark.length, from, at + 1)) continue;
        [found, past] = [id, at + 1];
        break;
      }
    }
    return [found, past];
  };

  const isPiece = (id: number, marked: number, from: number, to: number): boolean => {
    const start = offsets[id] ?? 0;
    if ((offsets[id + 1] ?? 0) - start !== marked + to - from) return false;
    for (let at = 0; at < marked; at++) if (letters[start + at] !== 35) return false;
    for (let at = from; at < to; at++) if (letters[start + marked + at - from] !== bytes[at]) return false;
    return true;
  };

  const pieces = (word: string): readonly number[] => {
    if (word.length > longestWord && [...word].length > longestWord) return [unknown];
    const { written } = encoder.encodeInto(word, bytes);
    const ids: number[] = [];
    for (let from = 0; from < written;) {
      const [id, past] = longest(from, written);
      if (id < 0) return [unknown];
      ids.push(id);
      from = past;
    }
    return ids;
  };

  return (text, most) => {
    const ids = [begin];
    for (const [word] of plain(text).matchAll(words)) {
      if (ids.length >= most - 1) break;
      ids.push(...pieces(word));
    }
    ids.length = Math.min(ids.length, most - 1);
    ids.push(end);
    return ids;
  };
}

/** Without control characters, accents and upper case. Letter by letter: a sigma at the end of a word is not written otherwise. */
function plain(text: string): string {
  const cleared = text.toWellFormed().replace(removed, "").normalize("NFD").replace(marks, "");
  return cleared.replaceAll("Σ", "σ").toLowerCase();
}
