import type { DroppedResult, RootResult } from "../../../tree/root-run/root.ts";
import { columns, counted, cutTo, grouped } from "./layout.ts";
import type { Screen } from "./screen.ts";

/** ROOT.md as it is, or what did not fit into it. */
export function renderRoot(result: RootResult | DroppedResult, screen: Screen): string {
  return "text" in result ? result.text : renderDropped(result, screen);
}

function renderDropped({ cap, dropped }: DroppedResult, { columns: width, paint }: Screen): string {
  if (dropped.length === 0) return `Everything fits into the ${grouped(cap)} tokens of ROOT.md.`;
  const head = paint.title(`${counted(dropped.length, "line")} did not fit into the ${grouped(cap)} tokens of ROOT.md`);
  const rows = dropped.map(({ section, reason, tokens, text }) => {
    return [section, reason, `${grouped(tokens)} tokens`, cutTo(text, Math.max(24, width - 60))];
  });
  return [head, ...columns(rows)].join("\n");
}
