import { redact } from "../../base/redact/index.ts";

/** What a pass over a text saw that a secret needs. Nothing of it, and no rule of `redact` can find one. */
export const LONG_RUN = 1;
export const ASSIGNS = 2;
export const OPTION = 4;
export const SPOKEN = 8;
export const EASTERN = 16;
export const ADDRESS = 32;
export const COMMAND = 64;

const telling = /pass|pwd|pw|psw|kennw|contrase|motdepasse|token|secret|key|cred|auth|jwt|bearer|access|BUNDLE_/i;
const eastern =
  /비밀번호|비번|암호|패스워드|パスワード|暗証番号|密码|密碼|口令|토큰|시크릿|인증|키|トークン|シークレット|秘密鍵|キー|密钥|密鑰|令牌|秘钥|[：＝]/;
const option = /-u[ \t=]|--(?:proxy-)?user/;
const command = /sshpass|mysql/;

/** The text without its secrets; the very same string when what a pass saw of it rules them out. */
export function withoutSecrets(text: string, seen: number): string {
  return mayHoldSecret(text, seen) ? redact(text).text : text;
}

function mayHoldSecret(text: string, seen: number): boolean {
  if ((seen & (LONG_RUN | SPOKEN)) !== 0) return true;
  if ((seen & ADDRESS) !== 0 && text.includes("@")) return true;
  if ((seen & EASTERN) !== 0 && eastern.test(text)) return true;
  if ((seen & COMMAND) !== 0 && command.test(text)) return true;
  if ((seen & OPTION) !== 0 && option.test(text)) return true;
  return (seen & (ASSIGNS | OPTION)) !== 0 && telling.test(text);
}
