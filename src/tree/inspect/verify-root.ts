import { monthOfWeek, weekOf, type Day } from "../../base/calendar.ts";
import { dayOfRef } from "../../base/refs.ts";
import { rootPath } from "../model/period.ts";
import { rootLimits, type RootLimits } from "../root/root-compose.ts";
import { rootLinesInOrder } from "../root/root-format.ts";
import type { TreeState } from "../model/state.ts";
import type { RootFile } from "../root-run/root-file.ts";
import { NodeShelf } from "../run/compose-node.ts";
import type { Configuration } from "../setup/configuration.ts";
import type { SecretFinder } from "../run/known-secrets.ts";
import type { LoadedTree } from "../run/load.ts";
import type { TreeMemory } from "../memory.ts";
import { type Finding, firstDifferenceBesideSecrets, secretFindings } from "./verify-node.ts";
import { monthlyFacts, renderRoot } from "../root-run/render-root.ts";
import type { RootDue } from "../root-run/root-run.ts";

/** ROOT.md: composed again for its own day it must give the same bytes, keep its cap, and trace to raw lines in every line. */
export async function verifyRoot(
  memory: TreeMemory,
  loaded: LoadedTree,
  work: { readonly configuration: Configuration; readonly due: RootDue; readonly secrets: SecretFinder },
): Promise<readonly Finding[]> {
  const root = loaded.root;
  const finding = (code: string, severity: Finding["severity"], line: number | null, message: string): Finding => ({
    code,
    severity,
    path: rootPath,
    line,
    message,
  });
  if (root === undefined)
    return monthlyFacts(loaded.state).length === 0
      ? []
      : [finding("root_missing", "info", null, `${rootPath} is not there: the next run writes it`)];
  // It is among the skipped files, which are told once.
  if (root.reading === "unreadable") return [];
  if (root.reading === "broken")
    return [finding("front_matter", "error", 1, `${rootPath} cannot be read: ${root.message}`)];
  const secrets = secretFindings(rootPath, work.secrets(rootPath, root.text));
  if (root.reading === "unknown" || root.document === undefined)
    return [
      ...secrets,
      finding(
        "not_ours",
        "info",
        null,
        `${rootPath} was not made by heartwood: the next run archives it and writes its own`,
      ),
    ];
  const limits = rootLimits(work.configuration.rootMaxTokens);
  const over = capFindings(root, { tokens: memory.tokens.count(root.text), limits }).map(({ code, message }) =>
    finding(code, "error", null, message),
  );
  const { reason } = work.due;
  if (reason !== undefined && reason !== "ages" && reason !== "answer") return [...secrets, ...over];
  const { answer } = root.document;
  const faults =
    answer === undefined ? [] : await (await import("../root-run/root-answered.ts")).answerFaults(memory, answer);
  if (faults.length > 0)
    return [
      ...secrets,
      ...over,
      ...faults.map(({ code, severity, message }) => finding(code, severity, null, message)),
    ];
  const made = {
    shelf: new NodeShelf(memory.files),
    day: root.lastUpdated ?? loaded.state.today,
    limits,
    foreign: root.document.foreign,
    answer,
  };
  const composed = await renderRoot(memory, loaded.state, made);
  const first = firstDifferenceBesideSecrets(composed.text, rootLinesInOrder(root.text));
  const differs =
    first === undefined
      ? []
      : [finding("not_reproducible", "error", first, `${rootPath} is not what its monthly nodes give`)];
  const untraced = composed.lines
    .filter((line) => !line.refs.some((ref) => hasOrigin(loaded.state, dayOfRef(ref))))
    .map((line) =>
      finding("not_traceable", "error", line.line, `line ${line.line} of ${rootPath} traces to no raw line`),
    );
  return [...secrets, ...over, ...differs, ...untraced];
}

/** Whether there is a daily node of that day, or above it a node of somebody else's, below which nothing is left. */
function hasOrigin(state: TreeState, day: Day): boolean {
  const week = weekOf(day);
  const above = [...state.nodes.of("weekly", week), ...state.nodes.of("monthly", monthOfWeek(week))];
  return state.nodes.of("daily", day).length > 0 || above.some((node) => node.reading === "unknown");
}

/** What of the limits a ROOT.md does not keep. */
function capFindings(
  root: Pick<RootFile, "text" | "bytes">,
  held: { readonly tokens: number; readonly limits: RootLimits },
): readonly { readonly code: string; readonly message: string }[] {
  const { tokens, limits } = held;
  const lines = root.text.split("\n").length - 1;
  const over: { readonly code: string; readonly message: string }[] = [];
  if (tokens > limits.tokens)
    over.push({
      code: "over_cap",
      message: `${rootPath} has ${tokens} tokens, more than the ${limits.tokens} of compaction.rootMaxTokens`,
    });
  if (lines > limits.lines || root.bytes.length > limits.bytes)
    over.push({
      code: "over_loaders_limit",
      message: `${rootPath} has ${lines} lines and ${root.bytes.length} bytes, more than the ${limits.lines} and ${limits.bytes} that loaders read`,
    });
  return over;
}
