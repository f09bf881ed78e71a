/** Marks that a client puts around hook output, or that an install wrote. */
const wrapped = [
  ["<hook_context>", "</hook_context>"],
  ["<system-reminder>", "</system-reminder>"],
  ["<system_reminder>", "</system_reminder>"],
  ["<!-- heartwood:begin -->", "<!-- heartwood:end -->"],
] as const;
const emptyWrap = /<hook_context>\s*<\/hook_context>/gu;
const rootFront = /^\s{0,100}---\r?\n(?:[a-z-]{1,40}:[^\n]*\n){0,20}?type: root\r?\n/u;

/**
 * Strips what heartwood injected into a message: fenced recall, hook output, a repeated ROOT.md. Empty if there was nothing else. Linear time,
 * whatever the message contains.
 */
export function withoutInjected(text: string): string {
  if (!text.includes("<") && !text.includes("&lt;") && !text.includes("---")) return text;
  if (rootFront.test(text)) return "";
  const unfenced = withoutFences(text);
  const others = unfenced === text ? text : unfenced.replaceAll(emptyWrap, "");
  const rest = wrapped.reduce((left, [begin, end]) => withoutBetween(left, begin, end), others);
  return rest === text ? text : rest.trim();
}

/** The start of our fences, also as escaped by some clients. */
const opening = /(<<<|&lt;&lt;&lt;)([0-9a-f]{8,64}) /gu;

/** Removes the text from `<<<MARK …` to a line that starts with `MARK>>>`, including the marks. */
function withoutFences(text: string): string {
  let kept = "";
  let from = 0;
  /** Closing marks known to be missing from the rest of the text, so each is searched for only once. */
  const endless = new Set<string>();
  for (const { index, 1: begin = "", 2: mark = "" } of text.matchAll(opening)) {
    const closing = `\n${mark}${begin.replaceAll("<", ">").replaceAll("&lt;", "&gt;")}`;
    if (index < from || endless.size > mostEndless || endless.has(closing)) continue;
    const end = text.indexOf(closing, index);
    if (end < 0) endless.add(closing);
    if (end < 0) continue;
    kept += text.slice(from, index);
    from = end + closing.length;
    // A fence on lines of its own is removed with its last line break.
    if (index === 0 || text[index - 1] === "\n") from += /^\r?\n/u.exec(text.slice(from, from + 2))?.[0].length ?? 0;
  }
  return kept + text.slice(from);
}

/** More unclosed fences than any client writes. */
const mostEndless = 100;

/** Removes the text from `begin` at the start of a line to the next `end`, inclusive. */
function withoutBetween(text: string, begin: string, end: string): string {
  let kept = "";
  let from = 0;
  for (let at = text.indexOf(begin); at >= 0; at = text.indexOf(begin, at + 1)) {
    if (at < from || !/(?:^|\n)[ \t]{0,8}$/u.test(text.slice(Math.max(0, at - 9), at))) continue;
    const close = text.indexOf(end, at);
    if (close < 0) break;
    kept += text.slice(from, at);
    from = close + end.length;
  }
  return kept + text.slice(from);
}
