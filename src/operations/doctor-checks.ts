import { isTimeZone } from "../base/calendar.ts";
import { MemoryError, type Warning } from "../base/errors.ts";
import {
  configurationFile,
  hipocampusFile,
  readConfiguration,
  type Configuration,
} from "../tree/setup/configuration.ts";
import type { Check } from "./doctor-fix.ts";
import { chooseEmbedder } from "../recall/index/embedding.ts";
import { layoutFolders } from "../tree/setup/init.ts";
import type { Memory } from "./memory.ts";

/** The program, the clock, the configuration and the folders. Reports what it cannot read. */
export async function checkEnvironment(memory: Memory): Promise<readonly Check[]> {
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

/** A check that fails is a problem with the sentence of its failure. */
export async function attempt(name: string, check: () => Promise<readonly Check[]>): Promise<readonly Check[]> {
  try {
    return await check();
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    return [{ name, state: "problem", message: error.message, fix: null }];
  }
}

export function fine(name: string, message: string): Check {
  return { name, state: "ok", message, fix: null };
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
