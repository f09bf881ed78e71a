/** Parts of a message that a client puts around what hooks gave it, or that an install wrote. */
const wrapped = [
  ["<hook_context>", "</hook_context>"],
  ["<system-reminder>", "</system-reminder>"],
  ["<system_reminder>", "</system_reminder>"],
  ["<!-- heartwood:begin -->", "<!-- heartwood:end -->"],
] as const;
const emptyWrap = /<hook_context>\s*<\/hook_context>/gu;
const rootFront = /^\s{0,100}---\r?\n(?:[a-z-]{1,40}:[^\n]*\n){0,20}?type: root\r?\n/u;

/**
 * A message without what we put into it ourselves: fenced recall, hook output, a repeated ROOT.md. It is empty when there was nothing else. Linear in its
 * length, whatever stands in it.
 */
export function withoutInjected(text: string): string {
  if (!text.includes("<") && !text.includes("&lt;") && !text.includes("---")) return text;
  if (rootFront.test(text)) return "";
  const unfenced = withoutFences(text);
  const others = unfenced === text ? text : unfenced.replaceAll(emptyWrap, "");
  const rest = wrapped.reduce((left, [begin, end]) => withoutBetween(left, begin, end), others);
  return rest === text ? text : rest.trim();
}

/** What begins and ends a fence of ours, also as a client writes it that escapes what hooks say. */
const marks =
  /(?<begin><<<|&lt;&lt;&lt;)(?<opened>[0-9a-f]{8,64}) |(?:^|\n)(?<closed>[0-9a-f]{8,64})(?<end>>>>|&gt;&gt;&gt;)/gu;

/** Without what stands from `<<<MARK …` up to a line that begins with `MARK>>>`, the marks included. */
function withoutFences(text: string): string {
  let kept = "";
  let from = 0;
  for (const [start, end] of fencesIn(text)) {
    if (start < from) continue;
    kept += text.slice(from, start);
    from = end;
    // A fence that begins a line and fills its lines goes with the end of the last one.
    if (start === 0 || text[start - 1] === "\n") from += /^\r?\n/u.exec(text.slice(end, end + 2))?.[0].length ?? 0;
  }
  return kept + text.slice(from);
}

/** Begin and end of each fence, in the order in which they begin. A fence within a fence is one of them too. */
function fencesIn(text: string): readonly (readonly [start: number, end: number])[] {
  const fences: (readonly [number, number])[] = [];
  /** Where the next fence of each mark ends, from the end of the text on. */
  const ends = new Map<string, number>();
  for (const { 0: whole, index, groups = {} } of [...text.matchAll(marks)].toReversed()) {
    const { begin = "", opened = "", closed = "", end = "" } = groups;
    // Begin and end are escaped alike when they are of the same length.
    if (closed !== "") ends.set(`${closed} ${end.length}`, index + whole.length);
    const ended = ends.get(`${opened} ${begin.length}`);
    if (ended !== undefined) fences.push([index, ended]);
  }
  return fences.toReversed();
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
