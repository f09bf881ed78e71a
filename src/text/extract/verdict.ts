import { once, remembering } from "../../base/lines.ts";
import type { Role } from "../../base/passage.ts";

/** The state of a piece of work, as stated explicitly. */
export type Verdict = "done" | "blocked" | "failed" | "abandoned";

/**
 * Words that state a verdict at the start of a text, as in `blocked by legal`. Words that mean done may also come at the
 * end, as in `all 12 steps done`: see `ends`.
 */
const starts = once((): readonly (readonly [Verdict, RegExp])[] => [
  [
    "blocked",
    /^(?:(?:is |are |still |currently )*(?:blocked|stuck|on hold)(?![\p{L}\p{N}-])|(?:ist )?blockiert(?!\p{L})|bloqué|bloquead[oa]|bloccat[oa]|zablokowan|заблокирован|차단됨|보류|保留|受阻|搁置|阻塞)/iu,
  ],
  [
    "failed",
    /^(?:(?:has |have |is |are |again )*failed(?![\p{L}\p{N}-])|(?:ist )?(?:fehlgeschlagen|gescheitert)|(?:a )?échoué|falló|fracas[oó]|falhou|fallit[oa]|nie powiod|не удал|실패|失敗|失败)/iu,
  ],
  [
    "abandoned",
    /^(?:(?:has been |is |was )?(?:abandoned|cancelled|canceled|dropped|won['’]t do|wontfix|rejected|withdrawn)(?![\p{L}\p{N}-])|(?:ist |wird )?(?:abgesagt|abgebrochen|verworfen|aufgegeben)|abandonné|annulé|abandonad[oa]|cancelad[oa]|abbandonat[oa]|annullat[oa]|porzucon|anulowan|отменен|отменён|취소|중단|포기|中止|キャンセル|取消|放弃)/iu,
  ],
  [
    "done",
    /^(?:✅|✔|(?:(?:is|are|was|were|has been|have been|now|all|everything|everything is|successfully|fully|100\s?%) )*(?:done|completed?|finished|shipped|merged|released|deployed|delivered|closed|fixed|resolved)(?![\p{L}\p{N}-])|(?:ist |alles |wurde )?(?:erledigt|fertig|abgeschlossen)(?!\p{L})|terminée?s?(?!\p{L})|fait(?!\p{L})|hecho(?!\p{L})|terminad[oa]s?|completad[oa]s?|conclu[ií]d[oa]s?|feito(?!\p{L})|fatto(?!\p{L})|completat[oa]|finit[oa](?!\p{L})|zrobion|gotowe(?!\p{L})|zakończon|готово|сделано|завершен|завершён|tamamlandı|bitti(?!\p{L})|완료|끝났|完了|完成|済み)/iu,
  ],
]);

const ends = once(
  () =>
    /(?:(?<![\p{L}\p{N}-])(?:done|completed|finished|shipped|merged|released|deployed|delivered|resolved|erledigt|abgeschlossen|terminée?s?|terminad[oa]s?|completad[oa]s?|conclu[ií]d[oa]s?|completat[oa]|завершен[оа]?|сделан[оа]?)|완료(?:됨|했음|했다|하였다|했습니다|되었다|됐다)?|完了(?:した|しました|済み)?|完成了?|✅|✔)[.!。！]?$/iu,
);
/** Words that mean done, followed by a destination: `update shipped to all 14 scanners`, `payment merged into main`. */
const within = once(
  () =>
    /^(?!(?:.*\b(?:the|a|an|our|their|its|this|that|these|those|each|every|of|previously|recently|already|newly|was|were)\s+(?:done|completed|finished|shipped|merged|released|deployed|delivered)\b))[\p{L}\p{N}#][^,;:]*?\s(?:shipped|merged|released|deployed|delivered)\s(?:to|in|into|on|with|as)\s/iu,
);

/** Words that make a statement partial, planned, wished, questioned or doubtful. */
const hedged = once(
  () =>
    /[?？]|(?<![\p{L}\p{N}_])(?:open(?! ?source)|offen|not|never|cannot|reverted|rolled back|\p{L}+n['’]t|yet|almost|nearly|half|partly|partially|mostly|some|except|but|though|although|however|still|remaining|missing|pending|waiting|awaiting|until|till|once|when|if|unless|will|would|should|could|may|might|must|shall|needs?|planned|plans?|expected|scheduled|tomorrow|next|soon|ready to|to be|going to|hope\p{L}*|supposed|claims?|says|said|thinks?|apparently|probably|maybe|nicht|noch|kein\p{L}*|fast|teilweise|bis|wenn|sobald|falls|soll\p{L}*|wird|werden|muss|morgen|außer|aber|pas|presque|sauf|mais|quand|demain|sera|casi|falta\p{L}*|excepto|pero|cuando|mañana|será|aún|todavía|não|quase|exceto|mas|quando|amanhã|ainda|non|quasi|tranne|ma|domani|ancora|nie|prawie|ale|jutro|jeszcze|не|почти|кроме|но|завтра|ещё|еще)(?![\p{L}\p{N}_])|미완|되지|않|후에|안 |못|아직|곧|내일|예정|되면|하면|해야|할 |필요|까지|제외|하지만|未|没|沒|尚|还|待|将|后再|之后|以后|计划|预计|除了|但|まだ|予定|ない|ません|したら|すれば|明日|待ち|以外|しかし/iu,
);

/** Recovery from a failure or block: `rejected twice, third one said yes`, `blocked until noon, free again`. */
const recovered =
  /^\S+ (?:once|twice|at first|first|initially)\b|[,;.:–—-]\s*(?:then|now|but|finally|eventually|later|again|third|second|next|solved|fixed|resolved|worked|works|passed|accepted|free)\b|\b(?:then|finally|eventually|now|again)\s+(?:works?|worked|passed|accepted|fixed|solved|free|ok)\b/iu;

const shareOf = /(\d+(?:[.,]\d+)*)\s?(?:\/|of|out of|von|sur|de|di|из|中)\s?(\d+(?:[.,]\d+)*)/giu;

/** Whether a text states a partial count or share: `3 of 12`, `1,017/1,020`, `40 %`. */
function isPart(text: string): boolean {
  const value = (figure: string): number => Number(figure.replaceAll(/[.,]/gu, ""));
  const shares = [...text.matchAll(shareOf)];
  if (shares.some(([, some = "", all = ""]) => value(some) < value(all))) return true;
  const [first = ""] = text.split(/[;；。](?=\s|$)|\.\s/u);
  return [...first.matchAll(/(\d+(?:[.,]\d+)?)\s?[%％]/gu)].some(
    ([, share = ""]) => Number(share.replace(",", ".")) < 100,
  );
}

/** Whether a text says that something remains to be done, or is planned, doubtful or partial. */
export function isOpenEnded(text: string): boolean {
  return hedged().test(text) || isPart(text);
}

const unfinished = once(
  () =>
    /(?<![\p{L}\p{N}_])(?:in progress|in review|ongoing|under way|started|blocked|pending|waiting|awaiting|paused|wip|partly|half|draft|not|never|\p{L}+n['’]t|yet|still|will|should|must|needs?|to be|tomorrow|next|nicht|noch|pas|encore|aún|todavía|não|ainda|non|ancora|nie|jeszcze|не|ещё|еще)(?![\p{L}\p{N}_])|진행|작업 중|검토 중|대기|보류|아직|안 |못|進行中|対応中|作業中|確認中|まだ|ない|未|进行中|处理中|尚|还|没/iu,
);

/** Whether a text says that work continues, waits or is still to come. */
export function isUnfinished(text: string): boolean {
  return unfinished().test(text);
}

/** Longer texts are reports, not verdicts. */
const longestVerdict = 220;

/**
 * The verdict that a labeled text (`outcome: …`, `status: …`) states explicitly; `undefined` if there is none or it is
 * uncertain. The first clause must state it, and no other clause may retract it.
 */
export function verdictOf(text: string): Verdict | undefined {
  const said = text.replaceAll(/\*\*|__|`/gu, "").trim();
  if (said.length > longestVerdict) return undefined;
  const [begun] = starts().find(([, pattern]) => pattern.test(said)) ?? [];
  if (begun !== undefined && begun !== "done")
    return isOfOneThing(begun, said) || /[?？]|^\S+ (?:if|when|until|unless)\b/iu.test(said) || recovered.test(said)
      ? undefined
      : begun;
  const first = said.split(/[;,；，。.](?=\s|$)|\s[–—-]\s/u)[0]?.trim() ?? "";
  if (isOpenEnded(said) || /\b(?:no|none|nothing|nobody)\b/iu.test(first)) return undefined;
  if (starts().some(([verdict, pattern]) => verdict !== "done" && mentions(said, pattern))) return undefined;
  if (begun === "done") return "done";
  // `waiting for what was merged before`: with such a word, the verdict counts only at the start.
  if (/\b(?:before|after|since|by)\b/iu.test(said)) return undefined;
  return ends().test(first) || ends().test(said) || within().test(first) ? "done" : undefined;
}

/** Whether the verdict is about one thing and not the whole work: `cancelled the old account, opened a new one`. */
function isOfOneThing(begun: Verdict, said: string): boolean {
  return begun === "abandoned" && /^\S+ (?:the|an?|my|our|his|her|its|their|one|two|\d+)\b/iu.test(said);
}

/** Whether any clause starts with the pattern. */
function mentions(text: string, pattern: RegExp): boolean {
  return text
    .split(/[;,；，。.]\s*|\s(?:and|und|et|y|e|[–—-])\s|\s(?=(?:failed|reverted|blocked|cancelled|abandoned)\b)/iu)
    .some((clause) => pattern.test(clause.trim()));
}

/** A longer text that ends in a word for done is about one thing, not the whole work. In words. */
const longestWhole = 5;

/** Whether the whole work is done, not just one step: the verdict has no object. */
export function isWholeDone(text: string): boolean {
  if (verdictOf(text) !== "done") return false;
  const said = text.replaceAll(/\*\*|__|`/gu, "").trim();
  // In a longer text, the word at the end is about the last thing: `first hire went fine, 38 parcels delivered`.
  if (starts().every(([, pattern]) => !pattern.test(said)) && said.split(/\s+/u).length > longestWhole) return false;
  // With an object, the verdict is about one thing: `fixed the tests`, `merged #12`.
  return !/^(?:done|completed?|finished|fixed|resolved|closed|shipped|merged|released|deployed|delivered)\s+(?!(?:to|in|into|on|with|for|by|after|at|as|and|since|behind|under|from|early|late|ahead|today|yesterday|now|\p{L}+ly)(?!\p{L}))[\p{L}\p{N}#`'"(]/iu.test(
    said,
  );
}

/** Whether a heading ends in a word for done that nothing retracts: `Old importer completed`. */
export function verdictAtEnd(heading: string): boolean {
  return ends().test(heading) && verdictOf(heading) === "done";
}

const roleOfKey = once((): readonly (readonly [RegExp, Role | "verdict"])[] => [
  [
    /^(?:(?:key )?decisions?|decided|chose|entscheidung(?:en)?|beschluss|decisi[oó]n(?:es)?|décisions?|decisione|decisioni|decis(?:ão|ões)|decyzj[ae]|решени[ея]|결정(?: ?사항)?|決定(?:事項)?|决定|决策)$/iu,
    "decision",
  ],
  [
    /^(?:outcomes?|results?|status|state|ergebnis(?:se)?|resultados?|estado|résultats?|état|statut|risultat[oi]|stato|wynik|stan|результат|статус|sonuç|durum|결과|상태|結果|状態|状态|结果)$/iu,
    "verdict",
  ],
  [
    /^(?:done|(?:tasks )?completed|finished|erledigt|hecho|fait|fatto|feito|zrobione|сделано|완료|完了|已完成)$/iu,
    "done",
  ],
  [/^(?:lessons?(?: learned)?|learned|insights?|교훈|教訓|学び|教训|经验)$/iu, "lesson"],
  [
    /^(?:open(?: items?| questions?)?|to-?do|next(?: steps?)?|pending|questions?|offen|pendientes?|à faire|da fare|pendências?|do zrobienia|осталось|미해결|할 ?일|다음|未解決|課題|宿題|待办|未解决)$/iu,
    "open",
  ],
  [/^(?:blocked(?: by| on)?|blocker|blockiert|bloqueado|bloqué)$/iu, "blocked"],
  [/^(?:failed|failure)$/iu, "failed"],
  [/^(?:abandoned|cancelled|canceled|dropped|won['’]t do)$/iu, "abandoned"],
]);

const keyNamed = remembering((key) => roleOfKey().find(([pattern]) => pattern.test(key.trim()))?.[1] ?? "none", 2_000);

/** The role that a key or heading such as `decisions` or `Open items` names, in the supported languages; `undefined` if none. */
export function roleNamed(key: string): Role | "verdict" | undefined {
  const role = keyNamed(key);
  return role === "none" ? undefined : role;
}
