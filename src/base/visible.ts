import { shown } from "./shown.ts";

/** The beginning of a foreign text as one line for a message: without secrets, and without characters that a terminal would act on. */
export function visible(text: string, most: number): string {
  // Characters and not units, so that none is cut in half; redacted before it is cut.
  const one = shown(text, text.length * 2 + 64).replaceAll(/\s+/gu, " ");
  const clean = one.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, "\uFFFD").trim();
  const characters = [...clean];
  return characters.length <= most ? clean : `${characters.slice(0, most).join("")}…`;
}
