import type { SummariesStatus } from "../../../summaries/run/inputs-and-results.ts";
import { aligned, bytesText, counted, firstOf, grouped, paragraphs, type Screen, type Paint } from "./layout.ts";
import { spentText } from "./summaries.ts";
import type { LevelCount, StatusResult } from "../../../operations/status.ts";
import type { EmbeddedCount } from "../../../recall/memory.ts";
import type { DoctorResult } from "../../../operations/doctor.ts";

const ROWS = 6;

export function renderStatus(result: StatusResult, screen: Screen): string {
  const { paint } = screen;
  return paragraphs([
    [paint.title(`${result.dir} (${result.platform}), ${result.today} in ${result.time_zone}`)],
    aligned(factRows(result)),
    result.trust === "trusted"
      ? []
      : [paint.warn("Not trusted: agents' hooks and tools do nothing here until you run `heartwood trust`")],
    dueLines(result, screen),
    lateLines(result, screen),
    fileLines(result, screen),
    summariesLines(result.summaries, screen),
    memoryLines(result, screen),
    result.skipped.map(({ path, message }) => paint.warn(`Skipped ${path}: ${message}`)),
    warningLines(result, screen),
    [`Next: ${paint.title(result.next)}`],
  ]);
}

function factRows({ raw, nodes, root, vectors, last_run }: StatusResult): readonly (readonly string[])[] {
  const span = raw.first === null ? "" : `, ${raw.first} to ${raw.last ?? raw.first}`;
  return [
    ["Raw logs", `${counted(raw.days, "day")}, ${counted(raw.files, "file")}, ${bytesText(raw.bytes)}${span}`],
    ["Daily", levelText(nodes.daily)],
    ["Weekly", levelText(nodes.weekly)],
    ["Monthly", levelText(nodes.monthly)],
    ["ROOT.md", rootText(root)],
    ...(vectors === null ? [] : [["Vectors", vectorsText(vectors)]]),
    ["Last run", last_run ?? "never"],
  ];
}

function vectorsText({ embedder, embeddable, not_embedded }: EmbeddedCount): string {
  return `${grouped(embeddable - not_embedded)} of ${counted(embeddable, "statement")}, by ${embedder}`;
}

function levelText({ total, fixed, tentative, late }: LevelCount): string {
  if (total === 0) return "none";
  const addenda = late === 0 ? "" : `, ${counted(late, "late addendum", "late addenda")}`;
  return `${counted(total, "node")}: ${grouped(fixed)} fixed, ${grouped(tentative)} tentative${addenda}`;
}

function rootText(root: StatusResult["root"]): string {
  if (root === null) return "not built yet";
  const dropped = root.dropped === 0 ? "" : `, ${grouped(root.dropped)} did not fit`;
  return `${grouped(root.tokens)} of ${grouped(root.cap)} tokens, ${counted(root.topics, "topic")}${dropped}, as of ${root.last_updated}`;
}

function dueLines({ due_nodes, run_due }: StatusResult, { paint }: Screen): readonly string[] {
  if (due_nodes.length === 0) return [paint.good("Nothing is due")];
  const run = run_due.yes ? `a run is due: ${run_due.reason}` : `no run is due yet: ${run_due.reason}`;
  const rows = aligned(due_nodes.map(({ period, level, reason, detail }) => [period, level, reason, detail]));
  return [paint.warn(`${counted(due_nodes.length, "node")} due; ${run}`), ...firstOf(rows, ROWS)];
}

function lateLines({ late }: StatusResult, { paint }: Screen): readonly string[] {
  if (late.length === 0) return [];
  const rows = aligned(
    late.map(({ path, code, addendum }) => {
      const pending = code === "source_missing" ? "deleted; its node stays" : "not added yet";
      return [path, code, addendum === null ? pending : `in ${addendum}`];
    }),
  );
  return [paint.title("Late data"), ...firstOf(rows, ROWS)];
}

/** Counts by kind; `doctor` lists each warning. */
function warningLines({ log_warnings: warnings }: StatusResult, { paint }: Screen): readonly string[] {
  if (warnings.length === 0) return [];
  const kinds = [...new Set(warnings.map(({ code }) => code))].map(
    (code) => `${warnings.filter((warning) => warning.code === code).length} ${code}`,
  );
  return [paint.warn(`Raw logs have warnings: ${kinds.join(", ")}; run heartwood doctor`)];
}

function fileLines({ files }: StatusResult, { paint }: Screen): readonly string[] {
  if (files.length === 0) return [];
  const rows = files.map(({ path, lines, target_lines, over, advice }) => {
    const size = `${grouped(lines)} of ${counted(target_lines, "line")}`;
    return [path, over ? `${paint.warn(`${size}, over its target`)}: ${advice ?? ""}` : size];
  });
  return [paint.title("Files against their targets"), ...aligned(rows)];
}

