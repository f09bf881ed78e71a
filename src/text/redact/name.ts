/** What a name announces: a value to be judged, or a value with a grammar of its own. */
export type Announced = "password" | "secret" | "token" | "authorization" | "pair" | "session";

const PASSWORD =
  /(?:passw(?:or[dt]|d|rd)|passphrase|passcode|kennwort|contrase(?:n|ñ)a|motdepasse|(?:^|db|pg|my|ssh|smtp|ftp)pwd|^pass|^pw|^psw)$/;
const TOKEN =
  /(?:token|apikey|accesskey|secretkey|authkey|privatekey|accesskeyid|accessid|credentials?|creds|jwt|bearer|^auth)$/;
const SESSION = /^(?:php|j)?sess(?:ion)?(?:id)?$|sid$/;
const KEY_OF =
  /^(?:api|app|application|access|account|admin|auth|client|consumer|deploy|encryption|hmac|ingest|insert|jwt|license|master|private|read|secret|server|service|session|shared|signing|storage|subscription|webhook|write)$/;
const HARMLESS =
  /^(?:csrf|xsrf|public|next|prev|previous|page|continuation|continue|cursor|sync|count|max|min|num|total|hash|hashed|id|type|name|url|uri|file|path|field|label|policy)$/;
const TELLING =
  /pass|pwd|pw|psw|kennw|contrase|motdepasse|token|secret|key|cred|auth|jwt|bearer|access|sess|sid$|^BUNDLE_/i;
const TRAILING = /^(?:base|value|string|str|text|plain|plaintext|raw|b64|base64|prod|production|staging|dev|live|\d+)$/;

/** The last letters of every name that can announce a secret, lower-cased, as one number each: the fast refusal. */
const ENDINGS: ReadonlySet<number> = new Set(
  [
    ["ken", "ret", "key", "ord", "ort", "swd", "wrd", "pwd", "ass", "ase", "ode", "sse", "ial", "als", "eds", "jwt"],
    ["rer", "uth", "ion", "lue", "ing", "str", "ext", "ain", "raw", "b64", "e64", "rod", "dev", "ive"],
    ["_id", "-id", " id", "sid", "yid", "psw", "com", "asa", "nid"],
  ]
    .flat()
    .map((end) => (end.charCodeAt(0) << 16) | (end.charCodeAt(1) << 8) | end.charCodeAt(2)),
);

/** Can a name end in these three letters (lower-case codes) and announce a secret? */
export function isEnding(third: number, second: number, last: number): boolean {
  return (last === 119 && second === 112) || ENDINGS.has((third << 16) | (second << 8) | last);
}

/** What a name such as `DB_PASSWORD`, `githubToken` or `Secret access key` announces, if anything. */
export function announcedBy(name: string): Announced | null {
  if (!TELLING.test(name)) return null;
  const words = wordsOf(name.slice(-64));
  while (words.length > 1 && TRAILING.test(words.at(-1) ?? "")) words.pop();
  const last = (words.at(-1) ?? "").replace(/\d+$/, "");
  if (words.some((word) => word === "public" || word === "csrf" || word === "xsrf")) return null;
  const before = words.at(-2) ?? "";
  if (HARMLESS.test(before)) return null;
  if (PASSWORD.test(last)) return "password";
  if (last.endsWith("secret")) return "secret";
  if (TOKEN.test(last)) return "token";
  if (last === "key" && KEY_OF.test(before)) return "token";
  if (last === "id" && (before === "access" || (before === "key" && words.at(-3) === "access"))) return "token";
  if (last === "authorization") return "authorization";
  if (SESSION.test(last) || (last === "id" && SESSION.test(before))) return "session";
  return /^BUNDLE_[A-Z0-9_]{1,40}__[A-Z]{2,8}(?:_TOKEN)?$/.test(name) ? "pair" : null;
}

/** The words of a name in camel, snake or kebab case, lower-cased. */
function wordsOf(name: string): string[] {
  const words: string[] = [];
  let start = 0;
  let wasLow = false;
  for (let i = 0; i <= name.length; i++) {
    const code = i < name.length ? name.charCodeAt(i) : 0;
    const isHigh = code >= 65 && code <= 90;
    const isLow = (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code > 127;
    if ((!isHigh && !isLow) || (isHigh && wasLow)) {
      if (i > start) words.push(name.slice(start, i).toLowerCase());
      start = isHigh ? i : i + 1;
    }
    wasLow = isLow;
  }
  return words;
}
