/** The folder inside a memory for heartwood's own state. */
export const stateFolder = ".heartwood";

/** The path of an artifact: JSON, or Markdown for artifacts of the tree. */
export function artifactPath(id: string, ending: "json" | "md"): string {
  return `${stateFolder}/artifacts/${id.slice(0, 2)}/${id}.${ending}`;
}

/** Records the folder, user and machine that the state folder was created for. */
export const proofName = "made-for.json";

/** Keeps machine-specific files out of git. */
export const ignoreFile = {
  path: `${stateFolder}/.gitignore`,
  text: "cache/\ncapture/\nforget.json\nforgotten.json\nhooks/\nlock-*\nmade-for.json\nrecall/\nsearch/\nsessions/\nsummaries/\nthreads/\n",
};

/** Parts that may come with a cloned repository: their content is checked wherever it is used. */
const sharedParts: readonly string[] = [".gitignore", "artifacts", "audit"];

/** Parts that are rebuilt if missing, and those that must not come from elsewhere: a planted `forget.json` would have lines removed. */
export const disposableParts: readonly string[] = [
  "cache",
  "capture",
  "forget.json",
  "forgotten.json",
  "hooks",
  "recall",
  "search",
  "sessions",
];

export function isInStateFolder(path: string): boolean {
  return path.startsWith(`${stateFolder}/`);
}

/** Whether a path in the state folder belongs only to this folder, user and machine. */
export function isLocal(path: string): boolean {
  return isInStateFolder(path) && !sharedParts.includes(partOf(path));
}

export function isDisposable(path: string): boolean {
  return isInStateFolder(path) && disposableParts.includes(partOf(path));
}

/** Whether a file at this path could carry foreign text to an agent. */
export function isRemembered(path: string): boolean {
  return isDisposable(path) || (isInStateFolder(path) && partOf(path) === "threads");
}

function partOf(path: string): string {
  return path.split("/")[1] ?? "";
}

/**
 * Whether this is the name of a temporary file from an interrupted batch of changes: `.hw-`, at least 20 hexadecimal digits, `.tmp`. Cleanup removes exactly
 * these files, so the pattern is strict.
 */
export function isTemporaryName(name: string): boolean {
  return /^\.hw-[0-9a-f]{20,}\.tmp$/u.test(name);
}

/** The name of OpenClaw's state folder. Each profile (`OPENCLAW_PROFILE`) has its own; an invalid profile name is ignored. */
export function openclawFolder(profile = ""): string {
  const isNamed = /^[a-z0-9][\w-]{0,63}$/iu.test(profile) && profile.toLowerCase() !== "default";
  return isNamed ? `.openclaw-${profile}` : ".openclaw";
}
