import { MemoryError } from "../base/errors.ts";
import { redact, type SecretFound } from "../base/redact/index.ts";
import { SecretValues } from "../base/secret-values.ts";
import type { FileStamp, Files } from "../ports/files.ts";
import type { DayComposer } from "../tree/compose-day.ts";
import { SecretScan } from "../tree/secret-scan.ts";
import type { RawLog, TreeState } from "../tree/state.ts";
import type { LoadedTree } from "./load.ts";
import type { Memory } from "./memory.ts";
import { readNodeFile } from "./node-files.ts";
import { scanLog } from "./raw-logs.ts";

/** The secrets of a whole memory: what is found in one log goes from every derived file. */
export interface KnownSecrets {
  readonly values: SecretValues;
  /** Logs that have none, with their stamps. */
  readonly without: ReadonlyMap<string, FileStamp>;
}

/** Reads the raw logs that may have secrets, and the nodes that heartwood did not write. What cannot be read has none. */
export async function readSecrets(files: Files, state: Pick<TreeState, "days" | "nodes">): Promise<KnownSecrets> {
  const logs = [...state.days.values()].flatMap((day) => day.logs);
  const { values, without } = await readSecretsOfLogs(files, logs);
  for (const node of state.nodes.all())
    if (node.reading === "unknown") {
      const text = (await readNodeFile(files, node.name))?.text ?? "";
      new SecretScan(values).add(text.split("\n"));
    }
  return { values, without };
}

/** Reads those raw logs alone. */
export async function readSecretsOfLogs(
  files: Files,
  logs: readonly Pick<RawLog, "path" | "secrets">[],
): Promise<KnownSecrets> {
  const values = new SecretValues();
  const without = new Map<string, FileStamp>();
  for (const { path, secrets } of logs) {
    if (secrets === "none") continue;
    const own = new SecretValues();
    const read = await readLog(files, path, own);
    if (read !== undefined && !read.hasFound && own.size === 0) without.set(path, read.stamp);
    values.addAll(own);
  }
  return { values, without };
}

async function readLog(
  files: Files,
  path: string,
  values: SecretValues,
): Promise<{ readonly stamp: FileStamp; readonly hasFound: boolean } | undefined> {
  const scan = new SecretScan(values);
  try {
    const end = await scanLog(files, path, {
      onWindow: ({ lines }) => void scan.add(lines.map(({ text }) => text)),
    });
    return end === undefined ? undefined : { stamp: end.stamp, hasFound: scan.hasFound };
  } catch (error) {
    if (error instanceof MemoryError) return undefined;
    throw error;
  }
}

/** Says where a text has secrets. */
export type SecretFinder = (text: string) => readonly SecretFound[];

/** Finds what the rules find, and every value of a secret that is anywhere in the logs or in a derived file. */
export async function createSecretFinder(memory: Memory, loaded: LoadedTree): Promise<SecretFinder> {
  const values = await readAllSecrets(memory, loaded);
  return (text) => findAll(text, values);
}

/** Also of the nodes and ROOT.md as they are. */
export async function readAllSecrets(memory: Memory, { state, root }: LoadedTree): Promise<SecretValues> {
  const { values } = await readSecrets(memory.files, state);
  for (const { name } of state.nodes.all()) learn((await readNodeFile(memory.files, name))?.text ?? "", values);
  learn(root?.text ?? "", values);
  return values;
}

function learn(text: string, values: SecretValues): void {
  values.learn(text, redact(text).text);
}

/** Each secret once, in the order of the text. */
function findAll(text: string, values: SecretValues): readonly SecretFound[] {
  const found = redact(text).found;
  const lines = new Set(found.map(({ line }) => line));
  const alone = values.find(text).filter(({ line }) => !lines.has(line));
  return [...found, ...alone].toSorted((a, b) => a.line - b.line);
}

/** Composes a day with the secrets of its logs known: where there are any, the logs are read twice. */
export async function composeDay(
  make: (known: SecretValues) => DayComposer,
  read: (composer: DayComposer) => Promise<void>,
): Promise<DayComposer> {
  const first = make(new SecretValues());
  await read(first);
  if (first.secrets.size === 0) return first;
  const second = make(first.secrets);
  await read(second);
  return second;
}
