import type { Finding } from "../../../tree/inspect/verify-node.ts";
import type { VerifyResult } from "../../../tree/inspect/verify.ts";
import { columns, counted } from "./layout.ts";
import type { Screen } from "./screen.ts";

/** Whether the tree is what its sources make, and every finding. */
export function renderVerify({ ok, checked, findings }: VerifyResult, { paint }: Screen): string {
  const verdict = ok ? paint.good("The tree is sound") : paint.bad("The tree has findings");
  const rows = findings.map((finding) => [
    severityText(finding, paint),
    placeText(finding),
    finding.code,
    finding.message,
  ]);
  return [
    `${verdict}: ${counted(checked, "file")} checked, ${counted(findings.length, "finding")}.`,
    ...columns(rows),
  ].join("\n");
}

function severityText({ severity }: Finding, paint: Screen["paint"]): string {
  if (severity === "error") return paint.bad(severity);
  return severity === "warning" ? paint.warn(severity) : paint.dim(severity);
}

function placeText({ path, line }: Finding): string {
  return line === null ? path : `${path}:${line}`;
}
