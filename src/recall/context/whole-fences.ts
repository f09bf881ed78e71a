const fence = /^[ \t]*(?:[-*+] |\d{1,3}[.)] )?(`{3,}|~{3,})[ \t]*(\S*)/u;

/** A text that begins or ends within a block of code with the fence that it lacks, so that what stands behind it is no code. */
export function wholeFences(text: string): string {
  if (!text.includes("```") && !text.includes("~~~")) return text;
  const marks = text.split("\n").flatMap((line): readonly (readonly [mark: string, info: string, line: string])[] => {
    const [, mark, info = ""] = fence.exec(line) ?? [];
    return mark === undefined ? [] : [[mark, info, line]];
  });
  const [first] = marks;
  if (first === undefined || marks.length % 2 === 0) return text;
  const [mark, info, line] = first;
  // One that names a language, stands at the very beginning, or below a heading that begins the text, opens.
  return info !== "" || text.startsWith(line) || /^#{1,6} /u.test(text) ? `${text}\n${mark}` : `${mark}\n${text}`;
}
