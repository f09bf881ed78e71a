import { expect, it } from "vitest";
import { runEnd, runStart } from "./runs.ts";

const pattern = /[\p{L}\p{N}][\p{L}\p{N}\p{M}'’._-]*/gu;

function runsIn(text: string): readonly string[] {
  const runs: string[] = [];
  let to = 0;
  for (let from = runStart(text, 0); from < text.length; from = runStart(text, to)) {
    to = runEnd(text, from);
    runs.push(text.slice(from, to));
  }
  return runs;
}

it.each([
  "",
  "  Plain words, it's a_b v1.2 -x- 'quoted' end.",
  "naïve café Straße Москва’s мир e\u0301te\u0301 ½ ²",
  "𝒜bc 𐐷x 😀 a😀b \ud83d lone \udc00 end\ud835",
  "العربية हिन्दी עברית ไทย",
])("finds the runs of letters that the pattern finds: %j", (text) => {
  expect(runsIn(text)).toEqual(text.match(pattern) ?? []);
});
