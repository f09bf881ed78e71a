/** What a run of hidden characters stands between. A neighbour is never hidden itself, and is empty at an end of the text. */
export interface Neighbours {
  readonly before: string;
  readonly after: string;
}

/** The beginning of a run that belongs to ordinary text, and what limits how often it may occur. */
export interface Belonging {
  readonly kept: string;
  readonly bound?: Bound | undefined;
}

/**
 * Hidden characters that a text may have here, or leave out, or exchange for others, can carry a message. Ordinary text has few of them and nearly always the same:
 * at most `most` are kept `within` so many units of text, and at most `changes` that differ from the one before within `span`. From the first that is over a limit to
 * the end of its line all of that bound are shown.
 */
export interface Bound {
  readonly most: number;
  readonly within: number;
  readonly changes: number;
  readonly span: number;
}

const bound = (most: number, within: number, changes = 8, span = 256): Bound => ({ most, within, changes, span });

/** Rows of emoji are as long as anyone likes, and all of one style. */
const style: Bound = bound(Infinity, 1);
/** Four people are joined by three joiners. */
const emojiJoiner: Bound = bound(3, 11);
/** A Japanese name has one or two variants; a selector says five bits, so that 1,024 characters say twenty. */
const ideograph: Bound = bound(4, 32, 4, 1024);
const hieroglyph: Bound = bound(8, 32, 4, 256);
/** `گفت‌و‌گو‌ها` has three. */
const inWord: Bound = bound(3, 8);
const atWordEnd: Bound = bound(3, 8);
const brahmicJoiner: Bound = bound(3, 8);
const wordBreak: Bound = bound(3, 8);
const softHyphen: Bound = bound(3, 8);
const hebrewOrder: Bound = bound(3, 8);
const jamo: Bound = bound(3, 8);
const form: Bound = bound(3, 8);
const mongolianForm: Bound = bound(3, 8);
const mongolianVowel: Bound = bound(3, 8);

const isLetter = (one: string): boolean => /[\p{L}\p{M}]/u.test(one);
const cursive = (): RegExp =>
  /[\p{scx=Arab}\p{scx=Syrc}\p{scx=Mand}\p{scx=Nkoo}\p{scx=Mong}\p{scx=Phag}\p{scx=Adlm}\p{scx=Rohg}]/u;
const brahmic = (): RegExp =>
  /[\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Mymr}\p{scx=Khmr}\p{scx=Java}\p{scx=Bali}\p{scx=Sund}\p{scx=Newa}\p{scx=Tirh}\p{scx=Gran}\p{scx=Brah}\p{scx=Cakm}]/u;
const isCursive = (one: string): boolean => isLetter(one) && cursive().test(one);
const isBrahmic = (one: string): boolean => isLetter(one) && brahmic().test(one);
const isEgyptian = (one: string): boolean => /\p{Script=Egyptian_Hieroglyphs}/u.test(one);
const isMark = (one: string): boolean => /\p{M}/u.test(one);

/**
 * What has standardized variants with U+FE00 to U+FE02, by blocks: mathematical operators, the digit 0, mathematical script letters, Han, fullwidth punctuation,
 * quotation marks, Myanmar, Phags-pa and Manichaean.
 */
const hasForms = (): RegExp =>
  /[0\u2018\u2019\u201c\u201d\u2200-\u22ff\u2a00-\u2aff\u2102-\u2138\u{1d49c}-\u{1d4cf}\u3001\u3002\uff01\uff0c\uff0e\uff1a\uff1b\uff1f\p{Script=Han}\p{Script=Myanmar}\p{Script=Phags_Pa}\p{Script=Manichaean}]/u;
/** Has a text and an emoji style. Digits have one only in a keycap. */
const hasStyles = (): RegExp => /[[\p{Emoji}\p{Extended_Pictographic}]--\p{Emoji_Component}]/v;

interface Rule {
  readonly where: (neighbours: Neighbours) => boolean;
  /** The beginning of a run, or the whole of it with `$`: only what is whole is next to the character after it. */
  readonly kept: RegExp;
  readonly bound?: Bound;
}