/** Shows which part of MEMORY.md agents do not see, or that it is getting too long. */
function memoryLines({ memory }: StatusResult, { paint }: Screen): readonly string[] {
  if (memory === null || memory.over.length === 0) return [];
  const { bytes, own_bytes, lines, loaded_lines, over } = memory;
  const advice = "`heartwood audit` shows what to remove.";
  if (!over.includes("loader_lines") && !over.includes("loader_bytes"))
    return [paint.warn(`MEMORY.md has ${grouped(own_bytes)} bytes, more than 15 KiB`) + `; ${advice}`];
  const size = `MEMORY.md has ${counted(lines, "line")} and ${grouped(bytes)} bytes`;
  const cut = loaded_lines === 0 ? "most of it" : `everything after line ${grouped(loaded_lines)}`;
  return [paint.bad(`${size}: loaders cut off ${cut}`) + ` (they read 200 lines or 25,000 bytes); ${advice}`];
}

/** Shows summaries by a model, if one is configured or answers are recorded. */
export function summariesLines(status: SummariesStatus, { paint }: Screen): readonly string[] {
  const { adapter, model, pending, waiting, late, refused, spent, budgets } = status;
  const choices = choiceLines(status, paint);
  const isUsed =
    adapter !== "off" ||
    late.length + refused > 0 ||
    (status.chooser === undefined && spent.requests + spent.tokens > 0);
  if (!isUsed) return choices;
  const rows = [
    ...(pending === 0
      ? []
      : [["Pending", `${counted(pending, "summary", "summaries")} (heartwood summaries pending)`]]),
    ...(refused === 0 ? [] : [["Refused", paint.warn(counted(refused, "answer"))]]),
    ...(spent.requests === 0 && (budgets === null || adapter === "pull")
      ? []
      : [["Today", spentText({ spent, budgets })]]),
  ];
  return [
    paint.title(`Summaries by ${adapter === "off" ? "a model: off" : (model ?? adapter)}`),
    ...aligned(rows),
    ...firstOf(aligned(waiting.map(waitingRow)), ROWS),
    ...firstOf(aligned(late.map(({ path, reopen }) => [path, "answered late", reopen])), ROWS),
    ...choices,
  ];
}

/** The day's requests against the budget of the chooser. */
function choiceLines({ chooser, spent }: SummariesStatus, paint: Screen["paint"]): readonly string[] {
  if (chooser === undefined) return [];
  const title = paint.title(`Recall nodes chosen by ${chooser.model}`);
  return [title, ...aligned([["Today", spentText({ spent, budgets: chooser.budgets })]])];
}

/** A node waiting for an answer, and how long it will wait. */
function waitingRow({ path, runs, since, until }: SummariesStatus["waiting"][number]): readonly string[] {
  const begun = since === null ? "" : `since ${since} (${counted(runs, "run")})`;
  return [
    path,
    "waiting for an answer",
    [begun, ...(until === null ? [] : [`until ${until}`])].filter(Boolean).join(", "),
  ];
}

type Check = DoctorResult["checks"][number];

export function renderDoctor(result: DoctorResult, { paint }: Screen): string {
  const head = `heartwood ${result.version}, Node ${result.node}, ${result.dir}, ${result.time_zone}`;
  const rows = result.checks.map((check) => {
    const { name, message, fix } = check;
    return [markOf(check, paint), name, fix === null ? message : `${message} → ${fix}`];
  });
  const fixed = result.fixed.map((what) => `${paint.good("Fixed")} ${what}`);
  return [paint.title(head), ...aligned(rows), ...fixed, verdictOf(result, paint), ...costLines(result, paint)].join(
    "\n",
  );
}

/** A table of the tokens that heartwood adds to every request. */
function costLines({ costs }: DoctorResult, paint: Paint): readonly string[] {
  if (costs.length === 0) return [];
  const rows = costs.map(({ client, way, tools, instructions, skills, block, total }) => {
    const name = way === null ? client : `${client} (${way})`;
    return [name, ...[tools, instructions, skills, block, total].map(String)];
  });
  const head = ["client", "tools", "instructions", "skills", "section", "total"];
  return ["", paint.title("Tokens added to every request"), ...aligned([head, ...rows])];
}

function verdictOf({ ok, checks }: DoctorResult, paint: Paint): string {
  if (!ok) return paint.bad("There are problems; see above.");
  const noted = new Set(checks.filter(({ state }) => state === "note").map(({ name }) => name));
  if (noted.has("raw logs")) return paint.warn("There are warnings; see above.");
  if (noted.has("hooks")) return paint.warn("No problems, but hooks reported errors; see above.");
  return paint.good("No problems found.");
}

function markOf({ state }: Check, paint: Paint): string {
  if (state === "ok") return paint.good("ok");
  return state === "note" ? paint.warn("note") : paint.bad("problem");
}
