// What surfaces need of the pure report.
export { reportOf, saysTheSame, sectionName, tellingQuotes } from "../model/report.ts";
export type { AuditReport, AuditAction, ReportLimits, Saving, Shortened } from "../model/report.ts";
export { aroundDifferences, wordDifferences } from "../model/word-differences.ts";
export type { Stretch } from "../model/word-differences.ts";
export type { CrossFileIssue, NoteFigures, QuotedLine, SectionFigures } from "../model/analysis.ts";
export type { AuditFinding, LinePair } from "../model/finding.ts";
