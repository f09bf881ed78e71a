import { wordKeys, wordKeysInOrder } from "../../text/word-keys.ts";

/** What a line says of a thing, in a form in which two lines can be compared. */
export interface Claim {
  /** Lines of the same key speak of the same thing. */
  readonly key: string;
  /** Lines of the same kind have values that can stand for one another. */
  readonly kind: string;
  /** Compared. */
  readonly value: string;
  /** Shown. */
  readonly said: string;
  /** Whether the key means the same everywhere, or only below the same heading. */
  readonly holds: "everywhere" | "below its heading";
}

/** Labels under which entry after entry says something else. */
const labels = new Set(
  `decision decisions note notes rule why how how-to-apply next todo todos done open outcome result results summary lesson lessons question questions answer example
examples source see link links url urls date time when where who what reason because problem cause fix fixed bug error errors idea ideas keywords topics topic tags user assistant human ai system
agent me you action actions item items step steps update updates progress plan goal today tomorrow yesterday ps tip tips warning important info detail details comment quote title
결정 이유 메모 다음 할일 결과 요약 질문 답변 예 참고 決定 理由 メモ 次 結果 質問 回答 例 参考 决定 原因 笔记 备注 下一步 结果 总结 问题 回答 例子`
    .split(/\s+/u)
    .filter((word) => word !== ""),
);

/** Nouns that have one value at a time. */
const attribute =
  /\b(?:name|e-?mail|address|phone|number|job|role|title|employer|company|boss|manager|time ?zone|birthday|deadline|budget|goal|target|limit|version|branch|port|host|region|database|editor|language|framework|salary|rent|price|rate|weight|height|size|age|score|record|personal best|favou?rite [^\s.,;:!?()]+|preferred [^\s.,;:!?()]+|default [^\s.,;:!?()]+)$/i;
const copula = /^(.{3,60}?) (?:is|are) (?:now |currently |still |set to )?(.{1,60})$/i;
/** A state that has one figure at a time; an event has as many as there were events. */
const state =
  /\b(?:is|are|has|have|costs?|takes?|uses?|allows?|expects?|needs?|requires?|weighs?|holds?|supports?|serves?|limits?|lasts?|own|owns|earns?|pays?|runs on)\b|(?:입니다|이다|です|である|是|有)/i;
const eventWord =
  /\b(?:today|yesterday|tonight|tomorrow|this (?:morning|week|month|evening|afternoon)|last|just|ago|next|another|more)\b|오늘|어제|今日|昨日|今天|昨天/i;
/** A figure behind one of these names a thing; it is no value. */
const nameBefore =
  /(?:#|\b(?:no\.?|number|issue|pr|ticket|chapter|step|episode|day|week|phase|part|item|section|lines?|room|pages?|page|season|volume|vol|level|lesson|sprint|q|v|version|task|test|case|table|figure|fig|question|option|plan|round|stage|team|group|act|scene|highway|route|exit|gate|apartment|apt|unit|suite))\s*$/i;
const figure = /[-+]?[$€£¥₩]?\d+(?:[.,:/]\d+)*(?:%|k|m|gb|mb|ms|s|h|km|kg|lbs?)?(?![\p{L}\p{N}])/giu;

/** What a line has that claims anything, quickly told. */
const mayClaim = /[:：=\d]|\b(?:my|our|the) .+ (?:is|are) /i;

/** What one line claims; a list mark and the mark of a speaker at its beginning are left away. */
export function claimsIn(line: string): readonly Claim[] {
  if (!mayClaim.test(line)) return [];
  const text = line
    .replace(/^\s*(?:[-*+•]\s+|\d{1,3}[.)]\s+)?(?:\[[ x]\]\s+)?/u, "")
    .replaceAll("**", "")
    .trim();
  if (text.length < 4 || text.length > 300 || /[?？]\s*$/u.test(text)) return [];
  return [...keyedClaim(text), ...saidClaim(text), ...figureClaim(text)];
}

/** `key: value`. */
function keyedClaim(text: string): readonly Claim[] {
  if (!/[:：=]/.test(text)) return [];
  const match = /^([^:：=]{2,48}?)\s*(?:[:：]\s+|：|\s=\s)(\S.{0,79})$/u.exec(text);
  const [, name = "", said = ""] = match ?? [];
  const words = [...wordKeys(name)];
  if (match === null || words.length === 0 || words.length > 5 || /[.!?。,]/u.test(name)) return [];
  if (labels.has(name.toLowerCase().trim()) || said.split(/\s+/u).length > 9) return [];
  const value = valueOf(said);
  return [
    { key: `: ${words.toSorted().join(" ")}`, kind: "keyed", value, said: trimmed(said), holds: "below its heading" },
  ];
}

/** `my favourite colour is green`. */
function saidClaim(text: string): readonly Claim[] {
  if (!/\b(?:my|our|the) .+ (?:is|are) /i.test(text)) return [];
  const sentence = text.replace(/^(?:oh,? |well,? |by the way,? |and |so |also,? )+/i, "").replace(/[.!]$/u, "");
  const [, subject = "", said = ""] = copula.exec(sentence) ?? [];
  const [, whose = "", noun = ""] = /^(my|our|the) (.+)$/i.exec(subject) ?? [];
  if (!attribute.test(noun) || noun.split(" ").length > 5 || /[,;]/u.test(said) || said.split(/\s+/u).length > 6)
    return [];
  if (/^(?:not|a|an|to|in|very|too|so|quite|really|important|due|on|one of|also|something|\w+ing\b)/i.test(said))
    return [];
  const own = whose.toLowerCase() === "the" ? "below its heading" : "everywhere";
  return [
    {
      key: `is ${[...wordKeys(noun)].toSorted().join(" ")}`,
      kind: "said",
      value: valueOf(said),
      said: trimmed(said),
      holds: own,
    },
  ];
}

/** The same sentence with another figure. */
function figureClaim(text: string): readonly Claim[] {
  if (!/\d/u.test(text)) return [];
  const begin = state.exec(text);
  if (begin === null || eventWord.test(text)) return [];
  const figures = [...text.matchAll(figure)].filter(({ index }) => !nameBefore.test(text.slice(0, index)));
  const last = figures[0];
  if (last === undefined || figures.length !== 1 || last.index < begin.index) return [];
  const bare = `${text.slice(0, last.index)} ${text.slice(last.index + last[0].length)}`;
  const words = wordKeysInOrder(bare);
  if (words.length < 3 || words.length > 16) return [];
  return [
    { key: `# ${words.join(" ")}`, kind: "figure", value: last[0].toLowerCase(), said: last[0], holds: "everywhere" },
  ];
}

function valueOf(said: string): string {
  const words = [...wordKeys(said)];
  return words.length === 0 ? said.toLowerCase().trim() : words.toSorted().join(" ");
}

/** A value without the reason behind it. */
function trimmed(said: string): string {
  const head =
    /^.+?(?=\s*(?:,|;|。|，|、| — | – | - | \(|\s(?:because|since|as|so that|which|after|for)\s))/i.exec(said)?.[0] ??
    said;
  return head.replace(/[.;,。]+$/u, "").trim();
}
