import type { Span } from "./span.ts";
import { isLoneRandom, isSecretValue, type Setting, type Vouch } from "./value.ts";

const PASSWORD_IS =
  /(?:word|wort)(?:\s(?:for|to|of|on|at|für|von|zum|zur)\s[^\n:=.;]{1,40}?)?["'*`]{0,2}[ \t]{1,2}(?:is|was|ist|war|lautet|equals|set to|changed to|→|->)[ \t]{0,2}:?[ \t]{1,2}(["'`“]?)([^\s"'`“”<>]{6,128})/iy;
const PASSWORD_QUOTED = /word[ \t]{1,4}(["'`])([^\s"'`]{6,128})\1/iy;
const PASSWORD_OF_LOGIN = /(?<=\blogin[ \t]{1,4}[^\s]{1,64}[ \t]{1,4}pass)word[ \t]{1,4}()([^\s"'`]{6,128})/iy;
const TOKEN_BEFORE =
  /\b(?:(?:api|access|secret|auth)[ _-]?(?:key|token)|token|secret|credential|passphrase|schlüssel)s?["'*`]{0,2}[ \t]{1,2}(?:is|was|ist|lautet|->|→)[ \t]{1,2}["'`(“*]{0,3}$|\bbearer[ \t]{1,2}$/i;
const COPULA =
  /[ \t]{0,2}(는|은|가|이|は|が|是|为|為|:|：|＝|=|→|\|){0,2}[ \t]{0,2}["'`「『“]?([!-&(-;=?-_a-~]{6,128})/y;
const EAST_ASIAN =
  /비밀번호|비번|암호|패스워드|パスワード|暗証番号|密码|密碼|口令|토큰|시크릿|인증\s?키|API\s?키|키|トークン|シークレット|秘密鍵|APIキー|密钥|密鑰|令牌|秘钥/g;
const WIDE_SIGN = /(?:password|passwd|token|secret|api[ _-]?key)(?=[ \t]{0,2}[：＝])/gi;
const EAST_ASIAN_PASSWORD = /^(?:passw|비|암호|패스|パス|暗証|密码|密碼|口令)/i;

/** `password is X`, `Passwort lautet X`, `PASSWORD 'X'`, `login … password X`; `at` is the letter w of the word. */
export function findSpokenPassword(text: string, at: number): Span | null {
  for (const pattern of [PASSWORD_IS, PASSWORD_QUOTED, PASSWORD_OF_LOGIN]) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match === null) continue;
    const raw = match[2] ?? "";
    const start = pattern.lastIndex - raw.length - (pattern === PASSWORD_QUOTED ? 1 : 0);
    return judge(raw, start, "password", pattern === PASSWORD_IS && match[1] !== "" ? "quoted" : "amid");
  }
  return null;
}

/** A random word that prose before it calls a token, a key or a secret. */
export function findSpokenToken(text: string, start: number, end: number): Span | null {
  if (end - start > 512 || !isAfterCopula(text, start)) return null;
  const value = trimmed(text.slice(start, end));
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

/** Korean, Japanese and Chinese announcements; the text has such letters. */
export function findEastAsian(text: string): readonly Span[] {
  const spans: Span[] = [];
  for (const match of text.matchAll(EAST_ASIAN)) addAnnounced(text, match, spans);
  if (!/[：＝]/.test(text)) return spans;
  for (const match of text.matchAll(WIDE_SIGN)) addAnnounced(text, match, spans);
  return spans;
}

function addAnnounced(text: string, name: RegExpExecArray, spans: Span[]): void {
  COPULA.lastIndex = name.index + name[0].length;
  const match = COPULA.exec(text);
  if (match === null) return;
  const raw = match[2] ?? "";
  const vouch = EAST_ASIAN_PASSWORD.test(name[0]) ? "password" : "token";
  const found = judge(raw, COPULA.lastIndex - raw.length, vouch, match[1] === undefined ? "amid" : "alone");
  if (found !== null) spans.push(found);
}

function judge(raw: string, start: number, vouch: Vouch, setting: Setting): Span | null {
  const value = trimmed(raw);
  if (!isSecretValue(value, vouch, setting)) return null;
  return { start, end: start + value.length, kind: vouch, by: "context", part: "first" };
}

function trimmed(raw: string): string {
  return raw.replace(/[.,;:)\]}|*]{1,8}$/, "");
}
