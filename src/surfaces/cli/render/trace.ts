import type { TraceResult } from "../../../tree/inspect/trace-places.ts";
import { firstOf, placeOf } from "./layout.ts";
import type { Screen } from "./screen.ts";

/** Lines of a node that are shown of each step; the raw lines are shown whole. */
const STEP_LINES = 3;
const RAW_LINES = 12;

/** From the ROOT line down to the raw lines, one step a paragraph. */
export function renderTrace({ line, chain, raw }: TraceResult, { paint }: Screen): string {
  const head = [paint.title(`${line.path}:${line.line}`), indented(line.text, STEP_LINES)];
  const steps = chain
    .filter(({ path }) => path !== line.path)
    .flatMap(({ path, lines, text }) => ["", paint.title(placeOf(path, lines)), indented(text, STEP_LINES)]);
  const sources = raw.flatMap(({ path, lines, sha256, text, state, approximate, kept_in: kept }) => {
    const found = approximate === true ? "  (approximate: found by a program)" : "";
    const place = `${placeOf(path, lines)}${found}  ${stateText(state)}`.trimEnd();
    return [
      "",
      sha256 === "" ? paint.title(place) : `${paint.title(place)}  ${paint.dim(`sha256 ${sha256.slice(0, 16)}…`)}`,
      ...(kept === null ? [] : [`  ${paint.dim(`kept in ${placeOf(kept.path, kept.lines)}`)}`]),
      ...(text === "" ? [] : [indented(text, RAW_LINES)]),
    ];
  });
  return [...head, ...steps, ...sources].join("\n");
}

function stateText(state: TraceResult["raw"][number]["state"]): string {
  if (state === "found") return "";
  if (state === "moved") return "(moved here since)";
  return state === "missing" ? "(the log is not there any more)" : "(these lines were changed since)";
}

function indented(text: string, limit: number): string {
  return firstOf(text.replace(/\n+$/, "").split("\n"), limit, (row) => `  ${row}`.trimEnd()).join("\n");
}
