/** Signs that a terminal would act on, that hide, or that turn text around. Joiners of emoji and of Persian and Indic writing stay. */
const hidden =
  /[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/** Of ASCII what has nothing to hide. */
const printable = /^[\n\r\t -~]*$/;

/**
 * A remembered text as one line that can be shown anywhere: white space becomes one space, what is hidden or acts on a screen is taken out. The marks
 * of a hit, `«` and `»`, are kept for hits: in the text they become `‹` and `›`.
 */
export function plainText(text: string): string {
  if (printable.test(text)) return text.replaceAll(/\s{2,}|[\n\r\t]/g, " ").trim();
  return text
    .toWellFormed()
    .replaceAll(hidden, "")
    .replaceAll(/\s+/gu, " ")
    .replaceAll("«", "‹")
    .replaceAll("»", "›")
    .trim();
}

const comment = /^[ \t]*<!--[^\n]*-->[ \t]*(?:\n|$)/gmu;
const headings = /^#{1,6}[ \t][^\n]*(?:\n+|$)/gmu;
const item = /\n\s*(?:[-*+]|\d{1,3}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?/gu;
const firstItem = /^\s*(?:[-*+]|\d{1,3}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?/u;

/** The lines of a note as one line: without its headings, which are told apart, and comments; `·` parts the items of a list. */
export function plainNote(text: string): string {
  const body = isOnlyHeadings(text) ? text : withoutHeadings(text);
  return plainText(body.replace(firstItem, "").replaceAll(item, " · "));
}

/** Whether a note says nothing below its headings. */
export function isOnlyHeadings(text: string): boolean {
  return withoutHeadings(text).trim() === "";
}

function withoutHeadings(text: string): string {
  return text.replaceAll(comment, "").replaceAll(headings, "");
}
