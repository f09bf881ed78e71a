import type { Span } from "./span.ts";
import { judgeSpoken } from "./prose.ts";

const COPULA =
  /[ \t]{0,2}(는|은|가|이|は|が|是|为|為|:|：|＝|=|→|\|){0,2}[ \t]{0,2}["'`「『“]?([!-&(-;=?-_a-~]{6,128})/y;
const EAST_ASIAN =
  /비밀번호|비번|암호|패스워드|パスワード|暗証番号|密码|密碼|口令|토큰|시크릿|인증\s?키|API\s?키|키|トークン|シークレット|秘密鍵|APIキー|密钥|密鑰|令牌|秘钥/g;
const WIDE_SIGN = /(?:password|passwd|token|secret|api[ _-]?key)(?=[ \t]{0,2}[：＝])/gi;
const EAST_ASIAN_PASSWORD = /^(?:passw|비|암호|패스|パス|暗証|密码|密碼|口令)/i;

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
  const found = judgeSpoken(raw, COPULA.lastIndex - raw.length, vouch, match[1] === undefined ? "amid" : "alone");
  if (found !== null) spans.push(found);
}
