import { once } from "../../base/lines.ts";
import { listMark, parseHeading } from "../../base/markdown.ts";
import type { Progress, Role, SourceSection } from "../../base/passage.ts";
import { isOpenEnded, isWholeDone, verdictAtEnd, verdictOf, roleNamed } from "../../text/extract/verdict.ts";
import { isEphemeral, type KeptLine } from "../../text/extract/noise.ts";

/** One list item with its continuation lines, or one paragraph. */
export interface Item {
  readonly number: number;
  readonly to: number;
  readonly role: Role;
  readonly text: string;
  readonly weight: number;
  /** The source lines. */
  readonly parts: readonly KeptLine[];
  /** Where it starts: after a new heading, after a blank line, in the same list, or nested. */
  readonly begins: "title" | "block" | "item" | "nested";
  /** The last heading of level 3 or deeper above it that does not name a role. */
  readonly title: string;
  /** Whether a key or a check box states its role. */
  readonly keyed: "keyed" | "free";
}

const key = String.raw`^\s*${listMark}?(?:\*\*|[*_])?([\p{L}][\p{L}\p{N} _-]{0,24}?)(?:\*\*|[*_])?\s*[:：]\s*(?:\*\*\s*)?`;
const keyed = once(() => new RegExp(String.raw`${key}(\S.*)$`, "su"));
const bareKey = once(() => new RegExp(`${key}$`, "u"));
const boxed = /^\s*(?:[-*+]|\d{1,9}[.)])\s+\[([ xX])\]\s+(.*)$/u;
const itemStart = once(() => new RegExp(String.raw`^\s*${listMark}`, "u"));
/** Roles that a note states in words, without a key. Excludes conditionals. */
const roleOfWords = once((): readonly (readonly [RegExp, Role])[] => [
  [
    /^(?!.*(?:[?？]|\b(?:if|when|until|before|whether|unless|had|would)\b[^.]*\b(?:decided|agreed|chose|settled|opted)\b))(?:.*\b(?:we|I|team|they|everybody|everyone|all)(?:['’]ve| have| finally| then)* (?:decided|agreed|chose|settled on|opted)\b|(?:decided|agreed|chose|going with)\b)|결정했|결정함|하기로 ?(?:했|함|하였|결정|합의)|ことにした|ことにします|ことになった|ことに決|に決定|に決め|决定(?:了|：|:)/iu,
    "decision",
  ],
  [/^(?:lessons?(?: learned)?|learned|TIL)\s*[:：]|^(?:교훈|教訓|教训)\s*[:：]/iu, "lesson"],
  [/^(?:todo|to do|next steps?|open questions?|待办|要対応)\s*[:：]|\bTODO:/iu, "open"],
]);

/**
 * The items in a section with their roles. Items below a bare `- open:` or a heading such as `### Open items` get that
 * role.
 */
export function itemsIn(section: SourceSection, kept: readonly KeptLine[]): readonly Item[] {
  const items: Item[] = [];
  let group: { readonly indent: number; readonly role: Role | "verdict" } | undefined;
  let title: string | undefined;
  let below: Role | "verdict" | undefined;
  for (const raw of rawItemsOf(kept)) {
    const heading = parseHeading(raw.text.trimStart())?.text;
    if (heading !== undefined) {
      below = roleNamed(heading.replace(/[:：]$/u, ""));
      title = below === undefined ? heading : title;
      group = undefined;
      continue;
    }
    const indent = indentOf(raw.text);
    if (group !== undefined && (indent <= group.indent || !isItem(raw.text))) group = undefined;
    const bare = /[:：](?:\*\*)?\s*$/u.test(raw.text) ? bareKey().exec(raw.text) : null;
    if (bare !== null) {
      const opened = roleNamed(bare[1] ?? "");
      group = opened === undefined ? group : { indent: isItem(raw.text) ? indent : -1, role: opened };
      continue;
    }
    const own = roleOf(section, raw.text);
    const above = group?.role ?? below;
    const given = above !== undefined && own.keyed === "free" ? above : undefined;
    const last = items.at(-1);
    const begins = (title ?? "") !== (last?.title ?? "") ? "title" : placeOf(raw, last);
    const role = given === undefined || denied.test(own.text) ? own.role : roleBy(given, own.text);
    for (const text of role === "open" ? separateItems(own.text) : [own.text])
      items.push({
        number: raw.number,
        to: raw.to,
        role,
        text,
        weight: given === undefined ? own.weight : 2.5,
        parts: raw.parts,
        begins,
        title: title ?? "",
        keyed: given === undefined ? own.keyed : "keyed",
      });
  }
  return items;
}

/**
 * Splits `open: ask the organist; print posters; rent 40 chairs`, because the parts may be completed separately. Does
 * not split two parts: the second may be a remark on the first.
 */
function separateItems(text: string): readonly string[] {
  const parts = text.split(/[;；]\s*(?=\S)/u);
  return parts.length > 2 && parts.every(isClosed) ? parts : [text];
}

/** Whether every bracket and quotation in the text is closed. */
function isClosed(text: string): boolean {
  const count = (signs: RegExp): number => text.match(signs)?.length ?? 0;
  return count(/[([{（［「『“«]/gu) === count(/[)\]}）］」』”»]/gu) && count(/["`]/gu) % 2 === 0;
}

const attempt =
  /^(?:(?:attempt|try|tried|versuch|essai|intento|tentativa|tentativo|попытка|시도|試行|尝试)(?: ?#?\d+)?\s*[:：]|tried\b(?=.*(?:\bstill\b|n['’]t\b|\bno (?:effect|luck|change|difference)\b|\bfail)))/iu;
const solution =
  /^\s*(?:[-*+]\s+)?(?:\*\*)?(?:fix(?:ed)?|(?:final )?(?:solution|fix)|solved|root cause|lösung|gelöst|solution|solución|solução|soluzione|решение|해결(?:책)?|解決(?:策)?|解决(?:方案)?)(?:\*\*)?\s*[:：]/iu;

/** Drops debugging attempts that come before their solution. */
export function withoutAttempts(items: readonly Item[]): readonly Item[] {
  const solved = items.findLastIndex(({ parts }) => solution.test(parts[0]?.text ?? ""));
  return items.filter(({ role, text }, at) => at >= solved || role !== "note" || !attempt.test(text));
}

function placeOf(raw: { readonly number: number; readonly text: string }, last: Item | undefined): Item["begins"] {
  if (last === undefined || raw.number > last.to + 1 || !isItem(raw.text)) return "block";
  return indentOf(raw.text) >= 2 ? "nested" : "item";
}

function indentOf(text: string): number {
  const code = text.charCodeAt(0);
  return code > 32 && code < 127 ? 0 : text.search(/\S/u);
}

function roleOf(section: SourceSection, text: string): Pick<Item, "role" | "text" | "weight" | "keyed"> {
  const box = !text.includes("[") ? null : boxed.exec(text);
  if (box !== null) return { role: box[1] === " " ? "open" : "done", text: box[2] ?? "", weight: 2, keyed: "keyed" };
  const match = /[:：]/u.test(text) ? keyed().exec(text) : null;
  const [, name = "", value = ""] = match ?? [];
  const named = match === null ? undefined : roleNamed(name);
  const isState = named !== undefined && !["open", "decision", "lesson"].includes(named);
  if (isState && denied.test(value))
    return { role: "note", text: text.replace(itemStart(), ""), weight: 1, keyed: "keyed" };
  if (named !== undefined) {
    const role = roleBy(named, value);
    // Keep a key that the text makes no sense without, and a status key: a status is valid only until the next one.
    const told = role === "blocked" || role === "failed" || role === "abandoned";
    const said = (told && named === role) || statusKey.test(name) ? text.replace(itemStart(), "") : value;
    return { role, text: said, weight: role === "decision" ? 3 : role === "note" ? 1 : 2.5, keyed: "keyed" };
  }
  const said = text.replace(itemStart(), "");
  const told = roleTold(said);
  if (told !== undefined && section.type !== "reference")
    return { role: told, text: said, weight: told === "decision" ? 2.5 : 2, keyed: "free" };
  return { role: "note", text: said, weight: section.type === "reference" ? 2 : 1, keyed: "free" };
}

/** Whether a text is a status, which is valid only until a later outcome. */
export function isStatus(text: string): boolean {
  const [, key = ""] = /^([\p{L}]+)\s*[:：]/u.exec(text) ?? [];
  return statusKey.test(key);
}

const statusKey = /^(?:status|state|estado|état|statut|stato|stan|статус|durum|상태|状態|状态)$/iu;
/** A value that negates its key: `blocked: none`, `failed: 0 of 312 tests`, `finished: no`. */
const denied =
  /^(?:no(?:ne|thing|body|t yet|t any ?more| longer)?|never|nil|n\/a|0(?! ?[.,%]?\d)(?:\s+(?:of|von|de|из)\b.*)?|-+|—|keine?[nrs]?|nichts|nein|nicht mehr|noch nicht|rien|non|aucune?|pas encore|plus rien|nada|ninguno|todavía no|niente|nessuno|non ancora|não|nenhum|ainda não|brak|nie|jeszcze nie|нет|никогда|ещё нет|없음|아니오|なし|無し|いいえ|无|沒有|没有|否)(?:[.。!,;].*)?$/iu;

/**
 * The role of a text with a key. An outcome or status counts as, say, `done` or `failed` only if it says so explicitly.
 * An open item that says it is done is not open.
 */
function roleBy(key: Role | "verdict", said: string): Role {
  if (key === "verdict") return verdictOf(said) ?? "outcome";
  if (key === "open" && (denied.test(said.trim()) || verdictOf(said) === "done")) return "note";
  return key === "done" && isOpenEnded(said) ? "outcome" : key;
}

/** A quick check: a text without any of these states no role. */
const mayTellRole =
  /^(?:done|shipped|merged|completed|finished|released|deployed|decided|agreed|chose|going|lesson|learned|til|to ?do|next|open)|[^\x00-\x7f]|decided|agreed|chose|settled|opted|todo/i;

/**
 * The role that a short text without a key states. `undefined` for long texts, which are checked sentence by sentence.
 */
export function roleTold(said: string): Role | undefined {
  if (said.length > 220 || !mayTellRole.test(said)) return undefined;
  if (
    /^(?:(?:done|shipped|merged|completed|finished|released|deployed)(?:[.!]?$|\s*[:：]|\s+(?:the|an?|to|in|into|PR|#|v?\d))|✅|✔)|(?:완료(?:했|함|됨|되었|했습니다)?|完了(?:した|しました)?|完成了?)[.。!！]?$/iu.test(
      said,
    )
  )
    return verdictOf(said) === "done" ? "done" : undefined;
  return roleOfWords().find(([pattern]) => pattern.test(said))?.[1];
}

type RawItem = Pick<Item, "number" | "to" | "text" | "parts">;

/** A longer paragraph continues as a new item. */
const longestItem = 8_000;

export function rawItemsOf(lines: readonly KeptLine[]): readonly RawItem[] {
  const items: { number: number; to: number; text: string; parts: KeptLine[] }[] = [];
  let last = -1;
  let first = "";
  let length = 0;
  for (const line of lines) {
    const open = items.at(-1);
    const continues =
      open !== undefined &&
      line.number === last + 1 &&
      !isItem(line.text) &&
      !line.text.startsWith("#") &&
      !opensRole(line.text) &&
      !endsHere(first, line.text) &&
      !first.startsWith("#") &&
      (/^\s/u.test(line.text) || !isItem(first));
    if (continues && length < longestItem) {
      open.text += ` ${line.text.trim()}`;
      open.parts.push(line);
      open.to = line.to;
      length += line.text.length;
    } else if (!isRule(line.text)) {
      items.push({ number: line.number, to: line.to, text: line.text, parts: [line] });
      first = line.text;
      length = line.text.length;
    }
    last = line.to;
  }
  return items;
}

/**
 * An unwrapped line with a key ends where the next line starts a new sentence: `TODO: buy stamps`, `Ben has the key.`
 */
function endsHere(first: string, next: string): boolean {
  return first.length < shortLine && /^[\p{Lu}\p{Extended_Pictographic}]/u.test(next) && opensRole(first);
}

/** In characters. Wrapped lines are longer. */
const shortLine = 60;

/** A horizontal rule, or the line below a table header. */
function isRule(text: string): boolean {
  return /^[\s:|-]+$/u.test(text) || /^[-*_]{3,}$/u.test(text.trim());
}

/** Drops list items and paragraphs with an ephemeral marker. */
export function withoutEphemeral(lines: readonly KeptLine[]): readonly KeptLine[] {
  if (!lines.some((line) => isEphemeral(line.text))) return lines;
  const groups: KeptLine[][] = [];
  for (const line of lines) {
    const last = groups.at(-1)?.at(-1);
    if (last === undefined || isItem(line.text) || line.number > last.to + 1) groups.push([line]);
    else groups.at(-1)?.push(line);
  }
  return groups.filter((group) => !group.some((line) => isEphemeral(line.text))).flat();
}

/** Whether a line starts with a key such as `Decision: …`, or with any bold label. */
export function opensRole(text: string): boolean {
  if (!/[:：]/u.test(text)) return false;
  if (/^\s*\*\*[^*]{1,40}(?:[:：]\*\*|\*\*\s*[:：])/u.test(text)) return true;
  const key = /^\s*(?:\*\*)?([\p{L}][\p{L} ]{0,24}?)(?:\*\*)?\s*[:：]/u.exec(text)?.[1];
  return key !== undefined && roleNamed(key) !== undefined;
}

const dashed = once(
  () =>
    new RegExp(
      String.raw`^(\s*${listMark}?)(?:\*\*([\p{L}][\p{L} ]{1,23})\*\*|(\p{Lu}{3,}(?: \p{Lu}+)?))\s+[–—-]\s+(?=\S)`,
      "u",
    ),
);

/** Parses a bold or capitalized key followed by a dash: `**Open** – the signature` as `Open: the signature`. */
export function withColon(line: KeptLine): KeptLine {
  const [whole = "", start = "", bold, capitals] = dashed().exec(line.text) ?? [];
  const key = (bold ?? capitals ?? "").toLowerCase();
  return key === "" || roleNamed(key) === undefined
    ? line
    : { ...line, text: `${start}${key}: ${line.text.slice(whole.length)}` };
}

function isItem(text: string): boolean {
  return itemStart().test(text);
}

/**
 * An entry is done if nothing in it is open and its last outcome or status says so. If it has no outcome or status, it
 * is done if its heading says so, or if it has at least two check boxes, all ticked, and no other line says that
 * something remains.
 */
export function progressOf(heading: string, lines: readonly string[]): Progress {
  const items = lines.map((line) => keyed().exec(line)).filter((match) => match !== null);
  const said = (role: Role | "verdict"): readonly string[] =>
    items.filter(([, key = ""]) => roleNamed(key) === role).map(([, , value = ""]) => value);
  const boxes = lines.flatMap((line) => boxed.exec(line)?.slice(1, 2) ?? []);
  const isOpen = said("open").some((text) => roleBy("open", text) === "open") || said("blocked").length > 0;
  if (isOpen || boxes.includes(" ")) return "active";
  const verdicts = said("verdict");
  const last = verdicts.at(-1);
  if (last !== undefined) return isWholeDone(last) && verdicts.every(isDoneOrPlain) ? "done" : "active";
  const isTicked = boxes.length > 1 && !lines.some((line) => !boxed.test(line) && isOpenEnded(line));
  return isTicked || isDoneHeading(heading) ? "done" : "active";
}

function isDoneOrPlain(text: string): boolean {
  return ["done", undefined].includes(verdictOf(text)) && !isOpenEnded(text);
}

/** Headings such as `Old importer (done)`, `✅ Move`, `Move completed`. */
function isDoneHeading(heading: string): boolean {
  const said = heading.replace(/\s*\[\w+\]\s*$/u, "").trim();
  if (/^(?:✅|✔|\[x\]\s|(?:DONE|CLOSED)[: ])|[([]\s*(?:done|completed|finished|closed)\s*[)\]]$/iu.test(said))
    return true;
  return verdictAtEnd(said) && !/^(?:get|getting|be|being|how|what|when|well)\b/iu.test(said);
}
