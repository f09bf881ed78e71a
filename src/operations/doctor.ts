import { hookErrorsPath, readHookErrors } from "../agents/hooks/errors.ts";
import { isTimeZone } from "../base/calendar.ts";
import { ifMemoryError, type Warning } from "../base/errors.ts";
import { isTemporaryName } from "../base/known-paths.ts";
import { runFixes } from "./doctor-fix.ts";
import { attempt, checkTree, fine, note, problem, type Check } from "./doctor-tree.ts";
import type { FixedCost } from "./fixed-cost.ts";
import type { Memory } from "./operation.ts";
import { isForgetting } from "../tree/logs/forgotten.ts";
import { checkStanding } from "./status.ts";
import { shippedFile } from "../platform/program.ts";
import { chooseEmbedder, countEmbedded, embedderPackage } from "../recall/index/embedding.ts";
import type { NamedEmbedder } from "../recall/memory.ts";
import { parseRecordName, recordFolder, summaryKinds } from "../tree/answers/record.ts";
import { readRecord, ledgerPath, readLedgerFile } from "../tree/run/answer-store.ts";
import { shown } from "../text/shown.ts";
import type { DoctorInput } from "../tree/inputs.ts";
import { withLogicalLogs } from "../tree/memory.ts";
import {
  configurationFile,
  hipocampusFile,
  readConfiguration,
  type Configuration,
} from "../tree/setup/configuration.ts";
import { inspectGit } from "../tree/git/setup.ts";
import { layoutFolders } from "../tree/setup/init.ts";

export interface DoctorResult {
  readonly ok: boolean;
  readonly version: string;
  readonly node: string;
  readonly dir: string;
  readonly time_zone: string;
  readonly checks: readonly Check[];
  readonly fixed: readonly string[];
  /** With `cost`: one for each client, and for each way it loads tools. */
  readonly costs: readonly FixedCost[];
}

/**
 * Checks everything that could go wrong and reports how to fix it. Writes only with `fix`, which first repairs what is safe to repair. An unreadable file
 * is a failed check, not an error. Errors: `busy`, with `fix`.
 */
export async function runDoctor(opened: Memory, input: DoctorInput): Promise<DoctorResult> {
  const memory = await withLogicalLogs(opened).catch(ifMemoryError(() => opened));
  const fixes = input.fix === true ? await runFixes(memory) : undefined;
  const checks = [
    checkNode(memory),
    checkZone(memory),
    checkTrust(memory),
    ...(memory.user.warnings ?? []).map(configurationCheck),
    ...(await attempt("configuration", () => checkConfiguration(memory))),
    ...(await checkVectors(memory).catch(ifMemoryError(() => []))),
    ...(await attempt("qmd", () => checkQmd(memory))),
    ...(await attempt("folders", () => checkFolders(memory))),
    ...checkStanding(memory),
    ...(await checkTree(memory)),
    ...(await checkThreads(memory)),
    ...(await attempt("answers", () => checkRecords(memory))),
    ...(await attempt("forget", () => checkForgetting(memory))),
    ...(await attempt("ledger", () => checkLedger(memory))),
    ...(await attempt("hooks", () => checkHooks(memory))),
    ...(await attempt("git", () => checkGit(memory))),
    ...(fixes?.failed ?? []),
    ...(fixes === undefined || fixes.failed.length > 0 ? [] : [fine("disk", "it is writable")]),
  ];
  return {
    ok: checks.every((check) => check.state !== "problem"),
    version: memory.program.version,
    node: memory.program.node,
    dir: memory.dir,
    time_zone: memory.clock.zone,
    checks,
    fixed: fixes?.fixed ?? [],
    costs: input.cost === true ? await costsOf(memory) : [],
  };
}

