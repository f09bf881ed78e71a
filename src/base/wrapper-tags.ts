/**
 * What clients and models put around a text that is not the user's: reminders, hook output, results of tools. `~` is a hyphen or an underscore; a name in one word of
 * several, as in `<ToolResult>`, is code.
 */
const names = [
  "system(?:~(?:reminders?|notifications?|messages?|prompt|context|warning))?",
  "user~(?:prompt~submit~hook|query|rules|info|information|request|memory|message)",
  "(?:[a-z]+~)*hook~(?:additional~)?(?:context|output|results?)",
  "(?:environment|session|project|global|extension|loaded|additional)~context",
  "(?:additional|user)~(?:data|metadata)",
  "persisted~output",
  "command~(?:name|message|args|contents|stdout|stderr)",
  "local~command~(?:stdout|stderr|caveat)",
  "bash~(?:input|stdout|stderr)",
  "(?:sub)?(?:task|agent)~(?:notification|result)",
  "(?:function|tool)~(?:calls?|results?|responses?|use|use~error|outputs?)",
  "antml:[a-z]+",
  "(?:(?:skills|mcp|user|system|developer|project|custom|permissions)(?:~| ))?instructions",
  "available~skills",
  "developer~message",
  "turn~aborted",
  "state~snapshot",
  "new~diagnostics",
  "ide~(?:selection|opened~file|diagnostics)",
  "relevant~memories",
  "(?:ant~?)?think(?:ing)?",
  "(?:start|end)~of~turn",
  "external~untrusted~content",
].map((name) => name.replaceAll("~", " *[-_] *"));

const specialToken = String.raw`\|[a-z0-9_\u2581/-]{1,40}\|>`;
const wrapper = new RegExp(`^[ /<]*(?:(?:${names.join("|")})(?![a-z0-9_.-])|${specialToken}|sys *> *>)`, "iu");
/** In capitals: `[inst]` is code. */
const bracketed = /^[ /]*(?:INST|SYS|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS) *\]/u;
/** Anything else is passed over before it costs more. */
const mayBeBracketed = /^[ /]*(?:[AIST]|[^\x20-\x7e])/u;

const openings = /[<\uff1c\ufe64[]/gu;
/** Characters behind an opening that are looked at: hidden ones between the letters count too. */
const looked = 200;
/** What a reader does not see between two letters. */
const unseen = /[\p{Cf}\p{Cc}\p{Cs}\p{Mn}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]/gu;

/** The text with the bracket replaced that begins what a client would take for its own. `json`: escapes of a JSON document are read as what they mean. Linear. */
export function withoutWrappers(text: string, form: "text" | "json", replaced: (bracket: string) => string): string {
  return text.replaceAll(openings, (bracket, at: number) => {
    const part = text.slice(at + 1, at + 1 + looked);
    if (bracket === "[" && !mayBeBracketed.test(part)) return bracket;
    const plain = plainOf(form === "json" ? part.replaceAll(/\\(?:u[0-9a-fA-F]{4}|[bfnrt])/gu, meant) : part);
    return (bracket === "[" ? bracketed : wrapper).test(plain) ? replaced(bracket) : bracket;
  });
}

function plainOf(part: string): string {
  const flat = part.replaceAll(/\s+/gu, " ").replaceAll(unseen, "");
  return flat.normalize("NFKC").replaceAll(unseen, "");
}

function meant(escape: string): string {
  return escape.length > 2 ? String.fromCharCode(Number.parseInt(escape.slice(2), 16)) : " ";
}
