import type { Span } from "./span.ts";
import { isLoneRandom, isSecretValue, isStandIn } from "./value.ts";

const USERINFO = /:\/\/([^\s/?#:@"'`<>]{0,128}):([^\s/?#"'`<>]{3,256})@/y;
const OPTION = /(?:-u|--user|--proxy-user)(?:[ \t]{1,4}|=)/y;
/** `"user:password"`, `user:"password"`, `user:password`. */
const LOGINS: readonly RegExp[] = [
  /(?<quote>\\{0,3}["'])(?<user>[^\s"'`:]{1,96}):(?<password>(?:(?!\k<quote>)[^\r\n]){0,128})\k<quote>/dy,
  /(?<user>[^\s"'`:]{1,96}):(?<quote>\\{0,3}["'])(?<password>(?:(?!\k<quote>)[^\r\n]){1,128})\k<quote>/dy,
  /(?<user>[^\s"'`:]{1,96}):(?<password>[^\s"'`\\]{1,128})/dy,
];
const PGPASS =
  /:(\d{4,5}|\*):(?:\*|[A-Za-z_][\w-]{0,62}):[A-Za-z_*][\w.@-]{0,62}:((?:\\[\\:]|[^\s:\\"'`|<>()]){6,128})(?=[\s"'`|\\<]|$)/y;
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
  for (const pattern of LOGINS) {
    pattern.lastIndex = OPTION.lastIndex;
    const groups = pattern.exec(text);
    if (groups !== null) return findInLogin(groups);
  }
  return null;
}

function findInLogin(match: RegExpExecArray): Span | null {
  const { user = "", password = "" } = match.groups ?? {};
  const [start, end] = match.indices?.groups?.["password"] ?? [0, 0];
  if (password === "") return span(start - 1 - user.length, start - 1, isTokenUser(user));
  const isNumber = /^\d+$/.test(password);
  return span(start, end, isNumber || !isRealPassword(password, user) ? "clean" : "secret");
}

/** The password of a line of `.pgpass`: `host:port:database:user:password`; `at` is the colon before the port. */
export function findPgpass(text: string, at: number): Span | null {
  PGPASS.lastIndex = at;
  const [, port = "", password = ""] = PGPASS.exec(text) ?? [];
  if (password === "" || !/[\w.*\]-]/.test(text.charAt(at - 1))) return null;
  const end = PGPASS.lastIndex;
  const isNamed = port === "*" || (/^[56]432$/.test(port) && isInPgpass(text, at, end));
  const isSecret = isRealPassword(password, "") && isSecretValue(password, "password", isNamed ? "quoted" : "amid");
  return span(end - password.length, end, isSecret ? "secret" : "clean");
}

/** Only beside the name of the file is a mere word with a number a password: `table1` can be one of anything else. */
function isInPgpass(text: string, at: number, end: number): boolean {
  return /pgpass/i.test(text.slice(Math.max(0, at - 160), at)) || /pgpass/i.test(text.slice(end, end + 80));
}

function span(start: number, end: number, verdict: "secret" | "clean"): Span | null {
  return verdict === "clean" ? null : { start, end, kind: "password", by: "context", part: "first" };
}

function isTokenUser(user: string): "secret" | "clean" {
  const isMixed = user.length >= 10 && /\d.*[A-Za-z].*\d|[^\w.@-]/.test(user) && /\d/.test(user);
  return !isStandIn(user) && (isMixed || isLoneRandom(user)) ? "secret" : "clean";
}

export function isRealPassword(password: string, user: string): boolean {
  if (password.length < 6 || password === user || password.includes("${") || password.includes("{{")) return false;
  return !VARIABLE.test(password) && !HABITUAL.test(password) && !isStandInPassword(password);
}

/** `P@ss$1` holds a sign that elsewhere marks a variable; here only the beginning decides. */
function isStandInPassword(password: string): boolean {
  return isStandIn(password.replace(/^[^A-Za-z0-9]+/, "")) || /^[A-Z_]+$/.test(password);
}
