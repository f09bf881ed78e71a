import { announcedValue, nameEndingAt } from "./assignment.ts";
import { endAt, matchAt, secretAt, type Span } from "./span.ts";
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
  const match = matchAt(USERINFO, text, at);
  const password = match?.[2] ?? "";
  if (match === null || !isRealPassword(password, match[1] ?? "")) return null;
  const end = USERINFO.lastIndex - 1;
  return secretAt(end - password.length, end, "password");
}

/** The password in `-u user:password`, `--user user:password`; `at` is the first hyphen. */
export function findLogin(text: string, at: number): Span | null {
  const from = endAt(OPTION, text, at);
  if (from < 0) return null;
  for (const pattern of LOGINS) {
    const login = matchAt(pattern, text, from);
    if (login !== null) return findInLogin(login);
  }
  return null;
}

function findInLogin(match: RegExpExecArray): Span | null {
  const { user = "", password = "" } = match.groups ?? {};
  const [start, end] = match.indices?.groups?.["password"] ?? [0, 0];
  if (password === "") return isTokenUser(user) ? secretAt(start - 1 - user.length, start - 1, "password") : null;
  const isNumber = /^\d+$/.test(password);
  return isNumber || !isRealPassword(password, user) ? null : secretAt(start, end, "password");
}

/** The password of a line of `.pgpass`: `host:port:database:user:password`; `at` is the colon before the port. */
export function findPgpass(text: string, at: number): Span | null {
  const [, port = "", password = ""] = matchAt(PGPASS, text, at) ?? [];
  if (password === "" || !/[\w.*\]-]/.test(text.charAt(at - 1))) return null;
  const end = PGPASS.lastIndex;
  const isNamed = port === "*" || (/^[56]432$/.test(port) && isInPgpass(text, at, end));
  const isSecret = isRealPassword(password, "") && isSecretValue(password, "password", isNamed ? "quoted" : "amid");
  return isSecret ? secretAt(end - password.length, end, "password") : null;
}

/** Only beside the name of the file is a mere word with a number a password: `table1` can be one of anything else. */
function isInPgpass(text: string, at: number, end: number): boolean {
  return /pgpass/i.test(text.slice(Math.max(0, at - 160), at)) || /pgpass/i.test(text.slice(end, end + 80));
}

function isTokenUser(user: string): boolean {
  const isMixed = user.length >= 10 && /\d.*[A-Za-z].*\d|[^\w.@-]/.test(user) && /\d/.test(user);
  return !isStandIn(user) && (isMixed || isLoneRandom(user));
}

function isRealPassword(password: string, user: string): boolean {
  if (password.length < 6 || password === user || password.includes("${") || password.includes("{{")) return false;
  return !VARIABLE.test(password) && !HABITUAL.test(password) && !isStandInPassword(password);
}

/** `P@ss$1` holds a sign that elsewhere marks a variable; here only the beginning decides. */
function isStandInPassword(password: string): boolean {
  return isStandIn(password.replace(/^[^A-Za-z0-9]+/, "")) || /^[A-Z_]+$/.test(password);
}

interface PasswordOption {
  readonly flag: string;
  /** What the command line has in front of the flag. */
  readonly after: RegExp;
  /** Whether the value is written right behind the flag. */
  readonly value: "apart" | "tied";
}

const OPTIONS: readonly PasswordOption[] = [
  { flag: "-p", after: /sshpass $/, value: "apart" },
  { flag: "-p", after: /(?:\b|\\[nrt])mysql(?:dump|admin)?\b[^\n|;]{0,120}$/, value: "tied" },
  {
    flag: "-p",
    after:
      /(?:\b|\\[nrt])(?:docker|podman|nerdctl|buildah|skopeo|helm|oras|crane|az)\b[^\n|;]{0,40}\blogin\b[^\n|;]{0,120}$/,
    value: "apart",
  },
  { flag: "-p", after: /(?:\b|\\[nrt])mongo(?:sh|dump|restore|export|import)?[ \t][^\n|;]{0,120}$/, value: "apart" },
  { flag: "-a", after: /(?:\b|\\[nrt])(?:redis|valkey)-(?:cli|benchmark)\b[^\n|;]{0,120}$/, value: "apart" },
];
const TIED = /(\\{0,3}["']|)([^\s"'`\\]{6,128})/y;
const APART = /(?:[ \t]{1,4}|=)(\\{0,3}["']|)([^\s"'`\\]{6,128})/y;
const SET_OPTION = /(?:-[gxUluf]{1,4}[ \t]{1,4}){1,3}([A-Za-z_][A-Za-z0-9_]{1,62})(?=[ \t])/y;
const NAME_AND_BLANK =
  /_[A-Za-z0-9]{2,24}(?=[ \t]{1,8}\\{0,3}["']?(?!\d+\b)[A-Za-z0-9+/][^\s(){}<>,;"']{5,256}(?:["'\s\\]|$))/y;

/** The password of `docker login -p X`, `redis-cli -a X`, `mysql -pX`; `at` is the hyphen. */
export function findShortOption(text: string, at: number): Span | null {
  const previous = text.charCodeAt(at - 1);
  if (previous !== 0x20 && previous !== 0x09) return null;
  const before = text.slice(Math.max(0, at - 180), at);
  for (const { flag, after, value } of OPTIONS) {
    if (!text.startsWith(flag, at) || !after.test(before)) continue;
    const pattern = value === "tied" ? TIED : APART;
    const match = matchAt(pattern, text, at + flag.length);
    const password = match?.[2] ?? "";
    const isWord = match?.[1] === "" && value === "apart" && /^[a-z]+[.,]?$/.test(password);
    if (match === null || isWord || !isRealPassword(password, "")) continue;
    return secretAt(pattern.lastIndex - password.length, pattern.lastIndex, "password");
  }
  return null;
}

/** The value of `set -gx NAME value`; `at` is the hyphen. */
export function findSetOption(text: string, at: number): Span | null {
  if (text.charCodeAt(at - 1) !== 0x20 || text[at - 2] !== "t") return null;
  if (!/set[ \t]{1,4}$/.test(text.slice(Math.max(0, at - 8), at))) return null;
  const name = matchAt(SET_OPTION, text, at)?.[1];
  return name === undefined ? null : announcedValue(text, name, SET_OPTION.lastIndex);
}

/** The value of `NAME_PASSWORD value`, as in `aws configure set aws_secret_access_key value`; `at` is an underscore. */
export function findNamed(text: string, at: number): Span | null {
  const end = endAt(NAME_AND_BLANK, text, at);
  const name = end < 0 ? null : nameEndingAt(text, end);
  // `proxy_pass` and its like name a place.
  return name === null || name.endsWith("_pass") ? null : announcedValue(text, name, end);
}
