import { ifMemoryError, MemoryError } from "../../base/errors.ts";
import { ignoreFile } from "../../base/known-paths.ts";
import type { FileChange } from "../../platform/files.ts";
import { memoryFolder, nodeLevels, parseLogFile } from "../model/period.ts";
import { inspectGit } from "../git/setup.ts";
import { configurationFile, hipocampusFile, readConfiguration } from "./configuration.ts";
import type { TreeMemory } from "../memory.ts";
import { encode } from "../run/tree-files.ts";

/** A hot file as written by `init`, and its target size. */
export interface HotFile {
  readonly path: string;
  /** In lines. */
  readonly target: number;
  /** What to do when the file exceeds its target. */
  readonly advice: string;
  readonly text: string;
  /** Platforms that keep this kind of memory themselves, so the file is not created. */
  readonly notFor: readonly string[];
}

const keepTheirOwn = ["claude-code"];

/** Files that an agent reads and writes constantly. */
export const hotFiles: readonly HotFile[] = [
  {
    path: "MEMORY.md",
    target: 50,
    advice: "merge the oldest lines below Adaptive and move their detail to knowledge/; keep everything below Core",
    notFor: keepTheirOwn,
    text: `# Long-Term Memory

## Core (Static) — DO NOT compact or remove
<!-- What always holds: who the user is, how the project is set up, rules that never change. -->
<!-- Agent: append at the end. Nothing in this section is ever changed or removed. -->

## Adaptive (Dynamic) — Subject to compaction
<!-- What was learned and decided along the way. -->
<!-- Agent: append at the end. Above about 50 lines, merge the oldest lines and move their detail to knowledge/. -->
`,
  },
  {
    path: "USER.md",
    target: 50,
    advice: "merge duplicates and remove projects that are finished",
    notFor: keepTheirOwn,
    text: `# User Profile

## Identity
- Name:
- Timezone:
- Language:

## Role & Expertise
- Role:
- Expertise:
- Communication style:

## Preferences
<!-- Agent: what the user likes and dislikes, as learned from conversations. -->

## Active Projects
<!-- Agent: what the user is working on now. -->
`,
  },
  {
    path: "SCRATCHPAD.md",
    target: 150,
    advice: "log what will matter later, then remove what is done or decided",
    notFor: [],
    text: `# Scratchpad

## Current State
<!-- Where things stand now. -->

## Cross-Task Lessons
<!-- What was learned in one task and helps with others. -->

## Pending Decisions
<!-- What is still open, and who decides. -->
`,
  },
  {
    path: "WORKING.md",
    target: 100,
    advice: "log the results of finished tasks, then remove them",
    notFor: [],
    text: `# Working

(no active tasks)

<!-- For each task, so a new session can continue without rereading everything:
## [Task Name]

### Key Files
- path/to/file.ext:line — what is there

### Decisions
- chose X over Y — why

### Errors & Corrections
- what went wrong → how it was fixed

### Next Steps
- [ ] the next thing to do
- [ ] the step after that
-->
`,
  },
  {
    path: "TASK-QUEUE.md",
    target: 50,
    advice: "remove finished tasks; the log keeps what was done",
    notFor: [],
    text: `# Task Queue

## Queued
<!-- One task per item, with enough context to start it in a new session. -->
<!-- Remove a task when it is done; the daily log keeps what was done. -->
`,
  },
];

/** Target number of lines of an AGENT.md. */
export const agentNotesTarget = 30;

/** What to do when an AGENT.md exceeds its target. */
export const agentNotesAdvice = "remove the oldest patterns and those that no longer apply";

/** The folders of a memory, parents first. */
export const layoutFolders: readonly string[] = [
  memoryFolder,
  ...nodeLevels.map((level) => `${memoryFolder}/${level}`),
  ...["compaction", "recall", "flush"].map((agent) => `${memoryFolder}/agents/${agent}`),
  "knowledge",
];

export interface InitResult {
  readonly dir: string;
  readonly platform: string;
  readonly created: readonly string[];
  readonly kept: readonly string[];
  readonly trust: "trusted" | "untrusted";
  readonly next: string;
  /** A command for a folder in a git repository that does not know yet how to merge the memory. */
  readonly git?: string;
}

/**
 * Creates what a memory lacks: folders, configuration and templates. Changes nothing that exists. An existing
 * configuration determines the platform. Errors: `invalid_platform`, `invalid_config`, `disk_full`, `io`.
 */
