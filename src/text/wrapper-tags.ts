/**
 * What clients and models put around a text that is not the user's: reminders, hook output, results of tools. Some names are found anywhere; `~` is a hyphen, an underscore
 * or a point.
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
 * Any other name of several words, as no element of HTML, SVG or MathML has it, that speaks of what only clients speak of: in any place, or at its end, since
 * `<context-menu>` and `<tool-bar>` are parts of a page and `<system-out>` of a test report. It is a whole tag; `<toolResult>` and `List<ToolResult>` are code.
 */
const anywhere = "system(?![-_](?:out|err)\\b)|reminder|hook|instructions?|transcript|ephemeral|invoke";
const atEnd = "context|command|message|prompt|function|tool|skill|parameter|feedback|notification";
const word = "[a-z0-9]+[-_]+";
const several = `(?:${word})*(?:(?:${anywhere})s?(?:[-_]+[a-z0-9]+)+|${word}(?:${anywhere}|${atEnd})s?)`;
const attribute = String.raw` +[a-z][a-z0-9_:-]*=`;
const ofSeveral = new RegExp(`^ */? *${several}(?: */?>|${attribute})`, "iu");
/** In small letters, and told from XML of the same name by an attribute that clients write. */
const ofOne =
  /^ *(?:\/ *(?:invoke|parameter|skill) *>|skill(?: *>| +[a-z]+=)|channel +source=|(?:invoke|parameter) +name=)/u;
/** `unique_ptr<io_context>`. */
const generic = /^[a-z0-9_]+ *>/u;
const behindName = (): RegExp => /[\p{L}\p{N}_:]$/u;

/** In capitals: `[inst]` is code. */
const bracketed = /^[ /]*(?:INST|SYS|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS) *\]/u;
/** Anything else is passed over before it costs more. */
const mayBeBracketed = /^[ /]*(?:[AIST]|[^\x20-\x7e])/u;

const openings = /[<\uff1c\ufe64[]/gu;
/** Two openings, for `<<SYS>>`, and what comes before the next one. */
const region = /[<\uff1c\ufe64]?[^<\uff1c\ufe64[]*/uy;
/** Characters behind an opening that are looked at. Hidden ones between them do not count. */
const looked = 200;
/** What a reader does not see between two letters. */
const unseen = (): RegExp => /[\p{Cf}\p{Cc}\p{Cs}\p{M}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]/gu;

/** The text with the bracket replaced that begins what a client would take for its own. `json`: escapes of a JSON document are read as what they mean. Linear. */
export function withoutWrappers(text: string, form: "text" | "json", replaced: (bracket: string) => string): string {
  return text.replaceAll(openings, (bracket, at: number) => {
    if (bracket === "[" && !mayBeBracketed.test(text.slice(at + 1, at + 1 + looked))) return bracket;
    region.lastIndex = at + 1;
    const part = region.exec(text)?.[0] ?? "";
    // Told again of what is shown, hidden characters are written out.
    const isWrapper = [...new Set([plainOf(part, form, ""), plainOf(part, form, "\\")])].some((plain) =>
      bracket === "[" ? bracketed.test(plain) : isTag(plain, text.slice(Math.max(0, at - 2), at)),
    );
    return isWrapper ? replaced(bracket) : bracket;
  });
}

function isTag(plain: string, before: string): boolean {
  if (wrapper.test(plain) || ofOne.test(plain)) return true;
  return ofSeveral.test(plain) && !(generic.test(plain) && behindName().test(before));
}

function plainOf(part: string, form: "text" | "json", shown: string): string {
  const near = flatOf(part.slice(0, looked), form, shown);
  return (near.length < looked / 2 && part.length > looked ? flatOf(part, form, shown) : near).slice(0, looked);
}

function flatOf(part: string, form: "text" | "json", shown: string): string {
  if (/^[\x20-\x5b\x5d-\x7e]*$/u.test(part)) return part.replaceAll(/ +/gu, " ");
  const told = form === "json" ? part.replaceAll(/\\(?:u[0-9a-fA-F]{4}|[bfnrt])/gu, meant) : part;
  const flat = told.replaceAll(/\s+/gu, " ").replaceAll(unseen(), shown);
  const plain = flat
    .normalize("NFKD")
    .replaceAll(unseen(), "")
    .replaceAll(/\p{Pd}|\u2212/gu, "-");
  return plain.replaceAll(/[^\x00-\x7f]/gu, (one) => likeLatin.get(one.toLowerCase()) ?? one).replaceAll(/ +/gu, " ");
}

function meant(escape: string): string {
  return escape.length > 2 ? String.fromCharCode(Number.parseInt(escape.slice(2), 16)) : " ";
}

/** Letters that look like a Latin one, which comes first: Cyrillic, Greek, Armenian and small capitals. */
const likeLatin = new Map(
  "aаαɑᴀ bьвβʙ cсϲᴄ dԁɗᴅ eеєεᴇ fƒꜰ gɡցɢ hһнʜհ iіιıɪ jјϳᴊ kкκᴋ lӏɩʟ mмᴍμ nпηոɴ oоοσօᴏ pрρᴘ qԛգ rгʀᴦ sѕꜱʂ tтτᴛ uυսᴜ vѵνᴠ wԝωաᴡ xхχ yуγүʏ zʐᴢ"
    .split(" ")
    .flatMap(([latin = "", ...others]) => others.map((one) => [one, latin] as const)),
);
