/** What a character does in a word of a script with spaces: nothing, it may begin one, or it only goes on with one. */
const kinds = { none: 1, begins: 2, goesOn: 3 } as const;
type Kind = (typeof kinds)[keyof typeof kinds];

const begins = /^[\p{L}\p{N}]/u;
const goesOn = /^[\p{M}'’._-]/u;

function kindOf(character: string): Kind {
  return begins.test(character) ? kinds.begins : goesOn.test(character) ? kinds.goesOn : kinds.none;
}

/** The kinds of the code units met so far; 0 for those not met. */
const known = new Uint8Array(0x1_00_00);

/** Where the run of letters begins that stands at a place or next behind it; the text's length when there is none. */
export function runStart(text: string, from: number): number {
  let at = from;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (isSurrogate(code)) {
      const character = characterAt(text, at);
      if (kindOf(character) === kinds.begins) return at;
      at += character.length;
      continue;
    }
    if ((known[code] || learn(code)) === kinds.begins) return at;
    at += 1;
  }
  return text.length;
}

/** Where the run of letters ends that begins at a place: letters, numbers, and the signs that stand in words. */
export function runEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (isSurrogate(code)) {
      const character = characterAt(text, at);
      if (kindOf(character) === kinds.none) return at;
      at += character.length;
      continue;
    }
    if ((known[code] || learn(code)) === kinds.none) return at;
    at += 1;
  }
  return at;
}

function learn(code: number): number {
  const kind = kindOf(String.fromCharCode(code));
  known[code] = kind;
  return kind;
}

function isSurrogate(code: number): boolean {
  return code >= 0xd8_00 && code <= 0xdf_ff;
}

function characterAt(text: string, at: number): string {
  return String.fromCodePoint(text.codePointAt(at) ?? 0);
}
