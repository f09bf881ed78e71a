import { mostChosen } from "./prompt.ts";

/** Why an answer is refused. */
export type ChoiceFault = "not_numbers" | "out_of_range" | "too_many" | "cut_off";

export type ReadChoice = { readonly numbers: readonly number[] } | { readonly fault: ChoiceFault };

/** More is no list of some numbers. Characters, of what is left when thoughts are taken away. */
const longest = 1000;
const thoughts = /^\s*<think(?:ing)?>[^]*?<\/think(?:ing)?>/iu;
const fence = /^\s*```[a-z]*\s*([^`]*?)\s*```\s*$/iu;
const itemMarks = /^[ \t]*[*•-][ \t]+/gmu;
/** Numbers with signs of a list between them. */
const list = /^[[(#]*\d+(?:[\s,;[\]()#]+\d+)*[\s\].),;]*$/u;

/** The numbers that an answer gives, ascending, each once; none where it is 0. `of`: how many there are to choose from. Linear. */
export function readChoice(answer: string, of: number): ReadChoice {
  const said = answer.replace(thoughts, "");
  if (said.length > longest) return { fault: "not_numbers" };
  const text = (fence.exec(said)?.[1] ?? said).replaceAll(itemMarks, "").trim();
  if (!list.test(text)) return { fault: "not_numbers" };
  const numbers = [...new Set(Array.from(text.matchAll(/\d+/gu), ([digits]) => Number(digits)))];
  if (numbers.length === 1 && numbers[0] === 0) return { numbers: [] };
  if (numbers.some((number) => number < 1 || number > of)) return { fault: "out_of_range" };
  if (numbers.length > mostChosen) return { fault: "too_many" };
  return { numbers: numbers.toSorted((a, b) => a - b) };
}
