/** Parts of a message that a client puts around what hooks gave it, or that an install wrote. */
const wrapped = [
  ["<hook_context>", "</hook_context>"],
  ["<system-reminder>", "</system-reminder>"],
  ["<system_reminder>", "</system_reminder>"],
  ["<!-- heartwood:begin -->", "<!-- heartwood:end -->"],
] as const;
const rootFront = /^\s{0,100}---\r?\n(?:[a-z-]{1,40}:[^\n]*\n){0,20}?type: root\r?\n/u;

/**
 * A message without what we put into it ourselves: fenced recall, hook output, a repeated ROOT.md. It is empty when there was nothing else. Linear in its
 * length, whatever stands in it.
 */
export function withoutInjected(text: string): string {
  if (!text.includes("<") && !text.includes("---")) return text;
  if (rootFront.test(text)) return "";
  const rest = wrapped.reduce((left, [begin, end]) => withoutBetween(left, begin, end), withoutFences(text));
  return rest === text ? text : rest.trim();
}

const opening = /^<<<([0-9a-f]{8,64}) /u;
const closing = /^([0-9a-f]{8,64})>>>\r?$/u;

/** Without the lines from `<<<MARK …` up to `MARK>>>`, the marks included. */
function withoutFences(text: string): string {
  if (!text.includes("<<<")) return text;
  const lines = text.split("\n");
  /** The next line that closes each mark, from the end on. */
  const closes = new Map<string, number>();
  const ends = new Map<number, number>();
  for (let index = lines.length - 1; index >= 0; index--) {
    const line = lines[index] ?? "";
    const closed = closing.exec(line)?.[1];
    if (closed !== undefined) closes.set(closed, index);
    const end = closes.get(opening.exec(line)?.[1] ?? "");
    if (end !== undefined) ends.set(index, end);
  }
  const kept: string[] = [];
  for (let index = 0; index < lines.length; index++) {
    const end = ends.get(index);
    if (end === undefined) kept.push(lines[index] ?? "");
    else index = end;
  }
  return kept.join("\n");
}

/** Without what stands between a begin at the start of a line and the next end, both included. */
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
