/** Soft hyphens, fillers, marks that hide, join or turn text, tag characters: nothing of a text is lost without them. */
const hidden =
  /\u034f|[\u17b4\u17b5]|[\u180b-\u180f]|[\u00ad\u061c\u115f\u1160\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/gu;
/** Joiners belong between letters of scripts that join, and in emoji. */
const loneJoiner =
  /(?<![\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])[\u200c\u200d]|[\u200c\u200d](?![\p{L}\p{Extended_Pictographic}])|(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Han}\p{Script=Hangul}])[\u200c\u200d]/gu;
/** One choice of a form belongs behind a character; more of them in a row carry something else. */
const loneSelector = /(?<=^|[\s\ufe00-\ufe0f])[\ufe00-\ufe0f]/gu;
const ansi = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/gu;
const lineEnds = /\r\n?|[\u0085\u2028\u2029]/gu;
/** They part words. */
const feeds = /[\v\f]/gu;
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/gu;

/**
 * A remembered text as it may stand in a prompt or on a terminal: without control characters, escape sequences, and characters that hide or turn text. Lines end
 * with LF, tabs stay. To apply it again changes nothing.
 */
export function seenText(text: string): string {
  if (plain.test(text)) return text;
  const lines = text
    .toWellFormed()
    .replaceAll(lineEnds, "\n")
    .replaceAll(feeds, " ")
    .replaceAll(ansi, "")
    .replaceAll(controls, "");
  let now = lines.replaceAll(hidden, "");
  // What stood between two marks may leave a third one alone.
  for (let before = ""; before !== now;) {
    before = now;
    now = now.replaceAll(loneJoiner, "").replaceAll(loneSelector, "");
  }
  return now;
}

const plain = /^[\t\n\x20-\x7e]*$/u;

/** The same on one line. */
export function seenLine(text: string): string {
  return seenText(text).replaceAll(/\s+/gu, " ").trim();
}
