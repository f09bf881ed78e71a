import { hookErrorsPath, readHookErrors } from "../agents/hooks/errors.ts";
import { isTimeZone } from "../base/calendar.ts";
import { MemoryError, type Warning } from "../base/errors.ts";
import { isTemporaryName } from "../base/known-paths.ts";
import { runFixes, type Fixes } from "./doctor-fix.ts";
import { fine, checkTree, attempt, type Check } from "./doctor-tree.ts";
import type { Memory } from "./operation.ts";
import { checkStanding } from "./status.ts";
import { chooseEmbedder } from "../recall/index/embedding.ts";
import { parseRecordName, recordFolder, summaryKinds } from "../tree/answers/record.ts";
import { readRecord, ledgerPath, readLedgerFile } from "../tree/run/answer-store.ts";
import { shown } from "../text/shown.ts";
import type { DoctorInput } from "../tree/inputs.ts";
import { withLogicalLogs } from "../tree/logs/logical-logs.ts";
import {
  configurationFile,
  hipocampusFile,
  readConfiguration,
  type Configuration,
} from "../tree/setup/configuration.ts";
import { layoutFolders } from "../tree/setup/init.ts";

export interface DoctorResult {
  readonly ok: boolean;
  readonly version: string;
  readonly node: string;
  readonly dir: string;
  readonly time_zone: string;
  readonly checks: readonly {
    readonly name: string;
    readonly state: "ok" | "note" | "problem";
    readonly message: string;
    readonly fix: string | null;
  }[];
  readonly fixed: readonly string[];
}

/**
 * Looks at everything that could stand in the way and says what mends it. Writes nothing without `fix`; with it, mends what is safe first and then
 * looks. What it cannot read is a check that failed, not an error. Errors: `busy`, with `fix`.
 */
export async function runDoctor(opened: Memory, input: DoctorInput): Promise<DoctorResult> {
  const memory = await withLogicalLogs(opened).catch((error: unknown) => {
    if (!(error instanceof MemoryError)) throw error;
    return opened;
  });
  const fixes: Fixes | undefined = input.fix === true ? await runFixes(memory) : undefined;
  const written = fixes === undefined || fixes.failed.length > 0 ? [] : [fine("disk", "can be written to")];
  const checks = [
    ...(await checkEnvironment(memory)),
    ...checkStanding(memory),
    ...(await checkTree(memory)),
    ...(await checkThreads(memory)),
    ...(await checkAnswers(memory)),
    ...(await checkHooks(memory)),
    ...(fixes?.failed ?? []),
    ...written,
  ];
  return {
    ok: checks.every((check) => check.state !== "problem"),
    version: memory.program.version,
    node: memory.program.node,
    dir: memory.dir,
    time_zone: memory.clock.zone,
    checks,
    fixed: fixes?.fixed ?? [],
  };
}

/** The program, the clock, the configuration and the folders. Reports what it cannot read. */
async function checkEnvironment(memory: Memory): Promise<readonly Check[]> {
  return [
    checkNode(memory),
    checkZone(memory),
    checkTrust(memory),
    ...(memory.user.warnings ?? []).map(configurationCheck),
    ...(await attempt("configuration", () => checkConfiguration(memory))),
    ...(await attempt("qmd", () => checkQmd(memory))),
    ...(await attempt("folders", () => checkFolders(memory))),
  ];
}

const leastNode = [22, 13] as const;

function checkNode(memory: Memory): Check {
  const [major = 0, minor = 0] = memory.program.node.split(".").map(Number);
  const isNewEnough = major > leastNode[0] || (major === leastNode[0] && minor >= leastNode[1]);
  if (isNewEnough) return fine("node", `Node ${memory.program.node}`);
  const message = `Node is ${memory.program.node}; it must be ${leastNode.join(".")} or newer`;
  return { name: "node", state: "problem", message, fix: "install a newer Node" };
}

