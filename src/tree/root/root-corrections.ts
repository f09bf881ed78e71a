/** A statement that says itself what it corrects. */
export interface Correction {
  readonly now: string;
  readonly was: string;
  /** What the statement says besides. */
  readonly rest: string;
}

/** What a statement says is so now, and what it says was so before: `moved from X to Y`, `now X, not Y`. Undefined when it corrects nothing. */
export function correctionIn(text: string): Correction | undefined {
  for (const { pattern, order } of forms) {
    const match = pattern.exec(text);
    if (match === null) continue;
    const [one, two] = [clean(match.groups?.["a"] ?? ""), clean(match.groups?.["b"] ?? "")];
    const [now, was] = order === "old first" ? [two, one] : [one, two];
    if (now === "" || was === "" || time.test(was)) continue;
    const before = subjectOf(match.groups?.["subject"] ?? "");
    const rest = restOf(text.slice(0, match.index), text.slice(match.index + match[0].length));
    return { now: before === "" ? now : `${before} ${now}`, was, rest };
  }
  return undefined;
}

/** Since when something is so is not what it was before: `６月から大阪に移った`. */
const time =
  /^(?:[\d０-９一二三四五六七八九十]+(?:年|月|日|時|週間?|か月|ヶ月|시|월|일|년)(?:度|末|初め|頃)?|今[日月週年朝]|昨[日年]|先[日月週]|来[月週年]|去年|春|夏|秋|冬|最近|(?:yester|to)day|(?:this|last|next) \p{L}+|\d{4})$/iu;

/** What stands around a correction. A run without spaces ends with the verb's own ending, which says nothing by itself. */
function restOf(before: string, after: string): string {
  const own = after.replace(/^[\p{Script=Hiragana}\p{Script=Hangul}了]+/u, "").trim();
  const who = before.trim().replace(/^(?:저는|나는|제가|내가|私は|僕は|我们?|I|we|the user|user)$/iu, "");
  return [who, own].filter((part) => /[\p{L}\p{N}]/u.test(part)).join("; ");
}

/** What stands before a verb of change, where it says who or what changed. A verb alone says nothing that the new value does not. */
function subjectOf(text: string): string {
  const subject = text.trim();
  if (/^(?:.*\s)?(?:moved|relocated)$/iu.test(subject)) return `${subject} to`;
  const who = subject
    .replace(
      /\s*\b(?:has|have|was|were|is|are)?\s*(?:changed|switched|migrated|renamed|went|transferred|updated|corrected)$/iu,
      "",
    )
    .trim();
  return /^(?:I|we|he|she|they|it|the user|user|now)?$/iu.test(who) ? "" : who;
}

const end = String.raw`(?=$|[.;,!?。！？、，；(（]|\s(?:in|on|since|because|for|as|last|this|after|when)\s)`;
const value = String.raw`[^,;。、，；]{1,60}?`;

const forms: readonly { readonly pattern: RegExp; readonly order: "old first" | "new first" }[] = [
  {
    order: "old first",
    pattern: new RegExp(
      `(?<subject>[^,;.]{0,60}?\\b(?:moved|changed|switched|migrated|renamed|relocated|went|transferred|updated|corrected))(?: over| back)? from (?<a>${value}) to (?<b>${value})${end}`,
      "iu",
    ),
  },
  {
    order: "new first",
    pattern: new RegExp(`^(?<a>${value}) now,? (?:and )?(?:not|no longer|no more) (?<b>${value})${end}`, "iu"),
  },
  {
    order: "new first",
    pattern: new RegExp(
      `(?:^|\\b)(?:is )?now (?<a>${value}),? (?:and )?(?:not|no longer|no more) (?<b>${value})${end}`,
      "iu",
    ),
  },
  {
    order: "new first",
    pattern: new RegExp(
      `^(?<a>${value}),? (?:and )?(?:not|no longer|no more) (?<b>${value}) any ?(?:more|longer)${end}`,
      "iu",
    ),
  },
  {
    order: "old first",
    pattern: /(?<a>[^\s,。、]{1,30})から(?<b>[^\s,。、]{1,30}?)(?:に|へ)(?:引っ越|引越|移|変更|変わ|切り替|転)/u,
  },
  { order: "old first", pattern: /(?<a>[^\s,。、]{1,30})(?:ではなく|じゃなく)て?、?(?<b>[^。、]{1,40})/u },
  {
    order: "old first",
    pattern: /(?<a>[^\s,.]{1,30})에서 (?<b>[^\s,.]{1,30}?)(?:으로|로) (?:이사|이동|변경|바꾸|바꿨|옮|전환)/u,
  },
  { order: "old first", pattern: /(?<a>[^\s,.]{1,30}?)(?:이|가) 아니라 (?<b>[^,.]{1,40})/u },
  {
    order: "old first",
    pattern: /从(?<a>[^\s,，。]{1,30}?)(?:搬到|改为|改成|换到|换成|移到|转到)了?(?<b>[^\s,，。]{1,30})/u,
  },
  { order: "old first", pattern: /不是(?<a>[^\s,，。]{1,30})[,，]?而是(?<b>[^,，。]{1,40})/u },
];

function clean(text: string): string {
  return text
    .trim()
    .replace(/^(?:the|a|an|my|our)\s+/iu, "")
    .replace(/(?:です|だ|である|입니다|이다|예요|이에요)$/u, "")
    .replace(/^(?:私は|僕は|저는\s|나는\s|我)/u, "")
    .trim();
}
