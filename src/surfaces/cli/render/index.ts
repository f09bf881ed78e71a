import { renderAuditHistory, renderAuditUndo, renderAudit } from "./audit.ts";
import { renderCapture } from "./capture.ts";
import {
  renderCompact,
  renderInit,
  renderLogAdd,
  renderRoot,
  renderShow,
  renderTrace,
  renderTree,
  renderUndo,
  renderVerify,
} from "./tree.ts";
import { renderDoctor, renderStatus } from "./status.ts";
import { renderIndex, renderRead, renderRecall, renderSearch } from "./recall.ts";
import { screenOf, type Screen, type View } from "./layout.ts";
import { renderDrop, renderPending, renderSubmit, renderLedger, renderSummariesRun } from "./summaries.ts";
import * as compaction from "./threads.ts";
import * as thread from "./threads.ts";
import { renderCompiled, renderThreadVerify } from "./threads.ts";

/** A result as text for a person. Method syntax, so that each renderer names the one result type it is for. */
interface Renderer {
  render(result: unknown, screen: Screen): string;
}

/** By the name of the operation. All in one file of the build: together they are small, and each file costs a millisecond. */
const RENDERERS: Readonly<Record<string, Renderer>> = {
  "memory.init": { render: renderInit },
  "log.add": { render: renderLogAdd },
  "tree.compact": { render: renderCompact },
  "memory.status": { render: renderStatus },
  "tree.list": { render: renderTree },
  "tree.show": { render: renderShow },
  "tree.root": { render: renderRoot },
  "tree.trace": { render: renderTrace },
  "tree.verify": { render: renderVerify },
  "memory.undo": { render: renderUndo },
  "memory.doctor": { render: renderDoctor },
  "memory.search": { render: renderSearch },
  "memory.recall": { render: renderRecall },
  "memory.index": { render: renderIndex },
  "memory.read": { render: renderRead },
  "audit.run": { render: renderAudit },
  "audit.undo": { render: renderAuditUndo },
  "audit.history": { render: renderAuditHistory },
  "summaries.pending": { render: renderPending },
  "summaries.submit": { render: renderSubmit },
  "summaries.run": { render: renderSummariesRun },
  "summaries.ledger": { render: renderLedger },
  "summaries.drop": { render: renderDrop },
  "thread.create": { render: thread.renderThreadCreated },
  "thread.list": { render: thread.renderThreadList },
  "thread.get": { render: thread.renderThread },
  "thread.append": { render: thread.renderThreadAppend },
  "thread.import": { render: thread.renderThreadImport },
  "thread.branch": { render: thread.renderThreadChild },
  "thread.handoff": { render: thread.renderThreadChild },
  "compaction.cut_points": { render: compaction.renderCutPoints },
  "compaction.auto": { render: compaction.renderAuto },
  "compaction.auto.schedule": { render: compaction.renderSchedule },
  "compaction.manual": { render: compaction.renderManual },
  "compaction.status": { render: compaction.renderCompactionStatus },
  "job.run_pending": { render: compaction.renderRunPending },
  "context.compile": { render: renderCompiled },
  "thread.verify": { render: renderThreadVerify },
  "capture.run": { render: renderCapture },
  "capture.import": { render: renderCapture },
};

/** Names of the operations that have a renderer; a test compares them with the table. */
export const renderedOperations: readonly string[] = Object.keys(RENDERERS);

/** Renders a result for the sink that it goes to. An operation without a renderer is shown as JSON. */
export function renderResult(operation: string, result: unknown, view: View): string {
  const renderer = RENDERERS[operation];
  return renderer === undefined ? JSON.stringify(result, undefined, 2) : renderer.render(result, screenOf(view));
}