/** Loaded late: most runs do not need the tools. */
async function costsOf({ tokens, dir }: Memory): Promise<readonly FixedCost[]> {
  const { createNodeClientFiles, findClientPlaces, readShipped } =
    await import("../agents/install/node-client-files.ts");
  const { fixedCosts, listedGroups } = await import("./fixed-cost.ts");
  const shipped = readShipped({ skills: shippedFile("skills"), plugins: shippedFile("plugins") });
  const { read } = createNodeClientFiles({ roots: [] });
  const listing = async () => listedGroups(read, { folders: findClientPlaces(dir), shipped });
  const listed = await listing().catch(ifMemoryError(() => undefined));
  return fixedCosts(tokens, shipped.skills, listed);
}

const leastNode = [22, 13] as const;

function checkNode({ program }: Memory): Check {
  const [major = 0, minor = 0] = program.node.split(".").map(Number);
  const isNewEnough = major > leastNode[0] || (major === leastNode[0] && minor >= leastNode[1]);
  if (isNewEnough) return fine("node", `Node ${program.node}`);
  const message = `Node ${program.node} is too old; heartwood needs ${leastNode.join(".")}`;
  return problem("node", message, "install a newer Node");
}

function checkZone({ clock }: Memory): Check {
  const fix = "set an IANA name such as Europe/Berlin with --time-zone or HEARTWOOD_TIME_ZONE";
  if (clock.zoneNote !== undefined) return note("time zone", clock.zoneNote, fix);
  if (isTimeZone(clock.zone)) return fine("time zone", `${clock.zone}, where today is ${clock.today()}`);
  return problem("time zone", `${clock.zone} is not a known time zone`, fix);
}

function checkTrust({ trust, dir }: Memory): Check {
  if (trust.state() === "trusted") return fine("trust", "agents' hooks and tools work in this folder");
  const message = "the folder is not trusted, so agents' hooks and tools do nothing in it";
  return note("trust", message, `heartwood trust ${dir}`);
}

async function checkConfiguration(memory: Memory): Promise<readonly Check[]> {
  const name = "configuration";
  const { configuration, warnings } = await readConfiguration(memory);
  const ofFile = warnings.filter((warning) => memory.user.warnings?.includes(warning) !== true);
  const checks = [...ofFile, ...(await chooseEmbedder(memory)).warnings].map(configurationCheck);
  if (configuration.file === "none") checks.push(note(name, "none, so the defaults apply", "heartwood init"));
  else if (checks.length === 0) checks.push(fine(name, `${configuration.file} is used`));
  return [...checks, checkPlatform(memory, configuration)];
}

function configurationCheck({ code, message, path = "" }: Warning): Check {
  const name = "configuration";
  switch (code) {
    case "unknown_key":
      return note(name, `${path}: ${message}`, `correct it in ${path}, or remove it`);
    case "adapter_removed":
      return note(name, message, `change it in ${path}`);
    case "two_configurations":
      return note(name, message, `copy what you need to ${configurationFile} and delete ${hipocampusFile}`);
    case "embedder_missing":
      return problem(name, message);
    case "embedder_unknown":
      return note(name, message, `correct search.embedModel in ${path}, or define it in your own settings`);
    case "embedder_failed":
      return note(name, message);
    default:
      return problem(name, message);
  }
}

/** Compares the configured platform with the one detected from the folder. */
function checkPlatform({ detected }: Memory, { platform, file }: Configuration): Check {
  const name = "platform";
  if (file === "none") return fine(name, `${detected.platform}: ${detected.because}`);
  if (detected.platform === "plain" || detected.platform === platform) return fine(name, platform);
  const looks = `${file} says ${platform}, but ${detected.because}, which suggests ${detected.platform}`;
  // Any other platform was chosen on purpose, and several agents can share a folder.
  if (platform !== "plain") return fine(name, looks);
  return note(name, looks, `set "platform" in ${file} to ${detected.platform} if that is what you use`);
}

