import type { Progress } from "../base/passage.ts";

/** The words that say that a piece of work is finished; the list stands in this one place. */
const finished = /(?<![\p{L}\p{N}-])(?:completed|done|shipped|closed|merged)(?![\p{L}\p{N}-])|완료|完成|完了/iu;
const negated =
  /(?<![\p{L}\p{N}])(?:not|isn't|never|un)\s*(?:yet\s+)?(?:completed|done|shipped|closed|merged)|未完成|未完了|미완료/iu;

export function saysFinished(text: string): boolean {
  return finished.test(text) && !negated.test(text);
}

/** What an entry says of its topic: an outcome or status line or the heading with a word for finished, or all check boxes ticked. */
export function progressOf(heading: string, lines: readonly string[]): Progress {
  const verdicts = lines.filter(
    (line) =>
      /[:：]/u.test(line) &&
      /^\s*(?:[-*+]\s)?\s*\**(?:outcome|status|result|상태|결과|状態|状态)\**\s*[:：]/iu.test(line),
  );
  if (verdicts.length > 0) return verdicts.some(saysFinished) ? "done" : "active";
  if (saysFinished(heading)) return "done";
  const boxes = lines.filter((line) => line.includes("[") && /^\s*(?:[-*+]|\d{1,9}[.)])\s+\[[ xX]\]/u.test(line));
  return boxes.length > 0 && boxes.every((line) => /^[^[]*\[[xX]\]/u.test(line)) ? "done" : "active";
}
