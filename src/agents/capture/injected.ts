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

/** The begin and the end of our fences, also as written by a client that escapes hook output. */
const opening = /(<<<|&lt;&lt;&lt;)([0-9a-f]{8,64}) /gu;
const closing = /(?:^|\n)([0-9a-f]{8,64})(>>>|&gt;&gt;&gt;)/gu;

/** Without the text from `<<<MARK …` up to a line that begins with `MARK>>>`, the marks included. */
function withoutFences(text: string): string {
  const ends = endsIn(text);
  if (ends.size === 0) return text;
  let kept = "";
  let from = 0;
  for (const { index, 1: begin = "", 2: mark = "" } of text.matchAll(opening)) {
    if (index < from) continue;
    const after = ends.get(fenceOf(mark, begin)) ?? [];
    while ((after.at(-1) ?? text.length) < index) after.pop();
    const end = after.at(-1);
    if (end === undefined) continue;
    kept += text.slice(from, index);
    from = end;
    // A fence that starts a line and fills its lines goes with the end of the last one.
    if (index === 0 || text[index - 1] === "\n") from += /^\r?\n/u.exec(text.slice(end, end + 2))?.[0].length ?? 0;
  }
  return kept + text.slice(from);
}

/** Where each fence may end, by its mark; the last place first. */
function endsIn(text: string): ReadonlyMap<string, number[]> {
  const ends = new Map<string, number[]>();
  for (const { 0: whole, index, 1: mark = "", 2: sign = "" } of text.matchAll(closing)) {
    const fence = fenceOf(mark, sign);
    const places = ends.get(fence);
    if (places === undefined) ends.set(fence, [index + whole.length]);
    else places.push(index + whole.length);
  }
  for (const places of ends.values()) places.reverse();
  return ends;
}

/** Begin and end are escaped alike, so their signs have the same length. */
function fenceOf(mark: string, sign: string): string {
  return `${mark} ${sign.length}`;
}

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
