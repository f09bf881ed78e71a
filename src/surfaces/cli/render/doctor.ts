import type { DoctorResult } from "../../../operations/doctor-fix.ts";
import { columns } from "./layout.ts";
import type { Paint, Screen } from "./screen.ts";

type Check = DoctorResult["checks"][number];

/** The checks, with what to do about each problem. */
export function renderDoctor(result: DoctorResult, { paint }: Screen): string {
  const head = `heartwood ${result.version}, Node ${result.node}, ${result.dir}, ${result.time_zone}`;
  const rows = result.checks.map((check) => [markOf(check, paint), check.name, adviceOf(check)]);
  const fixed = result.fixed.map((what) => `${paint.good("Mended")} ${what}`);
  return [paint.title(head), ...columns(rows), ...fixed, verdictOf(result, paint)].join("\n");
}

function verdictOf({ ok, checks }: DoctorResult, paint: Paint): string {
  if (!ok) return paint.bad("There are problems; see above.");
  if (checks.some(({ name, state }) => name === "hooks" && state === "note"))
    return paint.warn("Nothing else stands in the way; see above what hooks could not do.");
  return paint.good("All is well.");
}

function markOf({ state }: Check, paint: Paint): string {
  if (state === "ok") return paint.good("ok");
  return state === "note" ? paint.warn("note") : paint.bad("problem");
}

function adviceOf({ message, fix }: Check): string {
  return fix === null ? message : `${message} → ${fix}`;
}
