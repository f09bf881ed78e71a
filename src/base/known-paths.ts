/** The folder in a memory that heartwood keeps for itself. */
export const stateFolder = ".heartwood";

/** The file of an artifact: JSON, or Markdown for what the tree keeps. */
export function artifactPath(id: string, ending: "json" | "md"): string {
  return `${stateFolder}/artifacts/${id.slice(0, 2)}/${id}.${ending}`;
}

/** Proves for which folder, by which user and on which machine the state folder was made. */
export const proofName = "made-for.json";

/** Keeps what belongs to one machine out of git. */
export const ignoreFile = {
  path: `${stateFolder}/.gitignore`,
  text: "cache/\ncapture/\nhooks/\nlock-*\nmade-for.json\nrecall/\nsearch/\nsummaries/\nthreads/\n",
};

/** What may come with a repository: its content is checked wherever it is used. */
const sharedParts: readonly string[] = [".gitignore", "artifacts", "audit"];

/** What is rebuilt when it is missing. */
export const disposableParts: readonly string[] = ["cache", "capture", "hooks", "recall", "search"];

export function isInStateFolder(path: string): boolean {
  return path.startsWith(`${stateFolder}/`);
}

/** Whether it belongs to this folder, user and machine. */
export function isLocal(path: string): boolean {
  return isInStateFolder(path) && !sharedParts.includes(partOf(path));
}

export function isDisposable(path: string): boolean {
  return isInStateFolder(path) && disposableParts.includes(partOf(path));
}

/** Whether the text of others in it could reach an agent. */
export function isRemembered(path: string): boolean {
  return isDisposable(path) || (isInStateFolder(path) && partOf(path) === "threads");
}

function partOf(path: string): string {
  return path.split("/")[1] ?? "";
}

/**
 * Whether a name is one of the temporary files that a batch of changes leaves when it is interrupted: `.hw-`, at least 20 hexadecimal digits, `.tmp`. Removing
 * leftovers removes these and nothing else, so the form is narrow.
 */
export function isTemporaryName(name: string): boolean {
  return /^\.hw-[0-9a-f]{20,}\.tmp$/u.test(name);
}

/** The name of the folder in which OpenClaw keeps its state: a profile (`OPENCLAW_PROFILE`) has one of its own; an invalid name counts as none. */
export function openclawFolder(profile = ""): string {
  const isNamed = /^[a-z0-9][\w-]{0,63}$/iu.test(profile) && profile.toLowerCase() !== "default";
  return isNamed ? `.openclaw-${profile}` : ".openclaw";
}
