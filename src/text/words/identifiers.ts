const hump = /[A-Z]+(?![a-z])\d*|[A-Z]?[a-z]+\d*|\d+/g;
const camel = /[a-z]\d*[A-Z]|[A-Z]{2}[a-z]/;
/** A longer word is no name that a person gave. */
const longestName = 80;
const mostHumps = 12;

/** `c++` and `c#` as words of letters. */
export function signName(name: string): string {
  return `${name.charAt(0).toLowerCase()}${name.endsWith("#") ? "sharp" : "plusplus"}`;
}

/**
 * The humps of one name in lower case: `HTTPServer2` is `http`, `server`, `server2`. Of a code (`TS2345`) its digits. Nothing for a name of one hump.
 */
export function partsOfName(word: string): readonly string[] {
  if (word.length > longestName) return [];
  if (endsInDigit(word)) {
    const code = /^[A-Z]{1,6}(\d{3,})$/.exec(word);
    if (code !== null) return [code[1] ?? ""];
  } else if (word.endsWith("s") && /^[A-Z]+s$/.test(word)) return [];
  if (!camel.test(word)) return [];
  const humps = word.match(hump) ?? [];
  if (humps.length < 2 || humps.length > mostHumps) return [];
  const parts: string[] = [];
  for (const part of humps) if (part.length > 1) addHump(part.toLowerCase(), parts);
  return parts;
}

function addHump(part: string, parts: string[]): void {
  if (endsInDigit(part)) {
    const bare = part.replace(/\d+$/, "");
    if (bare.length > 1) parts.push(bare);
  }
  parts.push(part);
}

function endsInDigit(word: string): boolean {
  const last = word.charCodeAt(word.length - 1);
  return last >= 0x30 && last <= 0x39;
}

const number = /\d{1,3}(?:,\d{3})+(?!\d)/y;

/** `1,250,000` that stands there, as `1250000`. */
export function numberAt(text: string, from: number): string | undefined {
  number.lastIndex = from;
  return number.exec(text)?.[0].replaceAll(",", "");
}

const version = /[vV](\d+(?:\.\d+)+)/y;

/** The numbers of `v1.2.3` that stands there. */
export function versionAt(text: string, from: number): readonly string[] {
  version.lastIndex = from;
  return version.exec(text)?.[1]?.split(".") ?? [];
}

const signed = /[A-Za-z](?:\+\+|#)/y;

/** `C++` or `c#` that stands there, as a word of letters. */
export function signNameAt(text: string, from: number): string | undefined {
  signed.lastIndex = from;
  const found = signed.exec(text)?.[0];
  return found === undefined ? undefined : signName(found);
}
