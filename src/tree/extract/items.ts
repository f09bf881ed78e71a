import { detached } from "../../base/lines.ts";
import { listMark } from "../../base/markdown.ts";
import type { Progress, Role, SourceSection } from "../../base/passage.ts";
import { isEphemeral, type KeptLine } from "../../text/extract/noise.ts";

/** One list item with its continuation lines, or one paragraph: what it is, and what it says without its marks and key. */
export interface Item {
  readonly number: number;
  readonly to: number;
  readonly role: Role;
  readonly text: string;
  readonly weight: number;
  /** The lines it was read from. */
  readonly parts: readonly KeptLine[];
  /** How it stands to the one before: below a heading of its own, behind a blank line, in the same list or below it. */
  readonly begins: "title" | "block" | "item" | "nested";
  /** The heading of level 3 or more above it, when that names something. */
  readonly title: string;
  /** Whether a key or a check box says its role. */
  readonly keyed: "keyed" | "free";
}

const key = String.raw`^\s*${listMark}?(?:\*\*)?([\p{L}][\p{L}\p{N} _-]{0,24}?)(?:\*\*)?\s*[:：]\s*(?:\*\*\s*)?`;
const keyed = new RegExp(String.raw`${key}(\S.*)$`, "su");
const bareKey = new RegExp(`${key}$`, "u");
const boxed = /^\s*(?:[-*+]|\d{1,9}[.)])\s+\[([ xX])\]\s+(.*)$/u;
const itemStart = new RegExp(String.raw`^\s*${listMark}`, "u");
const roleOfKey: readonly (readonly [RegExp, Role])[] = [
  [/^(?:(?:key )?decisions?|decided|chose|결정(?: ?사항)?|決定(?:事項)?|决定|决策)$/iu, "decision"],
  [
    /^(?:outcomes?|results?|status|done|completed|(?:tasks )?completed|결과|상태|완료|結果|状態|完了|状态|结果|已完成)$/iu,
    "done",
  ],
  [/^(?:lessons?(?: learned)?|learned|insights?|교훈|教訓|学び|教训|经验)$/iu, "lesson"],
  [
    /^(?:open(?: items?| questions?)?|to-?do|next(?: steps?)?|pending|questions?|blocked|미해결|할 ?일|다음|未解決|課題|宿題|待办|未解决)$/iu,
    "open",
  ],
];

/** Keys come again and again; forgetting them changes no result. */
const mostKeys = 2_000;
const roles = new Map<string, Role | undefined>();

function roleNamed(key: string): Role | undefined {
  const found = roles.get(key);
  if (found !== undefined || roles.has(key)) return found;
  const own = detached(key);
  const role = roleOfKey.find(([pattern]) => pattern.test(own.trim()))?.[1];
  if (roles.size >= mostKeys) roles.clear();
  roles.set(own, role);
  return role;
}

