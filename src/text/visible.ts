/** `text`: for a person or a prompt. `json`: a JSON document, whose values stay the same. */
type VisibleForm = "text" | "json";

/**
 * Makes a text safe to show to a person or a model. Characters that control a terminal, or reverse or hide text, are
 * shown as code points (`\u{1b}`); CRLF becomes LF, and a leading byte order mark is removed. At the start of a client's
 * opening or closing wrapper tag, `<` becomes `‹` and `[` becomes `❲`. Everything else stays. In `json` form these
 * characters become JSON escapes, so parsing gives the original values. Idempotent.
 */
export function visible(text: string, form: VisibleForm = "text"): string {
  if (ordinary.test(text)) return text;
  const isJson = form === "json";
  const bare = withoutWrappers(isJson ? text : withLineFeeds(text), form);
  const keptOf = keptParts(bare);
  return bare.replaceAll(hidden, (run, at: number) => {
    const kept = keptOf(run, at);
    return run.slice(0, kept) + Array.from(run.slice(kept), isJson ? jsonEscape : codePoint).join("");
  });
}

function withLineFeeds(text: string): string {
  return text.replace(/^\ufeff+/u, "").replaceAll(/\r+\n?/gu, (found) => (found.endsWith("\n") ? "\n" : found));
}

/** `visible` on one line. */
export function visibleLine(text: string): string {
  return visible(text.replaceAll(/\s+/gu, " ").trim());
}

/** A copy of the value with all its strings, including keys, made visible. */
export function visibleIn<T>(value: T): T;
export function visibleIn(value: unknown): unknown {
  if (typeof value === "string") return visible(value);
  if (Array.isArray(value)) return value.map((part: unknown) => visibleIn(part));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [visible(key), visibleIn(part)]));
}

/** Text that needs no further check. */
const ordinary = /^[\t\n\x20-\x3b\x3d-\x5a\x5c-\x7e]*$/u;

/**
 * Runs of characters that control, reverse or hide text or cannot be encoded: C0, C1, fillers, joiners, bidi controls,
 * separators, selectors, annotations, tags, lone surrogates.
 */
const hidden =
  /(?:\u034f|[\ufe00-\ufe0f]|[\u17b4\u17b5\u180b-\u180f]|[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\p{Cs}\u{13430}-\u{1345f}\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}])+/gu;

function codePoint(one: string): string {
  return `\\u{${one.codePointAt(0)?.toString(16) ?? ""}}`;
}