async function checkVectors(memory: Memory): Promise<readonly Check[]> {
  const name = "vectors";
  const { embedder, warnings } = await chooseEmbedder(memory);
  const { search } = (await readConfiguration(memory)).configuration;
  if (search.vector === false || warnings.length > 0) return [];
  if (embedder === undefined)
    return [fine(name, `none, so recall matches by words; with ${embedderPackage} installed, also by meaning`)];
  if (embedder.pace === "instant") return checkWordVectors(memory, embedder);
  const counted = await countEmbedded(memory.searchIndex, embedder);
  if (counted === undefined) return [];
  const { embeddable, not_embedded } = counted;
  if (not_embedded === 0)
    return [fine(name, `${embeddable === 1 ? "1 statement" : `${embeddable} statements`}, by ${embedder.id}`)];
  const message = `${not_embedded} of ${embeddable} statements have none by ${embedder.id} yet, so recall finds them by words only`;
  return [note(name, message, "heartwood index --embed")];
}

async function checkWordVectors({ searchIndex, localState }: Memory, { id }: NamedEmbedder): Promise<readonly Check[]> {
  const none = { statements: 0, lacking: 0 };
  // An index that is not used is not opened either.
  const isUsed = !["foreign", "older"].includes(localState?.look().is ?? "");
  const counts = isUsed ? searchIndex.vectorCounts(id) : Promise.resolve(none);
  const { statements, lacking } = await counts.catch(ifMemoryError(() => none));
  if (lacking === 0)
    return [fine("vectors", `word vectors; with ${embedderPackage} installed, recall also compares whole sentences`)];
  const message = `${lacking} of ${statements} statements have no word vectors, so recall finds them by their own words only`;
  return [note("vectors", message, "heartwood index --rebuild")];
}

async function checkQmd({ user, commands }: Memory): Promise<readonly Check[]> {
  if (user.qmd === "off") return [];
  const program = await commands.find("qmd");
  if (program !== undefined) return [fine("qmd", `${program} runs after each compaction (${user.qmd})`)];
  const message = `your settings use qmd (${user.qmd}), but it is not on PATH`;
  return [note("qmd", message, "install qmd, or set it to off in your settings")];
}

async function checkFolders(memory: Memory): Promise<readonly Check[]> {
  const missing: string[] = [];
  for (const folder of layoutFolders) {
    const cut = folder.lastIndexOf("/");
    const siblings = await memory.files.list(folder.slice(0, Math.max(0, cut)));
    if (!siblings.some((entry) => entry.name === folder.slice(cut + 1))) missing.push(folder);
    else await memory.files.list(folder);
  }
  if (missing.length === 0) return [fine("folders", "all exist")];
  const message = `missing: ${missing.map((folder) => `${folder}/`).join(", ")}`;
  return [note("folders", message, "heartwood init")];
}

/** Checks whether the thread store is readable and which jobs are waiting. Reports nothing if there are no threads. */
export async function checkThreads(memory: Memory): Promise<readonly Check[]> {
  return attempt("threads", async () => {
    if (memory.team?.project === undefined && (await memory.files.list(".heartwood/threads")).length === 0) return [];
    const { total } = await memory.threads.heads({ limit: 1 });
    if (total === 0) return [];
    const jobs = await memory.threads.openJobs({});
    const jobsWith = (lease: string, what: string, fix: string): readonly Check[] => {
      const count = jobs.filter((job) => job.lease === lease).length;
      return count === 0 ? [] : [note("threads", `${count} ${count === 1 ? "job" : "jobs"} ${what}`, fix)];
    };
    return [
      fine("threads", total === 1 ? "1 thread" : `${total} threads`),
      ...jobsWith("over", "whose runner died", "run `heartwood thread run-pending`, which ends them"),
      ...jobsWith("none", "without a runner", "run `heartwood thread run-pending`"),
    ];
  });
}

