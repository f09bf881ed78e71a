/** Marks that a client puts around what hooks gave it, or that an install wrote. */
const wrapped = [
  ["<hook_context>", "</hook_context>"],
  ["<system-reminder>", "</system-reminder>"],
  ["<system_reminder>", "</system_reminder>"],
  ["<!-- heartwood:begin -->", "<!-- heartwood:end -->"],
] as const;
const emptyWrap = /<hook_context>\s*<\/hook_context>/gu;
const rootFront = /^\s{0,100}---\r?\n(?:[a-z-]{1,40}:[^\n]*\n){0,20}?type: root\r?\n/u;

/**
 * A message without what we put into it ourselves: fenced recall, hook output, a repeated ROOT.md; empty if there was nothing else. Linear in its
 * length, whatever it contains.
 */
export function withoutInjected(text: string): string {
  if (!text.includes("<") && !text.includes("&lt;") && !text.includes("---")) return text;
  if (rootFront.test(text)) return "";
  const unfenced = withoutFences(text);
  const others = unfenced === text ? text : unfenced.replaceAll(emptyWrap, "");
  const rest = wrapped.reduce((left, [begin, end]) => withoutBetween(left, begin, end), others);
  return rest === text ? text : rest.trim();
}

/** The begin of our fences, also as written by a client that escapes hook output. */
const opening = /(<<<|&lt;&lt;&lt;)([0-9a-f]{8,64}) /gu;

/** Without the text from `<<<MARK …` up to a line that begins with `MARK>>>`, the marks included. */
function withoutFences(text: string): string {
  let kept = "";
  let from = 0;
  /** Fences that do not end any more: each is looked for once. */
  const endless = new Set<string>();
  for (const { index, 1: begin = "", 2: mark = "" } of text.matchAll(opening)) {
    const closing = `\n${mark}${begin.replaceAll("<", ">").replaceAll("&lt;", "&gt;")}`;
    if (index < from || endless.size > mostEndless || endless.has(closing)) continue;
    const end = text.indexOf(closing, index);
    if (end < 0) endless.add(closing);
    if (end < 0) continue;
    kept += text.slice(from, index);
    from = end + closing.length;
    // A fence that starts a line and fills its lines goes with the end of the last one.
    if (index === 0 || text[index - 1] === "\n") from += /^\r?\n/u.exec(text.slice(from, from + 2))?.[0].length ?? 0;
  }
  return kept + text.slice(from);
}

/** No client repeats so many marks of ours without their ends. */
const mostEndless = 100;

/** Without the text between a begin at the start of a line and the next end, both included. */
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
