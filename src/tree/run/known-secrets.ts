import { ifMemoryError } from "../../base/errors.ts";
import { redact, type SecretFound } from "../../text/redact/redact.ts";
import { SecretPieces, SecretValues } from "../../text/redact/known-secrets.ts";
import type { FileStamp, Files } from "../../platform/files.ts";
import { readInto, withPieces, type Said, SecretScan } from "../compose/secrets.ts";
import { nodeLevels, nodePath, rootPath } from "../model/period.ts";
import type { RawLog, TreeState } from "../model/tree-state.ts";
import type { LoadedTree } from "./load.ts";
import type { TreeMemory } from "../memory.ts";
import { readNodeFile } from "./tree-files.ts";
import { readLogTexts } from "../logs/raw-logs.ts";

/** The secrets of a whole memory: what is found in one log goes from every derived file. */
export interface KnownSecrets {
  readonly values: SecretValues;
  readonly without: ReadonlyMap<string, FileStamp>;
}

/** Reads the raw logs that may have secrets, and the nodes that heartwood did not write. What cannot be read has none. */
export async function readSecrets(files: Files, state: Pick<TreeState, "days" | "nodes">): Promise<KnownSecrets> {
  const known = await readSecretsOfLogs(
    files,
    [...state.days.values()].flatMap((day) => day.logs),
  );
  for (const { name, reading } of state.nodes.all())
    if (reading === "unknown")
      new SecretScan(known.values).add(((await readNodeFile(files, name))?.text ?? "").split("\n"));
  return known;
}

export async function readSecretsOfLogs(
  files: Files,
  logs: readonly Pick<RawLog, "path" | "secrets">[],
): Promise<KnownSecrets> {
  const values = new SecretValues();
  const without = new Map<string, FileStamp>();
  for (const { path } of logs.filter(({ secrets }) => secrets !== "none")) {
    const own = new SecretValues();
    const scan = new SecretScan(own);
    const stamp = await readTexts(files, path, (lines) => void scan.add(lines));
    if (stamp !== undefined && !scan.hasFound && own.size === 0) without.set(path, stamp);
    values.addAll(own);
  }
  return { values, without };
}

/** `undefined` when it is gone or cannot be read: the run reports it when it composes the day. */
async function readTexts(files: Files, path: string, take: (lines: readonly string[]) => void) {
  return readLogTexts(files, path, take).catch(ifMemoryError(() => undefined));
}

export type SecretFinder = (path: string, text: string) => readonly SecretFound[];

/** The secrets of a whole memory: for each derived file also the parts of them that it has. */
export type AllSecrets = (path: string) => SecretValues;

/** Finds what the rules find, and every value of a secret that is anywhere in the logs or in a derived file. */
export async function createSecretFinder(memory: TreeMemory, loaded: LoadedTree): Promise<SecretFinder> {
  const secrets = await readAllSecrets(memory, loaded);
  return (path, text) => findAll(text, secrets(path));
}

/** Also of the nodes and ROOT.md as they are. */
export async function readAllSecrets(memory: TreeMemory, { state, root }: LoadedTree): Promise<AllSecrets> {
  const { files } = memory;
  const { values } = await readSecrets(files, state);
  const nodes = state.nodes.all();
  for (const { name } of nodes) learn((await readNodeFile(files, name))?.text ?? "", values);
  learn(root?.text ?? "", values);
  const derived = new Map<string, Derived>();
  const of = (path: string): SecretValues => derived.get(path)?.own ?? values;
  if (values.size === 0) return of;
  /** What has lost a source may have words that are in no source now: then only whole values count. */
  const add = async (path: string, sources: readonly string[], said: Said): Promise<void> => {
    const pieces = new SecretPieces(values);
    let isComplete = true;
    for (const source of sources) {
      const node = derived.get(source);
      if (node !== undefined) {
        pieces.addSeen(node.pieces.seen);
        readInto(pieces, node.said, node.own);
      } else if ((await readTexts(files, source, (lines) => void pieces.read(lines.join("\n")))) === undefined)
        isComplete = false;
    }
    derived.set(path, { said, pieces, own: isComplete ? withPieces(said, pieces) : values });
  };
  // The sources before what is made from them.
  for (const level of nodeLevels)
    for (const { name, sources } of nodes.filter((facts) => facts.name.level === level)) {
      const node = (await readNodeFile(files, name))?.node;
      const paths = sources.map(({ path }) => path);
      if (node !== undefined) await add(nodePath(name), paths, { body: node.body, topics: node.topics });
    }
  const monthlies = nodes.filter(({ name }) => name.level === "monthly").map(({ name }) => nodePath(name));
  await add(rootPath, monthlies, { body: root?.document?.body ?? [], topics: [] });
  return of;
}

/** What a derived file says, with the parts of secrets that its sources have and the secrets that count for it. */
interface Derived {
  readonly said: Said;
  readonly pieces: SecretPieces;
  readonly own: SecretValues;
}

function learn(text: string, values: SecretValues): void {
  values.learn(text, redact(text).text);
}

/** Each kind of secret once in a line, in the order of the text. */
function findAll(text: string, values: SecretValues): readonly SecretFound[] {
  const found = redact(text).found;
  const lines = new Set(found.map(({ line }) => line));
  const alone = values.find(text).filter(({ line }) => !lines.has(line));
  const once = new Map([...found, ...alone].map((one) => [`${one.line} ${one.kind}`, one]));
  return [...once.values()].toSorted((a, b) => a.line - b.line);
}
