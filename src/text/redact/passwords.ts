import { announcedValue, announcingParts, nameEndingAt, cut, skipBack } from "./assignment.ts";
import { endAt, matchAt, secretAt, type Span, lineBefore } from "./span.ts";
import {
  isLoneRandom,
  isSecretValue,
  isStandIn,
  isRestOfToken,
  isWordWithNumber,
  type Setting,
  type Vouch,
} from "./value.ts";

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

/** The password in a line of `.pgpass`: `host:port:database:user:password`; `at` is the colon before the port. */
export function findPgpass(text: string, at: number): Span | null {
  const [, port = "", password = ""] = matchAt(PGPASS, text, at) ?? [];
  if (password === "" || !/[\w.*\]-]/.test(text.charAt(at - 1))) return null;
  const end = PGPASS.lastIndex;
  const isNamed = port === "*" || (/^[56]432$/.test(port) && isInPgpass(text, at, end));
  const isSecret = isRealPassword(password, "") && isSecretValue(password, "password", isNamed ? "quoted" : "amid");
  return isSecret ? secretAt(end - password.length, end, "password") : null;
}

/** A plain word with a number counts as a password only if the file's name is nearby: `table1` could be anything. */
function isInPgpass(text: string, at: number, end: number): boolean {
  return /pgpass/i.test(text.slice(Math.max(0, at - 160), at)) || /pgpass/i.test(text.slice(end, end + 80));
}

function isTokenUser(user: string): boolean {
  const isMixed = user.length >= 10 && /\d.*[A-Za-z].*\d|[^\w.@-]/.test(user) && /\d/.test(user);
  return !isStandIn(user) && (isMixed || isLoneRandom(user));
}

function isRealPassword(password: string, user: string): boolean {
  if (password.length < 6 || password === user || password.includes("${") || password.includes("{{")) return false;
  if (VARIABLE.test(password) || HABITUAL.test(password) || /^[A-Z_]+$/.test(password)) return false;
  // Drop leading signs, which `isStandIn` would take for references: `@word1`.
  return !isStandIn(password.replace(/^[^A-Za-z0-9]+/, ""));
}

