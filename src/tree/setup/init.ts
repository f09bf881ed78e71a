import { MemoryError } from "../../base/errors.ts";
import { shown } from "../../text/shown.ts";
import { ignoreFile } from "../../base/known-paths.ts";
import type { FileChange } from "../../platform/files.ts";
import { memoryFolder, nodeLevels, parseLogFile } from "../model/period.ts";
import { configurationFile, hipocampusFile, readConfiguration } from "./configuration.ts";
import type { TreeMemory } from "../memory.ts";
import { encode } from "../run/node-files.ts";
import type { InitResult } from "../run/results.ts";
import { agentNames, configurationText, hotFiles } from "./templates.ts";
import { platforms } from "./platforms.ts";

/** The folders of a memory, parents before children. */
export const layoutFolders: readonly string[] = [
  memoryFolder,
  ...nodeLevels.map((level) => `${memoryFolder}/${level}`),
  ...agentNames.map((agent) => `${memoryFolder}/agents/${agent}`),
  "knowledge",
];

/**
 * Makes what is missing of a memory: folders, configuration and templates. Nothing that exists is touched. A configuration that stands
 * there says what the platform is. Errors: `invalid_platform`, `invalid_config`, `disk_full`, `io`.
 */
export async function runInit(memory: TreeMemory, input: { readonly platform?: string }): Promise<InitResult> {
  const platform = await platformOf(memory, input.platform);
  const present = await namesPresent(memory);
  const kept = present.has(hipocampusFile) && !present.has(configurationFile) ? [hipocampusFile] : [];
  const wanted = piecesFor(platform).filter((piece) => kept.length === 0 || piece.shown !== configurationFile);
  const missing = wanted.filter((piece) => !present.has(piece.shown));
  const made = new Set(await create(memory, missing));
  const isMade = (piece: Piece): boolean => made.has(piece.path);
  const isNew = made.size === missing.length && !hasSign(present);
  if (isNew) await grantTrust(memory);
  return {
    dir: memory.dir,
    platform,
    created: wanted.filter(isMade).map((piece) => piece.shown),
    kept: [...kept, ...wanted.filter((piece) => !isMade(piece)).map((piece) => piece.shown)],
    trust: memory.trust.state(),
    next: (await hasLogs(memory)) ? "heartwood compact" : firstEntry,
  };
}

/** Anything that recall or a hook could read: a folder that has one of these has a memory from elsewhere. */
const signs: readonly string[] = [
  ...new Set(layoutFolders.map((folder) => folder.split("/")[0] ?? folder)),
  configurationFile,
  hipocampusFile,
  ".heartwood",
  ...hotFiles.map(({ path }) => path),
];

/** On a disk that does not tell capitals from small letters, `Working.md` is WORKING.md. */
function hasSign(present: ReadonlySet<string>): boolean {
  const names = new Set([...present].map((name) => name.toLowerCase()));
  return signs.some((name) => names.has(name.toLowerCase()));
}

/** Where the user's state cannot be written the memory is made all the same; the result says that it is not trusted. */
async function grantTrust({ trust }: TreeMemory): Promise<void> {
  try {
    await trust.grant("init");
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
  }
}

/** What to run in a memory that holds nothing yet. */
export const firstEntry = 'heartwood log add --topic "Who I am" --type user --body "- name, role, time zone"';

async function platformOf(memory: TreeMemory, asked: string | undefined): Promise<string> {
  if (asked !== undefined && !(platforms as readonly string[]).includes(asked))
    throw new MemoryError(
      "invalid_platform",
      `The platform is "${shown(asked)}"; it must be one of ${platforms.join(", ")}.`,
      { platform: shown(asked) },
    );
  const { configuration } = await readConfiguration(memory);
  if (configuration.file === "none") return asked ?? memory.detected.platform;
  if (asked === undefined || asked === configuration.platform) return configuration.platform;
  throw new MemoryError(
    "invalid_platform",
    `The platform asked for is ${asked}, and ${configuration.file} says ${configuration.platform}; init changes no file that exists: change "platform" there, then run it again.`,
    { platform: asked, path: configuration.file },
  );
}

/** Something to make; `shown` is what people call it. */
interface Piece {
  readonly shown: string;
  readonly path: string;
  readonly text: string;
}

function piecesFor(platform: string): readonly Piece[] {
  const folders = layoutFolders
    .filter((folder) => folder !== memoryFolder)
    .map((folder): Piece => ({ shown: `${folder}/`, path: `${folder}/.gitkeep`, text: "" }));
  const files = [
    { path: configurationFile, text: configurationText(platform) },
    ...hotFiles.filter((file) => !file.notFor.includes(platform)),
    ignoreFile,
  ];
  return [...folders, ...files.map(({ path, text }): Piece => ({ shown: path, path, text }))];
}

/** Names of what stands there already, folders with a slash. A link of that name counts: it is not ours to replace. */
async function namesPresent(memory: TreeMemory): Promise<ReadonlySet<string>> {
  const present = new Set<string>();
  for (const folder of ["", memoryFolder, `${memoryFolder}/agents`, ".heartwood"])
    for (const entry of await memory.files.list(folder)) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      present.add(path).add(`${path}/`);
    }
  return present;
}

/** Makes the pieces and returns the paths that are new; what somebody else made meanwhile stays as it is. */
async function create(memory: TreeMemory, pieces: readonly Piece[]): Promise<readonly string[]> {
  if (pieces.length === 0) return [];
  const changes = pieces.map(({ path, text }): FileChange => ({ path, bytes: encode(text), expect: "absent" }));
  const outcomes = await memory.files.commit(changes);
  return outcomes.filter(({ outcome }) => outcome === "written").map(({ path }) => path);
}

async function hasLogs(memory: TreeMemory): Promise<boolean> {
  const entries = await memory.files.list(memoryFolder);
  return entries.some((entry) => entry.size > 0 && parseLogFile(entry.name).state === "log");
}