function jsonEscape(one: string): string {
  return one.replaceAll(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/**
 * Hidden characters that are optional or interchangeable can carry a message. Ordinary text has few of them, and nearly
 * always the same ones: at most `most` are kept per `within` UTF-16 units, and at most `changes` that differ from the
 * previous one per `span` units. From the first one over a limit to the end of the line, all characters with this bound
 * are shown as code points.
 */
interface Bound {
  readonly most: number;
  readonly within: number;
  readonly changes: number;
  readonly span: number;
}

const bound = (most = 3, within = 8, changes = 8, span = 256): Bound => ({ most, within, changes, span });

/** A row of emoji can have any length, but only one style. */
const style = bound(Infinity, 1);
const stacked = bound();

const isLetter = (one: string): boolean => /[\p{L}\p{M}]/u.test(one);
const isCursive = (one: string): boolean =>
  isLetter(one) &&
  /[\p{scx=Arab}\p{scx=Syrc}\p{scx=Mand}\p{scx=Nkoo}\p{scx=Mong}\p{scx=Phag}\p{scx=Adlm}\p{scx=Rohg}]/u.test(one);
const isBrahmic = (one: string): boolean =>
  isLetter(one) &&
  /[\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Mymr}\p{scx=Khmr}\p{scx=Java}\p{scx=Bali}\p{scx=Sund}\p{scx=Newa}\p{scx=Tirh}\p{scx=Gran}\p{scx=Brah}\p{scx=Cakm}]/u.test(
    one,
  );
const isMark = (one: string): boolean => /\p{M}/u.test(one);

/**
 * Characters with standardized variants for U+FE00 to U+FE02, by blocks: mathematical operators, the digit 0,
 * mathematical script letters, Han, fullwidth punctuation, quotation marks, Myanmar, Phags-pa and Manichaean.
 */
const hasForms = (): RegExp =>
  /[0\u2018\u2019\u201c\u201d\u2200-\u22ff\u2a00-\u2aff\u2102-\u2138\u{1d49c}-\u{1d4cf}\u3001\u3002\uff01\uff0c\uff0e\uff1a\uff1b\uff1f\p{Script=Han}\p{Script=Myanmar}\p{Script=Phags_Pa}\p{Script=Manichaean}]/u;
/** Characters with a text and an emoji style. Digits have them only in a keycap. */
const hasStyles = (): RegExp => /[[\p{Emoji}\p{Extended_Pictographic}]--\p{Emoji_Component}]/v;

/**
 * The start of a run that belongs to ordinary text between the characters matched by `where`, and its bound. Patterns that
 * look at the character after the run end in `$`, because only a whole run is next to it.
 */
type Rule = readonly [kept: RegExp, where: (before: string, after: string) => boolean, bound?: Bound];

const rules: readonly Rule[] = [
  // England, Scotland and Wales: a black flag and tag letters.
  [
    /^\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}/u,
    (before) => before === "\u{1f3f4}",
  ],
  // At most three joiners, enough to join four people.
  [
    /^\ufe0f?\u200d$/u,
    (before, after) =>
      /[\p{Extended_Pictographic}\p{Emoji_Modifier}]/u.test(before) && /\p{Extended_Pictographic}/u.test(after),
    bound(3, 11),
  ],
  [/^[\ufe0e\ufe0f]$/u, (before, after) => /[0-9#*]/u.test(before) && after === "\u20e3", style],
  [/^[\ufe0e\ufe0f]/u, (before) => hasStyles().test(before), style],
  [/^[\ufe00-\ufe02]/u, (before) => hasForms().test(before), bound()],
  // No ideograph has more than 32 registered variants, and a Japanese name has one or two. A selector carries five bits, so 1,024 characters carry twenty bits.
  [/^[\u{e0100}-\u{e011f}]/u, (before) => /\p{Script=Han}/u.test(before), bound(4, 32, 4, 1024)],
  [/^\u180e$/u, (before, after) => /\p{Script=Mongolian}/u.test(before) && /[\u1820\u1821]/u.test(after), bound()],
  [/^[\u180b-\u180d\u180f]\u180e?/u, (before) => /\p{Script=Mongolian}/u.test(before), bound()],
  // Inside a word a joiner changes nothing, so it is not ordinary text. `گفت‌و‌گو‌ها` has three non-joiners.
  [/^\u200c$/u, (before, after) => isCursive(before) && isLetter(after), bound()],
  [/^[\u200c\u200d]/u, (before, after) => isCursive(before) && !isLetter(after), bound()],
  // Joiners that stack letters or keep them apart come after or before a mark.
  [/^[\u200c\u200d]/u, (before) => isBrahmic(before) && isMark(before), stacked],
  [/^[\u200c\u200d]$/u, (before, after) => isBrahmic(before) && isMark(after) && isBrahmic(after), stacked],
  [
    /^\u200b/u,
    (before) => /[\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Tibt}\p{scx=Java}\p{scx=Bali}]/u.test(before),
    bound(),
  ],
  [/^\u034f/u, (before) => /\p{Script=Hebrew}/u.test(before), bound()],
  [/^\u00ad$/u, (before, after) => isLetter(before) && /\p{L}/u.test(after), bound()],
];

interface Used {
  kept: number[];
  changed: number[];
  last: string;
  closedTo: number;
}

/**
 * How much of the start of a run belongs to ordinary text: the selectors, joiners, breaks and tags that emoji, variation sequences and scripts need, within
 * their bounds. Call it with the runs of one text in order. The characters around a run are never hidden, and empty at the ends of the text. Showing runs
 * as code points never shortens the text, so a second pass keeps the same parts.
 */
function keptParts(text: string): (run: string, at: number) => number {
  const used = new Map<Bound, Used>();
  const isWithin = (limits: Bound, kept: string, at: number): boolean => {
    const before = used.get(limits) ?? { kept: [], changed: [], last: "", closedTo: 0 };
    used.set(limits, before);
    if (at < before.closedTo) return false;
    before.kept = before.kept.filter((place) => place > at - limits.within);
    before.changed = before.changed.filter((place) => place > at - limits.span);
    const isChange = before.last !== "" && before.last !== kept;
    if (before.kept.length >= limits.most || (isChange && before.changed.length >= limits.changes)) {
      const end = text.indexOf("\n", at);
      before.closedTo = end < 0 ? Infinity : end;
      return false;
    }
    before.kept.push(at);
    if (isChange) before.changed.push(at);
    before.last = kept;
    return true;
  };
  return (run, at) => {
    const before = Array.from(text.slice(Math.max(0, at - 2), at)).at(-1) ?? "";
    const after = Array.from(text.slice(at + run.length, at + run.length + 2))[0] ?? "";
    for (const [pattern, where, limits] of rules) {
      const kept = pattern.exec(run)?.[0];
      if (kept === undefined || !where(before, after)) continue;
      return limits === undefined || isWithin(limits, kept, at) ? kept.length : 0;
    }
    return 0;
  };
}

/**
 * Names of the tags that clients and models put around text that is not the user's: reminders, hook output, tool results.
 * `~` stands for a hyphen, an underscore or a period.
 */
const names = [
  "system(?:~(?:reminders?|notifications?|messages?|prompt|context|warning))?(?![a-z0-9_.-])",
  "[a-z0-9_. -]*system~?reminder",
  "(?:[a-z]+~)*hook~(?:additional~)?(?:context|output|results?|feedback|prompt)",
  "user~(?:prompt~submit~hook|query|rules|info|information|request|memory|message|shell~command)",
  "(?:environment|session|project|global|extension|loaded|additional|turn)~context",
  "(?:additional|user)~(?:data|metadata)",
  "persisted~output",
  "command~(?:name|message|args|contents|stdout|stderr)",
  "local~command~(?:stdout|stderr|caveat)",
  "bash~(?:input|stdout|stderr)",
  "(?:sub)?(?:task|agent)~(?:notification|result)",
  "(?:function|tool)~(?:calls?|results?|responses?|use|use~error|outputs?)",
  "antml:[a-z]+",
  "(?:(?:skills|mcp|apps|user|system|developer|project|custom|permissions)(?:~| ))?instructions",
  "available~skills",
  "(?:developer|teammate|ephemeral)~message",
  "collaboration~mode",
  "turn~aborted",
  "state~snapshot",
  "new~diagnostics",
  "ide~(?:selection|opened~file|diagnostics)",
  "relevant~memories",
  "(?:ant~?)?think(?:ing)?",
  "(?:start|end)~of~turn",
  "external~untrusted~content",
].map((name) => name.replaceAll("~?", " *[-_.]? *").replaceAll("~", " *[-_.] *"));

const specialToken = String.raw`\|[a-z0-9_\u2581/-]{1,40}\|>`;
const wrapper = new RegExp(`^[ /<]*(?:(?:${names.join("|")})(?![a-z0-9_.-])|${specialToken}|sys *> *>)`, "iu");

/**
 * Any other name of several words that is not an HTML, SVG or MathML element and contains a word only clients use. Some
 * words count only at the end of the name: `<context-menu>` and `<tool-bar>` are web page elements, and `<system-out>`
 * occurs in test reports. Must be a whole tag: `<toolResult>` and `List<ToolResult>` are code.
 */
const anywhere = "system(?![-_](?:out|err)\\b)|reminder|hook|instructions?|transcript|ephemeral|invoke";
const atEnd = "context|command|message|prompt|function|tool|skill|parameter|feedback|notification";
const word = "[a-z0-9]+[-_]+";
const several = `(?:${word})*(?:(?:${anywhere})s?(?:[-_]+[a-z0-9]+)+|${word}(?:${anywhere}|${atEnd})s?)`;
const attribute = String.raw` +[a-z][a-z0-9_:-]*=`;
const ofSeveral = new RegExp(`^ */? *${several}(?: */?>|${attribute})`, "iu");
/** Single-word names in lower case, distinguished from XML of the same name by an attribute that clients write. */
const ofOne =
  /^ *(?:\/ *(?:invoke|parameter|skill) *>|skill(?: *>| +[a-z]+=)|channel +source=|(?:invoke|parameter) +name=)/u;
/** A type argument in code: `unique_ptr<io_context>`. */
const generic = /^[a-z0-9_]+ *>/u;
const afterName = (): RegExp => /[\p{L}\p{N}_:]$/u;

/** Only in capitals: `[inst]` is code. */
const bracketed = /^[ /]*(?:INST|SYS|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS) *\]/u;
/** A quick test that rejects most brackets. */
const mayBeBracketed = /^[ /]*(?:[AIST]|[^\x20-\x7e])/u;