export async function runInit(memory: TreeMemory, input: { readonly platform?: string }): Promise<InitResult> {
  const platform = await platformOf(memory, input.platform);
  const present = await namesPresent(memory);
  const kept = present.has(hipocampusFile) && !present.has(configurationFile) ? [hipocampusFile] : [];
  const wanted = piecesFor(platform).filter((piece) => kept.length === 0 || piece.shown !== configurationFile);
  const missing = wanted.filter((piece) => !present.has(piece.shown));
  const changes = missing.map(({ path, text }): FileChange => ({ path, bytes: encode(text), expect: "absent" }));
  const outcomes = changes.length === 0 ? [] : await memory.files.commit(changes);
  // Files that another process created in the meantime stay as they are.
  const made = new Set(outcomes.flatMap(({ path, outcome }) => (outcome === "written" ? [path] : [])));
  const isMade = ({ path }: { readonly path: string }): boolean => made.has(path);
  const isNew = made.size === missing.length && !hasSign(present);
  // If the user's state cannot be written, the memory is created anyway; the result says that it is not trusted.
  if (isNew) await memory.trust.grant("init").catch(ifMemoryError(() => undefined));
  const isLogged = (await memory.files.list(memoryFolder)).some(
    ({ name, size }) => size > 0 && parseLogFile(name).state === "log",
  );
  return {
    dir: memory.dir,
    platform,
    created: wanted.filter(isMade).map((piece) => piece.shown),
    kept: [...kept, ...wanted.filter((piece) => !isMade(piece)).map((piece) => piece.shown)],
    trust: memory.trust.state(),
    next: isLogged ? "heartwood compact" : firstEntry,
    ...((await inspectGit(memory))?.isSetUp === false ? { git: "heartwood git setup" } : {}),
  };
}

/**
 * Anything that recall or a hook might read: a folder with one of these already contains a memory, maybe from
 * elsewhere.
 */
const signs: readonly string[] = [
  ...new Set(layoutFolders.map((folder) => folder.split("/")[0] ?? folder)),
  configurationFile,
  hipocampusFile,
  ".heartwood",
  ...hotFiles.map(({ path }) => path),
];

/** On a case-insensitive file system, `Working.md` is WORKING.md. */
function hasSign(present: ReadonlySet<string>): boolean {
  const names = new Set([...present].map((name) => name.toLowerCase()));
  return signs.some((name) => names.has(name.toLowerCase()));
}

/** The suggested first command in an empty memory. */
export const firstEntry = 'heartwood log add --topic "Who I am" --type user --body "- name, role, time zone"';

async function platformOf(memory: TreeMemory, asked: string | undefined): Promise<string> {
  const { configuration } = await readConfiguration(memory);
  if (configuration.file === "none") return asked ?? memory.detected.platform;
  if (asked === undefined || asked === configuration.platform) return configuration.platform;
  const message = `The requested platform is ${asked}, but ${configuration.file} says ${configuration.platform}; init does not change existing files: change "platform" there, then run init again.`;
  throw new MemoryError("invalid_platform", message, { platform: asked, path: configuration.file });
}

/** What to create; `shown` is the displayed name. */
function piecesFor(platform: string) {
  const folders = layoutFolders
    .filter((folder) => folder !== memoryFolder)
    .map((folder) => ({ shown: `${folder}/`, path: `${folder}/.gitkeep`, text: "" }));
  const configuration = { path: configurationFile, text: configurationText(platform) };
  const files = [configuration, ...hotFiles.filter((file) => !file.notFor.includes(platform)), ignoreFile];
  return [...folders, ...files.map(({ path, text }) => ({ shown: path, path, text }))];
}

/** The names of existing entries, each also with a trailing slash. Links count: they must not be replaced. */
async function namesPresent(memory: TreeMemory): Promise<ReadonlySet<string>> {
  const present = new Set<string>();
  for (const folder of ["", memoryFolder, `${memoryFolder}/agents`, ".heartwood"])
    for (const { name } of await memory.files.list(folder)) {
      const path = folder === "" ? name : `${folder}/${name}`;
      present.add(path).add(`${path}/`);
    }
  return present;
}

/** heartwood.config.json with all defaults. */
export function configurationText(platform: string): string {
  const [search, compaction] = [
    { vector: "auto", embedModel: "auto" },
    { rootMaxTokens: 3000, cooldownHours: 3 },
  ];
  return `${JSON.stringify({ platform, search, compaction, worktrees: "shared" }, null, 2)}\n`;
}
