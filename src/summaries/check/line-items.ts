import { readCodes } from "./codes.ts";
import { readDates, readTimes } from "./dates.ts";
import { Reading, type Item } from "./items.ts";
import { readNames } from "./names.ts";
import { hanValue, readNumbers } from "./numbers.ts";

const eastAsian = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;
const latinWord = /\p{Script=Latin}+/gu;
const german =
  /(?<!\p{L})(?:und|der|die|das|ist|nicht|für|mit|wird|wurde|ein|eine|einen|auf|von|zum|zur|den|dem|sind|soll|bei|am|im|durch|nach)(?!\p{L})|[äöüß]/u;

/** Whether a line may be German, which writes every noun with a capital. */
export function mayBeGerman(line: string): boolean {
  return german.test(line);
}

/** What of a line its sources should have. `title`: a name or heading of its writer's own, whose capitals say nothing. Linear. */
export function itemsOf(line: string, place: "title" | "text"): readonly Item[] {
  const text = withDigits(line.normalize("NFKC").replaceAll(/[‘’]/gu, "'"));
  const reading = new Reading(text);
  readDates(reading);
  readTimes(reading);
  readCodes(reading);
  readNumbers(reading);
  const script = scriptOf(text);
  readNames(reading, { title: place, eastAsian: script, german: german.test(text) ? "german" : "other" });
  readSpans(reading, text);
  return reading.items;
}

/** An English line that quotes a word of Korean is no Korean one, whose Latin words would all be names. */
function scriptOf(text: string): "eastAsian" | "other" {
  const letters = text.match(eastAsian)?.length ?? 0;
  return letters > 0 && letters >= (text.match(latinWord)?.length ?? 0) ? "eastAsian" : "other";
}

const hanDate =
  /(?<![第\p{Script=Han}])[一二三四五六七八九十]{1,3}(?=[月日号時点])|(?<=月)[一二三四五六七八九十]{1,3}(?=[日号])/gu;

/** `三月九日` as `3月9日`. */
function withDigits(text: string): string {
  return text.replaceAll(hanDate, (numeral) => String(hanValue(numeral)));
}

const code = /`([^`\n]{2,120})`/gu;
const quote = /["“„«「『]([^"“”„«»「」『』\n]{12,300})["”“»」』]/gu;

/** What stands in back quotes is meant literally, and what is quoted at length too. */
function readSpans(reading: Reading, text: string): void {
  if (text.includes("`"))
    for (const [, inner] of text.matchAll(code))
      for (const [word] of (inner ?? "").matchAll(/[A-Za-z][A-Za-z0-9_-]{2,60}/gu))
        reading.items.push({
          kind: "identifier",
          shown: word,
          keys: [`c${word.toLowerCase().replaceAll(/[^a-z0-9]/gu, "")}`, `w${word}`],
        });
  for (const [shown, inner] of text.matchAll(quote))
    reading.items.push({ kind: "quote", shown, keys: [`q${inner ?? ""}`] });
}
