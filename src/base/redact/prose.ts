import { cut } from "./assignment.ts";
import type { Span } from "./span.ts";
import { isLoneRandom, isRestOfToken, isSecretValue, isWordWithNumber, type Setting, type Vouch } from "./value.ts";

// A password is announced by a noun, words that say whose it is, and a copula: in English, German, Spanish, French,
// Portuguese and Russian. The patterns are put together once from these parts.
const NOUN =
  /pass(?:wor[dt]|phrase|code)|kennwort|contrase[ñn]a|clave|mot de passe|\bmdp|\bsenha|palavra-passe|парол(?:ь|я|ю|ем|е)/gi;
const STARTS = " \t\u00a0\u202f\"'*`»”—–:";
const CLOSING = "[\"'*`_»”]{0,3}";
const OWNER =
  "(?:[ \\t](?:for|to|of|on|at|in|from|we|that|which|I|für|von|vom|zum|zur|des|der|im|am|auf|beim|unter|de|del|da|do|das|dos|d[ue]s?|para|pour|que|qui|sur|en|au|à|no|na|d['’][^\\s:=.;]{1,24}|[а-яё]{1,16}|(?:admin|root|wifi|wi-fi)[a-zé]{0,12})(?:[ \\t][^\\s:=;,]{1,24}){0,5}?)?";
const WORD =
  "[ \\t]{1,2}(?:(?:is|was|equals|ist|war|lautet|heißt|es|era|será|sera|est|était|é|è|это|такой|теперь|set to|changed to|reset to)(?:[ \\t](?:now|currently|still|jetzt|nun|ahora|maintenant|désormais|agora|теперь))?:?|[—–-]|->|→)[ \\t]{1,2}";
const SIGN = "[ \\t\\u00a0\\u202f]{0,2}(?::|=|—|–|->|→)[ \\t\\u00a0\\u202f]{0,2}";
const VALUE = "(?<quote>[\"'`“«*]{0,3})(?<value>[^\\s\"'`“”«»<>|]{6,128})";
const SAID = new RegExp(`${CLOSING}${OWNER}(?:${WORD}|${SIGN})${VALUE}`, "iy");
const QUOTED = /[ \t]{1,4}(?<quote>["'`])(?<value>[^\s"'`]{6,128})\1/y;
const OF_LOGIN = /(?<=\blogin[ \t]{1,4}[^\s]{1,64}[ \t]{1,4}password)[ \t]{1,4}(?<quote>)(?<value>[^\s"'`]{6,128})/iy;
const DIRECT = /(?:[ \t][а-яё]{1,16}){0,3}[ \t]{1,2}(?<quote>["'`]?)(?<value>[^\s"'`“”<>|]{9,128})/iy;

const TOKEN_BEFORE =
  /\b(?:(?:api|access|secret|auth)[ _-]?(?:access[ _-]?)?(?:key|token)|token|secret|credential|passphrase|schlüssel)s?["'*`]{0,2}[ \t]{1,2}(?:is|was|ist|lautet|->|→)[ \t]{1,2}["'`(“*]{0,3}$|\bbearer[ \t]{1,2}$/i;

/** `the password for the shop is X`, `das Passwort lautet X`, `PASSWORD 'X'`, `login … password X`. */
export function findSpokenPasswords(text: string, spans: Span[]): void {
  for (const noun of text.matchAll(NOUN)) {
    const end = noun.index + noun[0].length;
    // A sign right after the noun makes it the name of an assignment.
    if (!STARTS.includes(text.charAt(end))) continue;
    const span = findSpokenPassword(text, end);
    if (span !== null) spans.push(span);
  }
}

function findSpokenPassword(text: string, at: number): Span | null {
  for (const pattern of [SAID, QUOTED, OF_LOGIN, DIRECT]) {
    pattern.lastIndex = at;
    const { quote = "", value = "" } = pattern.exec(text)?.groups ?? {};
    if (value === "") continue;
    const start = pattern.lastIndex - value.length - (pattern === QUOTED ? 1 : 0);
    if (pattern === DIRECT && !isRestOfToken(cut(value))) continue;
    const isSaid = pattern === SAID && isWordWithNumber(cut(value)) && isAtEnd(text, start + value.length);
    const setting = pattern === SAID && (quote !== "" || isSaid) ? "quoted" : "amid";
    const found = judgeSpoken(value, start, "password", setting);
    if (found !== null) return found;
  }
  return null;
}

/** A random word that prose before it calls a token, a key or a secret. */
export function findSpokenToken(text: string, start: number, end: number): Span | null {
  if (end - start > 512 || !isAfterCopula(text, start)) return null;
  const value = cut(text.slice(start, end));
  if (!isLoneRandom(value)) return null;
  const before = text.slice(Math.max(0, start - 48), start);
  if (!TOKEN_BEFORE.test(before.slice(before.lastIndexOf("\n") + 1))) return null;
  return { start, end: start + value.length, kind: "token", by: "context", part: "first" };
}

/** A fast look at the last letter before the word: of `is`, `was`, `ist`, `lautet`, `bearer` or an arrow. */
function isAfterCopula(text: string, start: number): boolean {
  let i = start - 1;
  for (let n = 0; n < 5 && i >= 0 && " \t\"'`(“*".includes(text.charAt(i)); n++) i--;
  return i >= 0 && i < start - 1 && "strSTR>→".includes(text.charAt(i));
}

/** The span of a value that prose announces, when it can be one; punctuation after it stays. */
export function judgeSpoken(raw: string, start: number, vouch: Vouch, setting: Setting): Span | null {
  const value = cut(raw);
  if (!isSecretValue(value, vouch, setting)) return null;
  return { start, end: start + value.length, kind: vouch, by: "context", part: "first" };
}

function isAtEnd(text: string, end: number): boolean {
  return end >= text.length || /[\r\n]/.test(text.charAt(end)) || /[.,;)]/.test(text.charAt(end - 1));
}
