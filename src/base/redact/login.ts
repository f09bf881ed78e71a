import type { Span } from "./span.ts";
import { isLoneRandom, isStandIn } from "./value.ts";

const USERINFO = /:\/\/([^\s/?#:@"'`<>]{0,128}):([^\s/?#"'`<>]{3,256})@/y;
const OPTION = /(?:-u|--user|--proxy-user)(?:[ \t]{1,4}|=)/y;
const LOGIN =
  /(?:"([^"\s:]{1,96}):([^"\r\n]{0,128})"|'([^'\s:]{1,96}):([^'\r\n]{0,128})'|([^\s"'`:]{1,96}):([^\s"'`]{1,128}))/y;
const SHORT_OPTION = /-p(?:[ \t]{1,4}|)(["']?)([^\s"'`]{6,128})/y;
const HABITUAL =
  /^(?:admin|administrator|root|guest|user|username|postgres|mysql|rabbitmq|minio|elastic|pass|none|null)\d{0,3}$/i;
const VARIABLE = /^(?:\$\w|\{[^}]*\}|%[A-Z_]+%|<|\[|\*)/;

/** The password in `scheme://user:password@host`; `at` is the colon of `://`. */
export function findUserinfo(text: string, at: number): Span | null {
  USERINFO.lastIndex = at;
  const match = USERINFO.exec(text);
  const password = match?.[2] ?? "";
  if (match === null || !isRealPassword(password, match[1] ?? "")) return null;
  const end = USERINFO.lastIndex - 1;
  return { start: end - password.length, end, kind: "password", by: "context", part: "first" };
}

/** The password in `-u user:password`, `--user user:password`; `at` is the first hyphen. */
export function findLogin(text: string, at: number): Span | null {
  OPTION.lastIndex = at;
  if (!OPTION.test(text)) return null;
  LOGIN.lastIndex = OPTION.lastIndex;
  const match = LOGIN.exec(text);
  if (match === null) return null;
  const user = match[1] ?? match[3] ?? match[5] ?? "";
  const password = match[2] ?? match[4] ?? match[6] ?? "";
  const start = LOGIN.lastIndex - password.length - (match[5] === undefined ? 1 : 0);
  if (password === "") return span(start - 1 - user.length, start - 1, isTokenUser(user));
  const isNumber = /^\d+$/.test(password);
  return span(start, start + password.length, isNumber || !isRealPassword(password, user) ? "clean" : "secret");
}

/** `sshpass -p X` and `mysql -pX`; `at` is the hyphen. */
export function findShortOption(text: string, at: number): Span | null {
  const before = text.slice(Math.max(0, at - 80), at);
  const isTied = text[at + 2] !== " " && /\bmysql(?:dump|admin)?\b[^\n|;]{0,70}$/.test(before);
  if (!isTied && !before.endsWith("sshpass ")) return null;
  SHORT_OPTION.lastIndex = at;
  const password = SHORT_OPTION.exec(text)?.[2] ?? "";
  const end = SHORT_OPTION.lastIndex;
  return span(end - password.length, end, isRealPassword(password, "") ? "secret" : "clean");
}

function span(start: number, end: number, verdict: "secret" | "clean"): Span | null {
  return verdict === "clean" ? null : { start, end, kind: "password", by: "context", part: "first" };
}

function isTokenUser(user: string): "secret" | "clean" {
  const isMixed = user.length >= 10 && /\d.*[A-Za-z].*\d|[^\w.@-]/.test(user) && /\d/.test(user);
  return !isStandIn(user) && (isMixed || isLoneRandom(user)) ? "secret" : "clean";
}

function isRealPassword(password: string, user: string): boolean {
  if (password.length < 6 || password === user || password.includes("${") || password.includes("{{")) return false;
  return !VARIABLE.test(password) && !HABITUAL.test(password) && !isStandInPassword(password);
}

/** `P@ss$1` holds a sign that elsewhere marks a variable; here only the beginning decides. */
function isStandInPassword(password: string): boolean {
  return isStandIn(password.replace(/^[^A-Za-z0-9]+/, "")) || /^[A-Z_]+$/.test(password);
}
