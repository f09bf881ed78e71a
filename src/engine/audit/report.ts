// What surfaces need of the pure report.
export { reportOf, saysTheSame, sectionName, tellingQuotes } from "../../audit/report.ts";
export type { AuditReport, AuditAction, ReportLimits, Saving, Shortened } from "../../audit/report.ts";
export { aroundDifferences, wordDifferences } from "../../audit/word-differences.ts";
export type { Stretch } from "../../audit/word-differences.ts";
export type { CrossFileIssue, NoteFigures, QuotedLine, SectionFigures } from "../../audit/analysis.ts";
export type { AuditFinding, LinePair } from "../../audit/finding.ts";