/** `after`: the command line before the flag. `value`: whether the value follows a blank or comes directly after the flag. */
const OPTIONS: readonly { flag: string; after: RegExp; value: "apart" | "tied" }[] = [
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

/** The password in `docker login -p X`, `redis-cli -a X`, `mysql -pX`; `at` is the hyphen. */
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

/** The value in `set -gx NAME value`; `at` is the hyphen. */
export function findSetOption(text: string, at: number): Span | null {
  if (text.charCodeAt(at - 1) !== 0x20 || text[at - 2] !== "t") return null;
  if (!/set[ \t]{1,4}$/.test(text.slice(Math.max(0, at - 8), at))) return null;
  const name = matchAt(SET_OPTION, text, at)?.[1];
  return name === undefined ? null : announcedValue(text, name, SET_OPTION.lastIndex);
}

/** The value in `NAME_PASSWORD value`, as in `aws configure set aws_secret_access_key value`; `at` is an underscore. */
export function findNamed(text: string, at: number): Span | null {
  const end = endAt(NAME_AND_BLANK, text, at);
  const name = end < 0 ? null : nameEndingAt(text, end);
  // `proxy_pass` and similar names announce an address.
  return name === null || name.endsWith("_pass") ? null : announcedValue(text, name, end);
}

// A password in prose is announced by a noun, words for its owner or purpose, and a copula. The patterns are built from
// these parts, for English, German, Spanish, French, Portuguese and Russian.
const NOUN =
  /pass(?:wor[dt]|phrase|code)|\bpwd\b|kennwort|contrase[ñn]a|clave|mot de passe|\bmdp|\bsenha|palavra-passe|парол(?:ь|я|ю|ем|е)/gi;
const STARTS = " \t\u00a0\u202f\"'*`»”—–:";
const CLOSING = "[\"'*`_»”]{0,3}";
const OWNER =
  "(?:[ \\t](?:\\([^()\\n]{1,24}\\)|(?:(?:is|was) )?generated|now|nueva|nova|nouveau|actual|jetzt|ahora|agora|maintenant|теперь|for|to|of|on|at|in|from|we|that|which|I|für|von|vom|zum|zur|des|der|im|am|auf|beim|unter|de|del|da|do|das|dos|d[ue]s?|para|pour|que|qui|sur|en|au|à|no|na|d['’][^\\s:=.;]{1,24}|[а-яё]{1,16}|(?:admin|root|wifi|wi-fi)[a-zé]{0,12})(?:[ \\t][^\\s:=;,]{1,24}){0,5}?)?";
const WORD =
  "[ \\t]{1,2}(?:(?:(?:(?:is|was|got|has been)[ \\t])?(?:now[ \\t])?(?:set|changed|reset) to|(?:wurde|wird)[ \\t](?:jetzt[ \\t])?auf|is|was|equals|ist|war|lautet|heißt|es|era|será|sera|est|était|é|è|это|такой|теперь|(?<to>to|auf))(?:[ \\t](?:now|currently|still|jetzt|nun|ahora|maintenant|désormais|agora|теперь))?:?|[—–-]|->|→)[ \\t]{1,2}";
const SIGN = "[ \\t\\u00a0\\u202f]{0,2}(?::|=|—|–|->|→)[ \\t\\u00a0\\u202f]{0,2}";
const VALUE = "(?<quote>(?:«[ \\u00a0\\u202f]|[\"'`“«*]{1,3})?)(?<value>[^\\s\"'`“”«»<>|\\\\]{6,128})";
const SAID = new RegExp(`${CLOSING}${OWNER}(?:${WORD}|${SIGN})${VALUE}`, "iy");
const QUOTED = /[ \t]{1,4}(?<quote>["'`])(?<value>[^\s"'`]{6,128})\1/y;
const OF_LOGIN = /(?<=\blogin[ \t]{1,4}[^\s]{1,64}[ \t]{1,4}password)[ \t]{1,4}(?<quote>)(?<value>[^\s"'`]{6,128})/iy;
const DIRECT = /(?:[ \t][а-яё]{1,16}){0,3}[ \t]{1,2}(?<quote>["'`]?)(?<value>[^\s"'`“”<>|\\]{9,128})/iy;

/** The words before a password that a sentence uses: `log in with the`. */
const USING =
  /(?:\b(?:with|and|use|using|mit|als|con|usa|usando|avec|utilise[rz]?|com|use)|(?<![а-яё])[си])[ \t](?:(?:the|a|das|dem|la|el|le|o)[ \t])?(?:[\wа-яё-]{1,16}[ \t])?$/i;

const TOKEN_BEFORE =
  /\b(?:(?:api|access|secret|auth)[ _-]?(?:access[ _-]?)?(?:key|token)|token|secret|credential|passphrase|schlüssel)s?["'*`]{0,2}[ \t]{1,2}(?:is|was|ist|lautet|->|→)[ \t]{1,2}["'`(“*]{0,3}$|\bbearer[ \t]{1,2}$/i;

const FORTY = /(?<![A-Za-z0-9+/=])[A-Za-z0-9+/]{40}(?![A-Za-z0-9+/=])/;
const AWS_BEFORE = /secret[ _-]?(?:access[ _-]?)?key|aws[ _-]?secret|\bA[KS]IA[A-Z0-9]{16}/i;

/** After these, even a UUID or a hexadecimal number is a token. */
const KEY_BEFORE = /\b(?:api|access|secret|auth)[ _-]?(?:access[ _-]?)?(?:key|token)\b|\bclient[ _-]?secret\b/i;

/** `the password for the shop is X`, `das Passwort lautet X`, `PASSWORD 'X'`, `login … password X`. */
export function findSpokenPasswords(text: string, spans: Span[]): void {
  // `matchAll` would copy the pattern for each text.
  for (let noun = matchAt(NOUN, text, 0); noun !== null; noun = NOUN.exec(text)) {
    const end = NOUN.lastIndex;
    // If a sign directly follows the noun, the noun is the name in an assignment.
    if (!STARTS.includes(text.charAt(end))) continue;
    const span = findSpokenPassword(text, noun.index, end);
    if (span !== null) spans.push(span);
  }
}

function findSpokenPassword(text: string, from: number, at: number): Span | null {
  for (const pattern of [SAID, QUOTED, OF_LOGIN, DIRECT]) {
    const { quote = "", value = "", to } = matchAt(pattern, text, at)?.groups ?? {};
    if (value === "") continue;
    const start = pattern.lastIndex - value.length - (pattern === QUOTED ? 1 : 0);
    if (to !== undefined && !isAtEnd(text, start + value.length)) continue;
    if (pattern === DIRECT && !isRestOfToken(cut(value)) && !isUsed(text, from)) continue;
    const isSaid = pattern === SAID && isWordWithNumber(cut(value)) && isAtEnd(text, start + value.length);
    const setting = pattern === SAID && (quote !== "" || isSaid) ? "quoted" : "amid";
    const found = judgeSpoken(value, start, "password", setting);
    if (found !== null) return found;
  }
  return null;
}

/** A random word introduced by prose as a token, key or secret. */
export function findSpokenToken(text: string, start: number, end: number): Span | null {
  if (end - start > 512 || !isAfterCopula(text, start)) return null;
  const value = cut(text.slice(start, end));
  if (!isLoneRandom(value) && !isSecretValue(value, "token", "amid")) return null;
  const before = lineBefore(text, start, 48);
  if (!TOKEN_BEFORE.test(before) || !(isLoneRandom(value) || KEY_BEFORE.test(before))) return null;
  return secretAt(start, start + value.length, "token");
}

/** Forty random characters after the words `secret access key` or `AWS secret`, or after the matching key id. */
export function findAwsSecret(text: string, start: number, end: number): Span | null {
  const [value = ""] = FORTY.exec(text.slice(start, end)) ?? [];
  if (!isLoneRandom(value) || !/[a-z]/.test(value) || !/[A-Z]/.test(value)) return null;
  const at = text.indexOf(value, start);
  return AWS_BEFORE.test(lineBefore(text, at, 96)) ? secretAt(at, at + value.length, "aws-secret-key") : null;
}

/** A quick test: the last character before the word may be that of `is`, `was`, `ist`, `lautet`, `bearer` or an arrow. */
function isAfterCopula(text: string, start: number): boolean {
  const i = skipBack(text, start - 1, " \t\"'`(“*", 5);
  return i >= 0 && i < start - 1 && "strSTR>→".includes(text.charAt(i));
}

/** The span of a value announced by prose, if it can be a secret; trailing punctuation stays. */
function judgeSpoken(raw: string, start: number, vouch: Vouch, setting: Setting): Span | null {
  const value = cut(raw);
  return isSecretValue(value, vouch, setting) ? secretAt(start, start + value.length, vouch) : null;
}

/** Whether the sentence uses the password whose noun begins at `from`: `with the password X`, `пароль X`. */
function isUsed(text: string, from: number): boolean {
  return text.charCodeAt(from) > 0x3ff || USING.test(text.slice(Math.max(0, from - 40), from));
}

function isAtEnd(text: string, end: number): boolean {
  return end >= text.length || /[\r\n]/.test(text.charAt(end)) || /[.,;)]/.test(text.charAt(end - 1));
}

const COPULA =
  /[ \t]{0,2}(는|은|가|이|は|が|是|为|為|:|：|＝|=|→|\|){0,2}[ \t]{0,2}["'`「『“]?([!-&(-;=?-_a-~]{6,128})/y;
const EAST_ASIAN =
  /비밀번호|비번|암호|패스워드|パスワード|暗証番号|密码|密碼|口令|토큰|시크릿|인증\s?키|API\s?키|키|トークン|シークレット|秘密鍵|APIキー|密钥|密鑰|令牌|秘钥/g;
const WIDE_SIGN = /(?:password|passwd|token|secret|api[ _-]?key)(?=[ \t]{0,2}[：＝])/gi;
const EAST_ASIAN_PASSWORD = /^(?:passw|비|암호|패스|パス|暗証|密码|密碼|口令)/i;

/** Secrets announced in Korean, Japanese or Chinese. The text must contain such letters. */
export function findEastAsian(text: string): readonly Span[] {
  const names = [EAST_ASIAN, WIDE_SIGN].flatMap((pattern) => Array.from(text.matchAll(pattern)));
  return names.flatMap((name): readonly Span[] => {
    const [, sign, raw = ""] = matchAt(COPULA, text, name.index + name[0].length) ?? [];
    const vouch = EAST_ASIAN_PASSWORD.test(name[0]) ? "password" : "token";
    const setting = sign === undefined ? "amid" : "alone";
    const found = raw === "" ? null : judgeSpoken(raw, COPULA.lastIndex - raw.length, vouch, setting);
    return found === null ? [] : [found];
  });
}

/** All words and signs that can announce a secret to one of the finders, plus a few more. */
const ANNOUNCING = new RegExp(
  [
    ...[NOUN, EAST_ASIAN].map(({ source }) => source),
    announcingParts,
    "schlüssel|cookie|-b[ \\t=][\"']|sess(?:ion)?id|connect\\.sid|laravel_session|login|mysql|mongo|redis|valkey|BEGIN |A[KS]IA",
  ].join("|"),
  "i",
);

/** A quick test: if it fails, the text contains no secrets other than tokens recognized by their form. */
export function mayAnnounce(text: string): boolean {
  return ANNOUNCING.test(text);
}
