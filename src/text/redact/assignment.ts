import { endAt, leadBefore, lineBefore, matchAt, secretAt, skipLead, type Span } from "./span.ts";
import { isPassphrase, isSecretValue, isSessionId, isStandIn, type Setting } from "./value.ts";

/** An announced value that may be on the next line. */
interface Awaited {
  readonly announced: Announced;
  /**
   * `field`: the line opens a field, such as `<password>`. `word`: the line simply ends after the name, so the value must
   * fill the whole line.
   */
  readonly as: "field" | "word";
  /** The text before the name, which is expected before the value too: see `skipLead`. */
  readonly lead: string;
  /** How many empty lines and fences may come before the value. */
  readonly gap: number;
}

const BLANKS = /[ \t]{0,32}/y;
const OPERATOR = /[:=>|]{1,4}(?:\*\*|__)?[ \t]{0,16}/y;
const QUOTE = /(?:[rbfuL@]{0,2})(\\{0,3})("""|'''|["'`“])/y;
const NEXT_LINE = /(?:[|>][-+]?\d?|\\{0,3}["'`]{1,3}(?:\*\*)?)?[ \t]{0,8}(?:[|\\]?\r?(?:\n|$)|\\{1,2}n)/y;
const GAP = /[ \t>#*|]{0,32}(?:(?:```|~~~)[\w-]{0,16})?[ \t|]{0,8}(?:\r?(?:\n|$)|\\{1,2}n)/y;
const WHOLE_LINE =
  /(?:[-*+>|][ \t]{1,4})?(["'`]{0,3})([^\s"'`<>\\]{6,256})["'`]{0,3};?[ \t|,\\]{0,16}(?:\r?(?:\n|$)|(?<=\\)[nr"'])/y;
const PAIR = /^[^:\s]{4,64}:[^:\s]{6,64}$/;
const FIELD = /^[\w.-]{1,64}[=:]/;
const COOKIE = /cookie|(?:-b|--cookie)[ \t=]["']/i;
const SESSION_NAME = /^[nrt]?(?:PHPSESSID|JSESSIONID|ASP\.NET_SessionId|connect\.sid|sessionid|laravel_session)$/;
const SCHEME = /[A-Za-z][A-Za-z-]{2,15}[ \t=]{1,4}/y;
const SETTER = /(?:^|[._])(?:set|with)?_?(?:password|passwd|passphrase|token|secret|api_?key)$/i;
const TYPE_WORD = /^(?:string|str|char|text|varchar)$/i;
const BARE = /[^\s"'`<>\\]{4,256}/y;
const QUOTED: Readonly<Record<string, RegExp>> = {
  '"': /[^"\\\r\n]{4,256}/y,
  "'": /[^'\\\r\n]{4,256}/y,
  "`": /[^`\\\r\n]{4,256}/y,
  "“": /[^”\\\r\n]{4,256}/y,
};

/** Finds a secret after the sign (`=`, `:`, `>`, `|`, `,` or `(`) at `at` if the name before it announces one. */
export function findAssignment(text: string, at: number): Span | null {
  const name = nameBefore(text, at);
  if (name === null) return null;
  const announced = announcedBy(name);
  if (announced === null) return null;
  const sign = text[at];
  if (sign === ",") return findQuoted(text, endAt(BLANKS, text, at + 1), announced);
  if (sign === "(") return SETTER.test(name) ? findQuoted(text, at + 1, announced) : null;
  const from = Math.max(0, endAt(OPERATOR, text, at));
  if (announced === "session" && !isInCookie(text, name, at)) return null;
  const next = endAt(NEXT_LINE, text, from);
  if (next < 0) return findValue(text, from, announced);
  // A line break after `<name>` or a YAML block sign opens a field; one after a bare colon does not.
  const isOpening = sign === ">" || text[from] === "|" || text[from] === ">" || text[from - 1] === ">";
  const as = sign !== "=" && isOpening ? "field" : "word";
  const lead = leadBefore(text, at - name.replace(/^-+/, "").length).replace(/["'`]+$/, "");
  return findAwaited(text, next, { announced, as, lead, gap: as === "word" ? 2 : 0 });
}

/** The secret on a line announced by the previous line; `from` is the start of the line. */
function findAwaited(text: string, from: number, awaited: Awaited): Span | null {
  const start = endAt(BLANKS, text, skipLead(text, from, awaited.lead));
  if (awaited.as === "field") return findValue(text, start, awaited.announced);
  const gapEnd = awaited.gap > 0 ? endAt(GAP, text, start) : -1;
  if (gapEnd >= 0) return findAwaited(text, gapEnd, { ...awaited, gap: awaited.gap - 1 });
  const match = matchAt(WHOLE_LINE, text, start);
  const value = cut(match?.[2] ?? "");
  if (match === null || FIELD.test(value)) return null;
  const setting = match[1] === "" ? "amid" : "quoted";
  return judge(value, match.index + match[0].indexOf(value), awaited.announced, setting);
}

/** The secret after a name and a blank. */
export function announcedValue(text: string, name: string, from: number): Span | null {
  const announced = announcedBy(name);
  return announced === null || announced === "session" ? null : findValue(text, endAt(BLANKS, text, from), announced);
}

function findValue(text: string, from: number, announced: Announced): Span | null {
  const quoted = findQuoted(text, from, announced);
  if (quoted !== null) return quoted;
  const start = announced === "authorization" ? skipScheme(text, from) : from;
  const bare = matchAt(BARE, text, start)?.[0];
  if (bare === undefined) return null;
  const value = cut(bare);
  // `KEY=value` without a blank, as in an environment file or a connection string.
  const isTight = text[start - 1] === "=";
  const setting = isTight || endAt(ALONE, text, start + value.length) >= 0 ? "alone" : "amid";
  return judge(value, start, announced, setting);
}

function findQuoted(text: string, from: number, announced: Announced): Span | null {
  const opener = matchAt(QUOTE, text, from);
  if (opener === null) return null;
  const quote = (opener[2] ?? '"').charAt(0);
  const start = announced === "authorization" ? skipScheme(text, QUOTE.lastIndex) : QUOTE.lastIndex;
  const whole = matchAt(QUOTED[quote] ?? BARE, text, start)?.[0];
  if (whole === undefined) return null;
  const value = whole.split(/[ \t]/, 1)[0] ?? "";
  const end = start + whole.length;
  if (value !== whole) {
    const first = judge(cut(value), start, announced, "amid");
    if (announced !== "password") return first;
    if (first !== null) return { ...first, end };
    const isClosed = text.startsWith(`${opener[1] ?? ""}${quote}`, end);
    return isClosed && isPassphrase(whole) ? secretAt(start, end, announced) : null;
  }
  const isDoubled = opener[2]?.length === 1 && text[end] === quote && text[end + 1] === quote;
  return isDoubled ? null : judge(value, start, announced, "quoted");
}

function judge(value: string, start: number, announced: Announced, setting: Setting): Span | null {
  const end = start + value.length;
  if (announced === "pair") return PAIR.test(value) && !isStandIn(value) ? secretAt(start, end, "credentials") : null;
  if (announced === "session") return isSessionId(value) ? secretAt(start, end, "session-cookie") : null;
  const vouch = announced === "authorization" ? "secret" : announced;
  return isSecretValue(value, vouch, setting) ? secretAt(start, end, announced) : null;
}

/** `session` and `sid` alone count only in a cookie; the names used by frameworks count anywhere. */
function isInCookie(text: string, name: string, at: number): boolean {
  if (SESSION_NAME.test(name) && text[at] === "=") return true;
  return COOKIE.test(lineBefore(text, at, 400));
}

/** Cuts an unquoted value at the start of the next field, and drops closing punctuation. */
export function cut(bare: string): string {
  const field = bare.search(/;|&(?=\w{1,40}=)|,(?=\w{1,40}[=:])|\}\}|\|$/);
  return (field < 0 ? bare : bare.slice(0, field)).replace(/[,.)\]}|*]{1,8}$/, "");
}

function skipScheme(text: string, from: number): number {
  return Math.max(from, endAt(SCHEME, text, from));
}

const ALONE = /[.,;)\]}|*]{0,4}[ \t]{0,8}(?:$|[\r\n\\"'`#|<]|--)/y;

/** The name that ends before the sign at `at`; null if its last letters rule it out. */
function nameBefore(text: string, at: number): string | null {
  const end = nameEnd(text, at);
  if (end === 0) return null;
  const start = wordStart(text, end);
  const word = text.slice(start, end);
  if (text[at] === ">" && text[at + 1] !== ">" && text[start - 1] !== "<") return null;
  if (text.startsWith("REDACTED:", start - 9)) return null;
  if (TYPE_WORD.test(word)) return typedName(text, start) ?? word;
  if (/^value$/i.test(word)) return siblingName(text, start, at) ?? word;
  return /^(?:key|id)$/i.test(word) ? withWordsBefore(text, start, end) : word;
}

/** The name that ends at `end`; null if its last letters rule it out. */
export function nameEndingAt(text: string, end: number): string | null {
  return nameEnd(text, end) === end ? text.slice(wordStart(text, end), end) : null;
}

/** The end of the name before the sign; 0 if no name there can announce a secret. */
function nameEnd(text: string, at: number): number {
  let i = skipBack(text, at - 1, ".?+|!~:", 2);
  i = skipBack(text, i, " \t", 16);
  i = skipBack(text, i, "\"'`\\]*_”", 4);
  const end = i + 1;
  i = skipBack(text, i, "0123456789_", 7);
  const last = text.slice(Math.max(0, i - 2), i + 1).toLowerCase();
  return ENDINGS.has(last) || last.endsWith("pw") ? end : 0;
}

function typedName(text: string, start: number): string | null {
  const end = skipBack(text, start - 1, " \t:&*", 6) + 1;
  return end === start ? null : text.slice(wordStart(text, end), end);
}

/**
 * For `value=` in a tag or a table: the name from a sibling attribute, as in `<add key="Password" value="…">`. This is weak
 * evidence, so short values do not count.
 */
function siblingName(text: string, start: number, at: number): string | null {
  if (!/^=[ \t]{0,2}["'][^"'\n]{12}/.test(text.slice(at, at + 16))) return null;
  const before = text.slice(Math.max(0, start - 120), start);
  return /\b(?:key|name)[ \t]{0,2}[=:][ \t]{0,2}["']([^"'\n]{2,64})["'][ \t,]{1,8}["']?$/i.exec(before)?.[1] ?? null;
}

/** A name of up to three words, for names whose last word alone says little: `Secret access key`. */
function withWordsBefore(text: string, start: number, end: number): string {
  let from = start;
  for (let n = 0; n < 2 && text[from - 1] === " "; n++) from = wordStart(text, from - 1);
  return text.slice(from, end);
}

function wordStart(text: string, end: number): number {
  let i = end;
  while (i > 0 && end - i < 80 && /[\w.$-]/.test(text.charAt(i - 1))) i--;
  return i;
}

/** Skips backwards over up to `most` characters of a set. */
export function skipBack(text: string, at: number, set: string, most: number): number {
  let i = at;
  while (i >= 0 && at - i < most && set.includes(text.charAt(i))) i--;
  return i;
}

/** What a name announces: a value to judge, or a value with its own grammar. */
type Announced = "password" | "secret" | "token" | "authorization" | "pair" | "session";

const PASSWORD =
  /(?:passw(?:or[dt]|d|rd)|passphrase|passcode|kennwort|contrase(?:n|ñ)a|motdepasse|(?:^|db|pg|my|ssh|smtp|ftp)pwd|^pass|^pw|^psw)$/;
const TOKEN =
  /(?:token|apikey|accesskey|secretkey|authkey|privatekey|accesskeyid|accessid|credentials?|creds|jwt|bearer|^auth)$/;
const SESSION = /^(?:php|j)?sess(?:ion)?(?:id)?$|sid$/;
const KEY_OF =
  /^(?:api|app|application|access|account|admin|auth|client|consumer|deploy|encryption|hmac|ingest|insert|jwt|license|master|private|read|secret|server|service|session|shared|signing|storage|subscription|webhook|write)$/;
const HARMLESS =
  /^(?:csrf|xsrf|public|next|prev|previous|page|continuation|continue|cursor|sync|count|max|min|num|total|hash|hashed|id|type|name|url|uri|file|path|field|label|policy)$/;
/** Parts of every name that can announce a secret, except the names of sessions, which count only beside a cookie. */
export const announcingParts =
  "pass|pw|psw|kennw|contrase|motdepasse|token|secret|key|cred|auth|jwt|bearer|access|BUNDLE_";
const TELLING = new RegExp(`${announcingParts}|sess|sid$`, "i");
const TRAILING = /^(?:base|value|string|str|text|plain|plaintext|raw|b64|base64|prod|production|staging|dev|live|\d+)$/;

/** The last three letters (lower case) of every name that can announce a secret: a fast way to reject the rest. */
const ENDINGS: ReadonlySet<string> = new Set(
  [
    "_id,-id, id,sid,yid,psw,com,asa,nid,ken,ret,key,ord,ort,swd,wrd,pwd,ass,ase,ode,sse,ial,als,eds,jwt".split(","),
    "rer,uth,ion,lue,ing,str,ext,ain,raw,b64,e64,rod,dev,ive".split(","),
  ].flat(),
);

/** What a name such as `DB_PASSWORD`, `githubToken` or `Secret access key` announces, if anything. */
function announcedBy(name: string): Announced | null {
  if (!TELLING.test(name)) return null;
  // The words in a name in camel, snake or kebab case.
  const words =
    name
      .slice(-64)
      .match(/[A-Z]*[a-z0-9\u0080-\uffff]+|[A-Z]+/g)
      ?.map((word) => word.toLowerCase()) ?? [];
  while (words.length > 1 && TRAILING.test(words.at(-1) ?? "")) words.pop();
  const last = (words.at(-1) ?? "").replace(/\d+$/, "");
  const before = words.at(-2) ?? "";
  if (HARMLESS.test(before) || words.some((word) => /^(?:public|csrf|xsrf)$/.test(word))) return null;
  if (PASSWORD.test(last)) return "password";
  if (last.endsWith("secret")) return "secret";
  if (TOKEN.test(last)) return "token";
  if (last === "key" && KEY_OF.test(before)) return "token";
  if (last === "id" && (before === "access" || (before === "key" && words.at(-3) === "access"))) return "token";
  if (last === "authorization") return "authorization";
  if (SESSION.test(last) || (last === "id" && SESSION.test(before))) return "session";
  return /^BUNDLE_[A-Z0-9_]{1,40}__[A-Z]{2,8}(?:_TOKEN)?$/.test(name) ? "pair" : null;
}
