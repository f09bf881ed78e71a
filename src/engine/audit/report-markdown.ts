import type { AuditResult } from "./results.ts";

/** The report for people. */
export function printAuditMarkdown(_result: AuditResult): string {
  return "# Memory audit\n";
}
