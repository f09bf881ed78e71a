import type { UndoResult } from "../../../operations/undo.ts";
import { columns } from "./layout.ts";
import type { Screen } from "./screen.ts";

/** What was taken back, and what was left as it is. */
export function renderUndo({ undone, restored, removed, kept }: UndoResult, { paint }: Screen): string {
  const rows = [
    ...restored.map((path) => [paint.good("restored"), path]),
    ...removed.map((path) => ["removed", path]),
    ...kept.map(({ path, message }) => [paint.warn("kept"), path, message]),
  ];
  return [paint.title(`Taken back: ${undone}`), ...columns(rows)].join("\n");
}
