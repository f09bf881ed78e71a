/** A fence of recall or of a hook, whose mark closes it. */
const fence = /(?<=^|\n)<<<([0-9a-f]{8,64}) [^\n]*\n(?:[\s\S]*?\n)?\1>>>(?=\r?\n|$)/gu;
/** Parts of a message that a client puts around what hooks gave it, or that an install wrote. */
const wrapped = [
  /(?<=^|\n)[ \t]*<(hook_context|system-reminder|system_reminder)>[\s\S]*?<\/\1>/gu,
  /(?<=^|\n)<!-- heartwood:begin -->[\s\S]*?<!-- heartwood:end -->/gu,
];
const rootFront = /^\s*---\r?\n(?:[a-z-]+:[^\n]*\n)*?type: root\r?\n/u;

/** A message without what we put into it ourselves: fenced recall, hook output, a repeated ROOT.md. It is empty when there was nothing else. */
export function withoutInjected(text: string): string {
  if (rootFront.test(text)) return "";
  if (!text.includes("<<<") && !text.includes("<")) return text;
  let rest = text.includes("<<<") ? text.replaceAll(fence, "") : text;
  for (const part of wrapped) rest = rest.replaceAll(part, "");
  return rest === text ? text : rest.trim();
}
