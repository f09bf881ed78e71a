import { announcedValue, nameEndingAt } from "./assignment.ts";
import { isRealPassword } from "./login.ts";
import type { Span } from "./span.ts";

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
    pattern.lastIndex = at + flag.length;
    const match = pattern.exec(text);
    const password = match?.[2] ?? "";
    const isWord = match?.[1] === "" && value === "apart" && /^[a-z]+[.,]?$/.test(password);
    if (match === null || isWord || !isRealPassword(password, "")) continue;
    return { start: pattern.lastIndex - password.length, end: pattern.lastIndex, ...found };
  }
  return null;
}

/** The value of `set -gx NAME value`; `at` is the hyphen. */
export function findSetOption(text: string, at: number): Span | null {
  if (text.charCodeAt(at - 1) !== 0x20 || text[at - 2] !== "t") return null;
  if (!/set[ \t]{1,4}$/.test(text.slice(Math.max(0, at - 8), at))) return null;
  SET_OPTION.lastIndex = at;
  const name = SET_OPTION.exec(text)?.[1];
  return name === undefined ? null : announcedValue(text, name, SET_OPTION.lastIndex);
}

/** The value of `NAME_PASSWORD value`, as in `aws configure set aws_secret_access_key value`; `at` is an underscore. */
export function findNamed(text: string, at: number): Span | null {
  NAME_AND_BLANK.lastIndex = at;
  if (!NAME_AND_BLANK.test(text)) return null;
  const end = NAME_AND_BLANK.lastIndex;
  const name = nameEndingAt(text, end);
  // `proxy_pass` and its like name a place.
  return name === null || name.endsWith("_pass") ? null : announcedValue(text, name, end);
}

const found = { kind: "password", by: "context", part: "first" } as const;
