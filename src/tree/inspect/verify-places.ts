import { Buffer } from "node:buffer";
import { withoutMarks } from "../../text/redact/span.ts";
import { parseRefSuffix, type Ref } from "../../base/refs.ts";
import { builtInSummarizer } from "../extract/built-in-summarizer.ts";
import { answerRule, spanAt } from "../model/node-format.ts";
import { thresholds } from "../compose/limits.ts";
import { logName } from "../compose/compose-day.ts";
import { daysCovered, memoryFolder, nodePath } from "../model/period.ts";
import type { TreeState } from "../model/tree-state.ts";
import type { SecretFinder } from "../run/known-secrets.ts";
import type { NodeFile } from "../run/node-files.ts";
import type { RecordedAnswers } from "../../summaries/run/answer-store.ts";
import type { Finding } from "../run/results.ts";

/** What a node is looked at with. */
export interface Surroundings {
  readonly state: TreeState;
  /** Paths of others' nodes that the next run rebuilds. */
  readonly adopted: ReadonlySet<string>;
  /** Paths of logs and nodes that are there but cannot be read. */
  readonly unread: ReadonlySet<string>;
  readonly answers: Pick<RecordedAnswers, "byDigest">;
  readonly secrets: SecretFinder;
}

/** Refs and spans point to lines that the raw logs had; summaries keep their limits. */
export function verifyPlaces(file: NodeFile, surroundings: Surroundings): readonly Finding[] {
  const { node, facts } = file;
  if (node === undefined) return [];
  const path = nodePath(facts.name);
  const findings: Finding[] = [];
  const isSummary = [builtInSummarizer.id, answerRule(builtInSummarizer.id)].includes(facts.madeBy);
  const near = daysCovered(facts.name.level, facts.name.period).first;
  node.body.forEach((text, index) => {
    if (spanAt(node.spans, index + 1) !== undefined) return;
    for (const ref of parseRefSuffix(text, near).refs)
      if (isSummary && !hasLines(surroundings, ref))
        findings.push({
          code: "dangling_ref",
          severity: "error",
          path,
          line: file.bodyLine + index,
          message: `line ${file.bodyLine + index} of ${path} names lines that no node has recorded`,
        });
  });
  for (const span of node.spans)
    if (
      span.at + span.count - 1 > node.body.length ||
      !hasLines(surroundings, { log: span.log, from: span.from, to: span.from + span.count - 1 })
    )
      findings.push({
        code: "dangling_ref",
        severity: "error",
        path,
        line: file.bodyLine + span.at - 1,
        message: `the span ${span.at}+${span.count} of ${path} names lines that no node has recorded`,
      });
  const limit = thresholds[facts.name.level].summary;
  // Secrets are taken out after the choice of what fits.
  const bytes = Buffer.byteLength(withoutMarks(node.body.join("\n"), () => "")) + 1;
  if (isSummary && (node.body.length > limit.lines || bytes > limit.bytes))
    findings.push({
      code: "summary_too_long",
      severity: "error",
      path,
      line: null,
      message: `the summary in ${path} has ${node.body.length} lines and ${bytes} bytes, more than ${limit.lines} and ${limit.bytes}`,
    });
  return findings;
}

/** What a node records that cannot be read is not known, and that it cannot be read is told of that node. */
function hasLines({ state, unread }: Surroundings, ref: Ref): boolean {
  const day = ref.log.slice(0, 10);
  if (ref.from === 0 || [...unread].some((path) => path.startsWith(`${memoryFolder}/daily/${day}.`))) return true;
  const sources = state.nodes.of("daily", day).flatMap((node) => node.sources);
  return sources.some((source) => source.kind === "raw" && logName(source.path) === ref.log && ref.to <= source.lines);
}