const rules: readonly Rule[] = [
  // England, Scotland and Wales: a black flag and tag letters.
  {
    where: ({ before }) => before === "\u{1f3f4}",
    kept: /^\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}/u,
  },
  {
    where: ({ before, after }) =>
      /[\p{Extended_Pictographic}\p{Emoji_Modifier}]/u.test(before) && /\p{Extended_Pictographic}/u.test(after),
    kept: /^\ufe0f?\u200d$/u,
    bound: emojiJoiner,
  },
  {
    where: ({ before, after }) => /[0-9#*]/u.test(before) && after === "\u20e3",
    kept: /^[\ufe0e\ufe0f]$/u,
    bound: style,
  },
  { where: ({ before }) => hasStyles().test(before), kept: /^[\ufe0e\ufe0f]/u, bound: style },
  { where: ({ before }) => hasForms().test(before), kept: /^[\ufe00-\ufe02]/u, bound: form },
  // No ideograph has more than 32 registered variants.
  { where: ({ before }) => /\p{Script=Han}/u.test(before), kept: /^[\u{e0100}-\u{e011f}]/u, bound: ideograph },
  // Turned signs, and how two are put together.
  {
    where: ({ before }) => isEgyptian(before),
    kept: /^(?:[\ufe00-\ufe06]|[\u{13430}-\u{13455}]{1,2})/u,
    bound: hieroglyph,
  },
  {
    where: ({ before, after }) => /\p{Script=Mongolian}/u.test(before) && /[\u1820\u1821]/u.test(after),
    kept: /^\u180e$/u,
    bound: mongolianVowel,
  },
  {
    where: ({ before }) => /\p{Script=Mongolian}/u.test(before),
    kept: /^[\u180b-\u180d\u180f]\u180e?/u,
    bound: mongolianForm,
  },
  // Within a word a joiner would change nothing, and is no part of one.
  { where: ({ before, after }) => isCursive(before) && isLetter(after), kept: /^\u200c$/u, bound: inWord },
  { where: ({ before, after }) => isCursive(before) && !isLetter(after), kept: /^[\u200c\u200d]/u, bound: atWordEnd },
  // Where letters are stacked or kept apart there is a sign of it before or behind.
  {
    where: ({ before, after }) => isBrahmic(before) && (isMark(before) || (isMark(after) && isBrahmic(after))),
    kept: /^[\u200c\u200d]/u,
    bound: brahmicJoiner,
  },
  {
    where: ({ before }) =>
      /[\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Tibt}\p{scx=Java}\p{scx=Bali}]/u.test(before),
    kept: /^\u200b/u,
    bound: wordBreak,
  },
  { where: ({ before }) => /\p{Script=Hebrew}/u.test(before), kept: /^\u034f/u, bound: hebrewOrder },
  { where: ({ before, after }) => isLetter(before) && /\p{L}/u.test(after), kept: /^\u00ad$/u, bound: softHyphen },
  { where: ({ before }) => /[\u1100-\u115e]/u.test(before), kept: /^\u1160$/u, bound: jamo },
  { where: ({ after }) => /[\u1161-\u11a7]/u.test(after), kept: /^\u115f$/u, bound: jamo },
];

/** What of a run belongs to ordinary text: the selectors, joiners, breaks and tags that Unicode's emoji, variation sequences and scripts need. */
export function belongingPart(run: string, neighbours: Neighbours): Belonging {
  for (const rule of rules) {
    const kept = rule.kept.exec(run)?.[0];
    if (kept !== undefined && rule.where(neighbours)) return { kept, bound: rule.bound };
  }
  return { kept: "" };
}

interface Used {
  readonly kept: readonly number[];
  readonly changed: readonly number[];
  readonly last: string;
  readonly closedTo: number;
}

const unused: Used = { kept: [], changed: [], last: "", closedTo: 0 };

/** Of the parts of one text, in their order: whether one is within its bound. A text of which some are shown has no fewer characters, so that the same parts stay. */
export function withinBounds(text: string): (part: Belonging, at: number) => boolean {
  const used = new Map<Bound, Used>();
  return ({ kept, bound: limits }, at) => {
    if (limits === undefined) return true;
    const before = used.get(limits) ?? unused;
    if (at < before.closedTo) return false;
    const near = before.kept.filter((place) => place > at - limits.within);
    const isChange = before.last !== "" && before.last !== kept;
    const changed = before.changed.filter((place) => place > at - limits.span);
    if (near.length >= limits.most || (isChange && changed.length >= limits.changes)) {
      const end = text.indexOf("\n", at);
      used.set(limits, { ...before, closedTo: end < 0 ? Infinity : end });
      return false;
    }
    used.set(limits, { kept: [...near, at], changed: isChange ? [...changed, at] : changed, last: kept, closedTo: 0 });
    return true;
  };
}
