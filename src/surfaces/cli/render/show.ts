import type { ShowResult } from "../../../tree/inspect/tree-view.ts";
import type { Screen } from "./screen.ts";

/** The file as it is; below it the addenda of the period, each under its path. */
export function renderShow({ text, late }: ShowResult, { paint }: Screen): string {
  const addenda = late.map((addendum) => `\n${paint.title(`--- ${addendum.path} (late) ---`)}\n\n${addendum.text}`);
  return [text, ...addenda].join("");
}