async function checkForgetting({ files }: Memory): Promise<readonly Check[]> {
  if (!(await isForgetting(files))) return [];
  return [
    problem(
      "forget",
      "was interrupted, so parts of what it forgets are left",
      "run `heartwood compact`, which finishes it",
    ),
  ];
}

/** Finds recorded answers that cannot be used. Reports nothing if there are none. */
async function checkRecords(memory: Memory): Promise<readonly Check[]> {
  const checks: Check[] = [];
  let whole = 0;
  for (const kind of summaryKinds)
    for (const entry of await memory.files.list(recordFolder(kind))) {
      if (isTemporaryName(entry.name)) continue;
      const path = `${recordFolder(kind)}/${entry.name}`;
      const add = (check: typeof note, message: string, fix: string): void =>
        void checks.push(check("answers", `${shown(path, 300)} ${message}`, fix));
      if (/\.damaged-[0-9a-f]{8}$/u.test(entry.name))
        add(note, "was damaged and replaced by another answer", "look at it, then move it aside");
      else if (entry.kind !== "file" || parseRecordName(entry.name) === undefined)
        add(note, "is not named like a record and is not used", "move it aside");
      else if ((await readRecord(memory, path)) === "damaged") {
        const message = "does not match its checksum or its name, so it is not used";
        add(problem, message, "restore it from a backup or from git, or delete it");
      } else whole += 1;
    }
  return whole > 0 && checks.length === 0 ? [fine("answers", `all ${whole} recorded answers are intact`)] : checks;
}

async function checkLedger(memory: Memory): Promise<readonly Check[]> {
  if ((await memory.files.read(ledgerPath, { from: 0, to: 0 })) === undefined) return [];
  const { torn } = await readLedgerFile(memory);
  if (torn === 0) return [fine("ledger", `${ledgerPath} is readable`)];
  const lines =
    torn === 1 ? "1 line is truncated or invalid and was" : `${torn} lines are truncated or invalid and were`;
  return [note("ledger", `in ${ledgerPath}, ${lines} skipped: budgets may miss some of today's requests`)];
}

/** Checks how git merges the memory in this clone. Reports nothing if git does not track it. */
async function checkGit(memory: Memory): Promise<readonly Check[]> {
  const git = await inspectGit(memory);
  if (git === undefined || !(git.isShared || git.tracked.length > 0)) return [];
  const fix = "heartwood git setup";
  const list = (paths: readonly string[]): string =>
    paths
      .slice(0, 3)
      .map((path) => shown(path, 200))
      .join(", ");
  const checks: Check[] = [];
  if (git.tracked.length > 0) {
    const count = git.tracked.length === 1 ? "a file" : `${git.tracked.length} files`;
    checks.push(note("git", `git tracks ${count} of this machine: ${list(git.tracked)}`, `${fix}, then commit`));
  }
  if (git.gone.length > 0) checks.push(problem("git", `the merge driver is gone: ${list(git.gone)}`, fix));
  else if (!git.isSetUp)
    checks.push(note("git", "git tracks the memory, and two branches of one day will conflict", fix));
  else if (!git.isRegistered)
    checks.push(
      note("git", "in this clone git merges logs line by line, because it does not know the merge driver", fix),
    );
  return checks.length > 0 ? checks : [fine("git", "logs and records are merged entry by entry")];
}

const shownErrors = 3;

/** Reports failed hooks, because clients do not show the failures. */
async function checkHooks(memory: Memory): Promise<readonly Check[]> {
  const errors = await readHookErrors(memory.files);
  const newest = errors.toReversed().slice(0, shownErrors);
  const more = errors.length - newest.length;
  return newest.map(({ at, client, event, message }, index) => {
    const rest = index === newest.length - 1 && more > 0 ? ` (${more} older in ${hookErrorsPath})` : "";
    const fix = `fix the cause, then delete ${hookErrorsPath}`;
    return note("hooks", `${at} ${client} ${event}: ${message}${rest}`, fix);
  });
}