/** What a sentence of a free note does, by the words that say so. */
const roleOfWords: readonly (readonly [RegExp, Role])[] = [
  [
    /\b(?:we|I|team|they|everybody|everyone|all)(?:['’]ve| have| finally| then)* (?:decided|agreed|chose|settled on|opted)\b|^(?:decided|agreed|chose|going with)\b|결정했|결정함|하기로 ?(?:했|함|하였|결정|한다|합의)|ことにした|ことにします|ことになった|ことに決|に決定|に決め|决定/iu,
    "decision",
  ],
  [/^(?:lessons?|learned|TIL)\b|교훈|배웠다|教訓|学んだ|教训/iu, "lesson"],
  [
    /^(?:todo|to do|next step|open question)s?\b|\bTODO\b|^(?:need|have) to\b|해야 ?(?:한다|함|할|합니다)|しなければ|要対応|待办/iu,
    "open",
  ],
];

/** The items of a section, with their roles; items below a bare `- open:` or a heading such as `### Open items` have its role. */
export function itemsIn(section: SourceSection, kept: readonly KeptLine[]): readonly Item[] {
  const items: Item[] = [];
  let group: { readonly indent: number; readonly role: Role } | undefined;
  let title: string | undefined;
  let below: Role | undefined;
  for (const raw of rawItemsOf(kept)) {
    const heading = raw.text.includes("#") ? headingOf(raw.text) : undefined;
    if (heading !== undefined) {
      below = roleNamed(heading.replace(/[:：]$/u, ""));
      title = below === undefined ? heading : title;
      group = undefined;
      continue;
    }
    const indent = indentOf(raw.text);
    if (group !== undefined && (indent <= group.indent || !isItem(raw.text))) group = undefined;
    const bare = /[:：](?:\*\*)?\s*$/u.test(raw.text) ? bareKey.exec(raw.text) : null;
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
    items.push({
      number: raw.number,
      to: raw.to,
      role: given ?? own.role,
      text: own.text,
      weight: given === undefined ? own.weight : 2.5,
      parts: raw.parts,
      begins,
      title: title ?? "",
      keyed: given === undefined ? own.keyed : "keyed",
    });
  }
  return items;
}

/** The text of a heading without its marks. */
function headingOf(text: string): string | undefined {
  const marks = /^\s*#{1,6}(?=\s)/u.exec(text)?.[0];
  if (marks === undefined) return undefined;
  let end = text.length;
  while (end > marks.length && text[end - 1] === "#") end -= 1;
  return text.slice(marks.length, end).trim();
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
  const match = /[:：]/u.test(text) ? keyed.exec(text) : null;
  const named = match === null ? undefined : roleNamed(match[1] ?? "");
  const role = named === "done" ? doneOrNot(match?.[1] ?? "", match?.[2] ?? "") : named;
  if (role !== undefined)
    return { role, text: match?.[2] ?? "", weight: role === "decision" ? 3 : 2.5, keyed: "keyed" };
  const said = text.replace(itemStart, "");
  const told = roleTold(said);
  if (told !== undefined && section.type !== "reference")
    return { role: told, text: said, weight: told === "decision" ? 2.5 : 2, keyed: "free" };
  return { role: "note", text: said, weight: section.type === "reference" ? 2 : 1, keyed: "free" };
}

/** What is denied or planned is open; a status that says nothing of the end is only a note. */
function doneOrNot(key: string, said: string): Role {
  if (saysUnfinished(said)) return "open";
  return /^(?:status|상태|状態|状态)$/iu.test(key.trim()) && !saysFinished(said) ? "note" : "done";
}

/** Texts without any of this tell no role: the words that say one; the signs of other scripts. */
const mayTellRole =
  /^(?:done|shipped|merged|fixed|finished|completed|released|deployed|decided|agreed|chose|going|lesson|learned|til|to ?do|next|open|need|have)|[^\x00-\x7f]|decided|agreed|chose|settled|opted|todo/i;

/** The role of a short free text. A long one is told by its sentences. */
export function roleTold(said: string): Role | undefined {
  if (said.length > 220 || !mayTellRole.test(said)) return undefined;
  if (/^(?:done|shipped|merged|fixed|finished|completed|released|deployed)\b/iu.test(said)) return "done";
  if (/(?:완료(?:했|함|됨|되었|했습니다)?|完了(?:した|しました)?|完成了?)[.。!！]?$/u.test(said) && saysFinished(said))
    return "done";
  return roleOfWords.find(([pattern]) => pattern.test(said))?.[1];
}

type RawItem = Pick<Item, "number" | "to" | "text" | "parts">;

/** A paragraph goes on in a new item after so many characters. */
const longestItem = 8_000;

/** List items with their continuation lines, paragraphs and headings. */
function rawItemsOf(lines: readonly KeptLine[]): readonly RawItem[] {
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

/** A rule between parts, or the line below the head of a table. */
function isRule(text: string): boolean {
  return /^[\s:|-]+$/u.test(text) || /^[-*_]{3,}$/u.test(text.trim());
}

/** The list items and paragraphs without those that carry an ephemeral marker. */
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

/** `Decision: …` at the beginning of a line. */
function opensRole(text: string): boolean {
  const key = /[:：]/u.test(text)
    ? /^\s*(?:\*\*)?([\p{L}][\p{L} ]{0,24}?)(?:\*\*)?\s*[:：]/u.exec(text)?.[1]
    : undefined;
  return key !== undefined && roleNamed(key) !== undefined;
}

function isItem(text: string): boolean {
  return itemStart.test(text);
}

/** The words that say that a piece of work is finished; the list stands in this one place. */
const finished = /(?<![\p{L}\p{N}-])(?:completed|done|shipped|closed|merged)(?![\p{L}\p{N}-])|완료|完成|完了/iu;

/** What stands before such a word when it is denied, planned, asked for or a part only, within the clause. */
const unfinishedBefore =
  /(?:\b(?:not|never|no|nothing|none|nobody|cannot|\w+n['’]?t|un|yet|to be|be|will|would|shall|should|must|may|might|could|can|going to|needs?|almost|nearly|half|partly|partially|mostly|until|till|once|when|if|before|unless|after|waiting|plan\w*|expect\w*|scheduled|aims?|hopes?|tomorrow|ready)\b|\d\s?%|\d\s?(?:of|\/)\s?\d+)[^.;,]*$|미$|안\s?$|못\s?$|아직.*$|곧.*$|내일.*$|未$|没有?$|沒有?$|尚未$|还没.*$|待$|将.*$|将要.*$|即将.*$|计划.*$|預計.*$|预计.*$|まだ.*$/iu;

/** What stands behind such a word when it is denied, planned or asked for. */
const unfinishedAfter =
  /^(?:\s*[?？]|\s+(?:tomorrow|soon|next|later|when|once|if)\b|\s*(?:되지|하지|되면|하면|될|할|해야|예정|전|못|안|필요|후|률|율|까지|목표|를? 목표|도 )|\s*(?:して(?:い)?(?:な|ませ)|しな|しませ|せず|できな|ではな|の?予定|待ち|前|したら|すれば|する(?:予定|まで)|見込|率|度|时|後に|后|之后|以后|计划|目标))/iu;

/** Whether a text says that something is finished: no part of it that names the end denies it, or plans it. */
export function saysFinished(text: string): boolean {
  const said = verdictsIn(text);
  return said.length > 0 && said.every((verdict) => verdict === "finished");
}

/** Whether a text says that something is not finished, or only planned. */
export function saysUnfinished(text: string): boolean {
  return verdictsIn(text).includes("unfinished");
}

/** Characters around such a word that are looked at. */
const near = 80;

/** What each clause that names the end says of it. */
function verdictsIn(text: string): readonly ("finished" | "unfinished")[] {
  if (!finished.test(text)) return [];
  return text.split(/[.;,。；，、](?!\d)|\s[–—-]\s|\bbut\b/iu).flatMap((clause) => {
    const match = finished.exec(clause);
    if (match === null) return [];
    const after = clause.slice(match.index + match[0].length).slice(0, near);
    return unfinishedBefore.test(clause.slice(Math.max(0, match.index - near), match.index)) ||
      unfinishedAfter.test(after)
      ? ["unfinished"]
      : ["finished"];
  });
}

/** What an entry says of its topic: an outcome or status line or the heading with a word for finished, or all check boxes ticked. */
export function progressOf(heading: string, lines: readonly string[]): Progress {
  const verdicts = lines.filter(
    (line) =>
      /[:：]/u.test(line) &&
      /^\s*(?:(?:[-*+]|\d{1,9}[.)])\s)?\s*\**(?:outcome|status|result|상태|결과|状態|状态|結果|结果)\**\s*[:：]/iu.test(
        line,
      ),
  );
  if (verdicts.length > 0) return verdicts.some(saysFinished) ? "done" : "active";
  if (saysFinished(heading)) return "done";
  const boxes = lines.filter((line) => line.includes("[") && /^\s*(?:[-*+]|\d{1,9}[.)])\s+\[[ xX]\]/u.test(line));
  return boxes.length > 0 && boxes.every((line) => /^[^[]*\[[xX]\]/u.test(line)) ? "done" : "active";
}
