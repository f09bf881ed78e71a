import type { Progress } from "../../base/passage.ts";

/** The words that say that a piece of work is finished; the list stands in this one place. */
const finished = /(?<![\p{L}\p{N}-])(?:completed|done|shipped|closed|merged)(?![\p{L}\p{N}-])|완료|完成|完了/iu;

/** What stands before such a word when it is denied, planned, asked for or a part only, within the clause. */
const unfinishedBefore =
  /(?:\b(?:not|never|no|nothing|none|nobody|cannot|\w+n['’]?t|un|yet|to be|be|will|would|shall|should|must|may|might|could|can|going to|needs?|almost|nearly|half|partly|partially|mostly|until|till|once|when|if|before|unless|after|waiting|plan\w*|expect\w*|scheduled|aims?|hopes?|tomorrow|ready)\b|\d\s?%|\d\s?(?:of|\/)\s?\d+)[^.;,]*$|미$|안\s?$|못\s?$|아직.*$|곧.*$|내일.*$|未$|没有?$|沒有?$|尚未$|还没.*$|待$|将.*$|将要.*$|即将.*$|计划.*$|預計.*$|预计.*$|まだ.*$/iu;

/** What stands behind such a word when it is denied, planned or asked for. */
const unfinishedAfter =
  /^(?:\s*[?？]|\s+(?:tomorrow|soon|next|later|when|once|if)\b|\s*(?:되지|하지|되면|하면|될|할|해야|예정|전|못|안|필요|후|률|율|까지|목표|를? 목표|도 )|\s*(?:して(?:い)?(?:な|ませ)|しな|しませ|せず|できな|ではな|の?予定|待ち|前|したら|すれば|する(?:予定|まで)|見込|率|度|时|後に|后|之后|以后|计划|目标))/iu;

/** Whether a text says that something is finished: no part of it that names the end denies it, or plans it. */
export function saysFinished(text: string): boolean {
  const said = verdictsIn(text);
  return said.length > 0 && said.every((verdict) => verdict === "finished");
}

/** Whether a text says that something is not finished, or only planned. */
export function saysUnfinished(text: string): boolean {
  return verdictsIn(text).includes("unfinished");
}

/** Characters around such a word that are looked at. */
const near = 80;

/** What each clause that names the end says of it. */
function verdictsIn(text: string): readonly ("finished" | "unfinished")[] {
  if (!finished.test(text)) return [];
  return text.split(/[.;,。；，、](?!\d)|\s[–—-]\s|\bbut\b/iu).flatMap((clause) => {
    const match = finished.exec(clause);
    if (match === null) return [];
    const after = clause.slice(match.index + match[0].length).slice(0, near);
    return unfinishedBefore.test(clause.slice(Math.max(0, match.index - near), match.index)) ||
      unfinishedAfter.test(after)
      ? ["unfinished"]
      : ["finished"];
  });
}

/** What an entry says of its topic: an outcome or status line or the heading with a word for finished, or all check boxes ticked. */
export function progressOf(heading: string, lines: readonly string[]): Progress {
  const verdicts = lines.filter(
    (line) =>
      /[:：]/u.test(line) &&
      /^\s*(?:(?:[-*+]|\d{1,9}[.)])\s)?\s*\**(?:outcome|status|result|상태|결과|状態|状态|結果|结果)\**\s*[:：]/iu.test(
        line,
      ),
  );
  if (verdicts.length > 0) return verdicts.some(saysFinished) ? "done" : "active";
  if (saysFinished(heading)) return "done";
  const boxes = lines.filter((line) => line.includes("[") && /^\s*(?:[-*+]|\d{1,9}[.)])\s+\[[ xX]\]/u.test(line));
  return boxes.length > 0 && boxes.every((line) => /^[^[]*\[[xX]\]/u.test(line)) ? "done" : "active";
}