function checkZone(memory: Memory): Check {
  const { zone, zoneNote } = memory.clock;
  const fix = "give an IANA name such as Europe/Berlin with --time-zone or HEARTWOOD_TIME_ZONE";
  if (zoneNote !== undefined) return { name: "time zone", state: "note", message: zoneNote, fix };
  if (isTimeZone(zone)) return fine("time zone", `${zone}, where today is ${memory.clock.today()}`);
  return { name: "time zone", state: "problem", message: `the time zone ${zone} is not known`, fix };
}

function checkTrust({ trust, dir }: Memory): Check {
  if (trust.state() === "trusted") return fine("trust", "agents' hooks and tools act in this folder");
  const message = "the folder is not trusted, so agents' hooks and tools do nothing in it";
  return { name: "trust", state: "note", message, fix: `heartwood trust ${dir}` };
}

async function checkConfiguration(memory: Memory): Promise<readonly Check[]> {
  const { configuration, warnings } = await readConfiguration(memory);
  const ofFile = warnings.filter((warning) => memory.user.warnings?.includes(warning) !== true);
  const ofEmbedder = (await chooseEmbedder(memory)).warnings;
  const checks = [...ofFile, ...ofEmbedder].map(configurationCheck);
  if (configuration.file === "none")
    checks.push({
      name: "configuration",
      state: "note",
      message: "there is none, so the defaults hold",
      fix: "heartwood init",
    });
  else if (checks.length === 0) checks.push(fine("configuration", `${configuration.file} is used`));
  return [...checks, checkPlatform(memory, configuration)];
}

function configurationCheck({ code, message, path = "" }: Warning): Check {
  const note = { name: "configuration", state: "note" } as const;
  switch (code) {
    case "unknown_key":
      return { ...note, message: `${path}: ${message}`, fix: `correct it in ${path}, or remove it` };
    case "adapter_removed":
      return { ...note, message, fix: `change it in ${path}` };
    case "two_configurations":
      return {
        ...note,
        message,
        fix: `take over what you need into ${configurationFile} and delete ${hipocampusFile}`,
      };
    case "embedder_unknown":
      return { ...note, message, fix: `correct search.embedModel in ${path}, or define it in your own settings` };
    case "embedder_failed":
      return { ...note, message, fix: null };
    default:
      return { ...note, state: "problem", message, fix: null };
  }
}

/** What the configuration says, next to what the folder looks like. */
function checkPlatform(memory: Memory, configuration: Configuration): Check {
  const { platform, file } = configuration;
  const { detected } = memory;
  const name = "platform";
  if (file === "none") return fine(name, `${detected.platform}: ${detected.because}`);
  if (detected.platform === "plain" || detected.platform === platform) return fine(name, platform);
  const looks = `${file} says ${platform}; ${detected.because}, as with ${detected.platform}`;
  // Any other platform was chosen by somebody, and several agents can share a folder.
  if (platform !== "plain") return fine(name, looks);
  const fix = `set "platform" in ${file} to ${detected.platform} if that is what you use`;
  return { name, state: "note", message: looks, fix };
}

async function checkQmd(memory: Memory): Promise<readonly Check[]> {
  if (memory.user.qmd === "off") return [];
  const program = await memory.commands.find("qmd");
  if (program !== undefined) return [fine("qmd", `${program} is run after a compaction (${memory.user.qmd})`)];
  const message = `your settings ask for qmd (${memory.user.qmd}), and it is not on PATH`;
  return [{ name: "qmd", state: "note", message, fix: "install qmd, or set it to off in your settings" }];
}

async function checkFolders(memory: Memory): Promise<readonly Check[]> {
  const missing: string[] = [];
  for (const folder of layoutFolders) {
    const cut = folder.lastIndexOf("/");
    const siblings = missing.some((above) => folder.startsWith(`${above}/`))
      ? []
      : await memory.files.list(folder.slice(0, Math.max(0, cut)));
    if (!siblings.some((entry) => entry.name === folder.slice(cut + 1))) missing.push(folder);
    else await memory.files.list(folder);
  }
  if (missing.length === 0) return [fine("folders", "all are there")];
  const message = `not there yet: ${missing.map((folder) => `${folder}/`).join(", ")}`;
  return [{ name: "folders", state: "note", message, fix: "heartwood init" }];
}