const openings = /[<\uff1c\ufe64[]/gu;
/** The text after an opening up to the next one; may start with a second opening, for `<<SYS>>`. */
const region = /[<\uff1c\ufe64]?[^<\uff1c\ufe64[]*/uy;
/** How many characters after an opening are checked, not counting hidden ones. */
const mostChecked = 200;
/** Characters that are invisible between two letters. */
const unseen = (): RegExp => /[\p{Cf}\p{Cc}\p{Cs}\p{M}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]/gu;

/**
 * Replaces the opening bracket of any tag a client would take for its own. `json`: JSON escapes are decoded for the check.
 * Linear.
 */
function withoutWrappers(text: string, form: VisibleForm): string {
  return text.replaceAll(openings, (bracket, at: number) => {
    if (bracket === "[" && !mayBeBracketed.test(text.slice(at + 1, at + 1 + mostChecked))) return bracket;
    region.lastIndex = at + 1;
    const part = region.exec(text)?.[0] ?? "";
    // Also check the text as it will be shown, with a backslash for each hidden character, so a second pass finds the same tags.
    const isWrapper = [...new Set([plainOf(part, form, ""), plainOf(part, form, "\\")])].some((plain) =>
      bracket === "[" ? bracketed.test(plain) : isTag(plain, text.slice(Math.max(0, at - 2), at)),
    );
    if (!isWrapper) return bracket;
    if (form === "json") return jsonEscape(bracket);
    return bracket === "[" ? "❲" : "‹";
  });
}

function isTag(plain: string, before: string): boolean {
  if (wrapper.test(plain) || ofOne.test(plain)) return true;
  return ofSeveral.test(plain) && !(generic.test(plain) && afterName().test(before));
}

function plainOf(part: string, form: VisibleForm, shown: string): string {
  const near = flatOf(part.slice(0, mostChecked), form, shown);
  return (near.length < mostChecked / 2 && part.length > mostChecked ? flatOf(part, form, shown) : near).slice(
    0,
    mostChecked,
  );
}

function flatOf(part: string, form: VisibleForm, shown: string): string {
  if (/^[\x20-\x5b\x5d-\x7e]*$/u.test(part)) return part.replaceAll(/ +/gu, " ");
  const decoded = form === "json" ? part.replaceAll(/\\(?:u[0-9a-fA-F]{4}|[bfnrt])/gu, decodedEscape) : part;
  const flat = decoded.replaceAll(/\s+/gu, " ").replaceAll(unseen(), shown);
  const plain = flat
    .normalize("NFKD")
    .replaceAll(unseen(), "")
    .replaceAll(/\p{Pd}|\u2212/gu, "-");
  return plain.replaceAll(/[^\x00-\x7f]/gu, (one) => likeLatin.get(one.toLowerCase()) ?? one).replaceAll(/ +/gu, " ");
}

/** The decoded escape; an escaped opening does not count as an opening. */
function decodedEscape(escape: string): string {
  const one = escape.length > 2 ? String.fromCharCode(Number.parseInt(escape.slice(2), 16)) : " ";
  return one.replace(openings, "‹");
}

/** Maps lookalikes to Latin letters. Each group is a Latin letter followed by Cyrillic, Greek and Armenian letters and small capitals. */
const likeLatin = new Map(
  "aаαɑᴀ bьвβʙ cсϲᴄ dԁɗᴅ eеєεᴇ fƒꜰ gɡցɢ hһнʜհ iіιıɪ jјϳᴊ kкκᴋ lӏɩʟ mмᴍμ nпηոɴ oоοσօᴏ pрρᴘ qԛգ rгʀᴦ sѕꜱʂ tтτᴛ uυսᴜ vѵνᴠ wԝωաᴡ xхχ yуγүʏ zʐᴢ"
    .split(" ")
    .flatMap(([latin = "", ...others]) => others.map((one) => [one, latin] as const)),
);
