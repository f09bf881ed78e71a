import { remembering } from "../../base/lines.ts";
import type { Role } from "../../base/passage.ts";

const roleOfKey: readonly (readonly [RegExp, Role | "verdict"])[] = [
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
];

const keyNamed = remembering((key) => roleOfKey.find(([pattern]) => pattern.test(key.trim()))?.[1] ?? "none", 2_000);

/** The role that a key or heading such as `decisions` or `Open items` names, in the supported languages; `undefined` if none. */
export function roleNamed(key: string): Role | "verdict" | undefined {
  const role = keyNamed(key);
  return role === "none" ? undefined : role;
}