/** Whether the store of threads can be read, and what waits in it. Nothing where there are no threads. */
export async function checkThreads(memory: Memory): Promise<readonly Check[]> {
  return attempt("threads", async () => {
    if ((await memory.files.list(".heartwood/threads")).length === 0) return [];
    const { total } = await memory.threads.heads({ limit: 1 });
    if (total === 0) return [];
    const jobs = await memory.threads.openJobs({});
    const dead = jobs.filter(({ lease }) => lease === "over").length;
    const waiting = jobs.filter(({ lease }) => lease === "none").length;
    return [
      fine("threads", total === 1 ? "1 thread" : `${total} threads`),
      ...noteOf(dead, "whose runner died", "run `heartwood thread run-pending`, which ends them"),
      ...noteOf(waiting, "that nobody runs", "run `heartwood thread run-pending`"),
    ];
  });
}

function noteOf(count: number, which: string, fix: string): readonly Check[] {
  if (count === 0) return [];
  return [{ name: "threads", state: "note", message: `${count} ${count === 1 ? "job" : "jobs"} ${which}`, fix }];
}

/** Records that cannot be used, and a ledger that cannot be read. Says nothing where there are neither. */
async function checkAnswers(memory: Memory): Promise<readonly Check[]> {
  return [
    ...(await attempt("answers", () => checkRecords(memory))),
    ...(await attempt("ledger", () => checkLedger(memory))),
  ];
}

async function checkRecords(memory: Memory): Promise<readonly Check[]> {
  const checks: Check[] = [];
  let whole = 0;
  for (const kind of summaryKinds)
    for (const entry of await memory.files.list(recordFolder(kind))) {
      if (isTemporaryName(entry.name)) continue;
      const path = `${recordFolder(kind)}/${entry.name}`;
      const isNamed = entry.kind === "file" && parseRecordName(entry.name) !== undefined;
      const check = (state: Check["state"], what: string, fix: string): number =>
        checks.push({ name: "answers", state, message: `${shown(path, 300)} ${what}`, fix });
      if (/\.damaged-[0-9a-f]{8}$/u.test(entry.name))
        check("note", "was damaged and is kept; another answer stands in its place", "look at it, then move it away");
      else if (!isNamed) check("note", "is no record by its name and is not used", "move it away");
      else if ((await readRecord(memory, path)) === "damaged")
        check(
          "problem",
          "does not give its own checksum, or is not what its name says: it is not used",
          "restore it from a backup or from git, or delete it",
        );
      else whole += 1;
    }
  return whole > 0 && checks.length === 0 ? [fine("answers", `${whole} on record, all of them whole`)] : checks;
}

async function checkLedger(memory: Memory): Promise<readonly Check[]> {
  if ((await memory.files.read(ledgerPath, { from: 0, to: 0 })) === undefined) return [];
  const { torn } = await readLedgerFile(memory);
  if (torn === 0) return [fine("ledger", `${ledgerPath} can be read`)];
  const message = `${torn} of the lines of ${ledgerPath} are torn or not ours, and are passed over: budgets of the day may not know a request`;
  return [{ name: "ledger", state: "note", message, fix: null }];
}

/** Failures that are shown, the newest first. */
const shownErrors = 3;

/** What went wrong in hooks, which their clients never see. Nothing where nothing did. */
async function checkHooks(memory: Memory): Promise<readonly Check[]> {
  return attempt("hooks", async () => {
    const errors = await readHookErrors(memory.files);
    const newest = errors.toReversed().slice(0, shownErrors);
    const more = errors.length - newest.length;
    return newest.map(({ at, client, event, message }, index): Check => {
      const rest = index === newest.length - 1 && more > 0 ? ` (${more} older in ${hookErrorsPath})` : "";
      const fix = `mend what it says; delete ${hookErrorsPath} when that is done`;
      return { name: "hooks", state: "note", message: `${at} ${client} ${event}: ${message}${rest}`, fix };
    });
  });
}
