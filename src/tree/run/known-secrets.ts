import { MemoryError } from "../../base/errors.ts";
import { redact, type SecretFound } from "../../text/redact/redact.ts";
import { SecretPieces, SecretValues } from "../../text/redact/known-secrets.ts";
import type { FileStamp, Files } from "../../platform/files.ts";
import { readInto, withPieces, type Said, SecretScan } from "../compose/secrets.ts";
import { nodeLevels, nodePath, rootPath } from "../model/period.ts";
import type { NodeFacts, RawLog, TreeState } from "../model/tree-state.ts";
import type { LoadedTree } from "./load.ts";
import type { TreeMemory } from "../memory.ts";
import { readNodeFile } from "./tree-files.ts";
import { readLogTexts } from "../logs/raw-logs.ts";

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
    const scan = new SecretScan(own);
    const stamp = await readTexts(files, path, (lines) => void scan.add(lines));
    if (stamp !== undefined && !scan.hasFound && own.size === 0) without.set(path, stamp);
    values.addAll(own);
  }
  return { values, without };
}

/** `undefined` when it is gone or cannot be read: the run reports it when it composes the day. */
async function readTexts(
  files: Files,
  path: string,
  take: (lines: readonly string[]) => void,
): Promise<FileStamp | undefined> {
  return readLogTexts(files, path, take).catch((error: unknown) => {
    if (error instanceof MemoryError) return undefined;
    throw error;
  });
}

/** Where the text of a derived file has secrets. */
export type SecretFinder = (path: string, text: string) => readonly SecretFound[];

/** The secrets of a whole memory: for each derived file also the parts of them that it has. */
export interface AllSecrets {
  of(path: string): SecretValues;
}

/** Finds what the rules find, and every value of a secret that is anywhere in the logs or in a derived file. */
export async function createSecretFinder(memory: TreeMemory, loaded: LoadedTree): Promise<SecretFinder> {
  const secrets = await readAllSecrets(memory, loaded);
  return (path, text) => findAll(text, secrets.of(path));
}

/** Also of the nodes and ROOT.md as they are. */
export async function readAllSecrets(memory: TreeMemory, { state, root }: LoadedTree): Promise<AllSecrets> {
  const { values } = await readSecrets(memory.files, state);
  for (const { name } of state.nodes.all()) learn((await readNodeFile(memory.files, name))?.text ?? "", values);
  learn(root?.text ?? "", values);
  const parts = new PartsOfSecrets(memory.files, values);
  if (values.size > 0) {
    for (const level of nodeLevels)
      for (const facts of state.nodes.all()) if (facts.name.level === level) await parts.addNode(facts);
    const monthlies = state.nodes.all().filter(({ name }) => name.level === "monthly");
    const paths = monthlies.map(({ name }) => nodePath(name));
    await parts.add(rootPath, paths, { body: root?.document?.body ?? [], topics: [] });
  }
  return parts;
}

/** Looks for parts of secrets in derived files, the sources before what is made from them. */
class PartsOfSecrets implements AllSecrets {
  readonly #files: Files;
  readonly #values: SecretValues;
  readonly #byPath = new Map<
    string,
    { readonly said: Said; readonly pieces: SecretPieces; readonly own: SecretValues }
  >();

  constructor(files: Files, values: SecretValues) {
    this.#files = files;
    this.#values = values;
  }

  of(path: string): SecretValues {
    return this.#byPath.get(path)?.own ?? this.#values;
  }

  async addNode({ name, sources }: Pick<NodeFacts, "name" | "sources">): Promise<void> {
    const node = (await readNodeFile(this.#files, name))?.node;
    const paths = sources.map(({ path }) => path);
    if (node !== undefined) await this.add(nodePath(name), paths, { body: node.body, topics: node.topics });
  }

  /** What has lost a source may have words that are in no source now: then only whole values count. */
  async add(path: string, sources: readonly string[], said: Said): Promise<void> {
    const pieces = new SecretPieces(this.#values);
    let isComplete = true;
    for (const source of sources) if (!(await this.#read(source, pieces))) isComplete = false;
    this.#byPath.set(path, { said, pieces, own: isComplete ? withPieces(said, pieces) : this.#values });
  }

  /** Whether the source is there. */
  async #read(path: string, pieces: SecretPieces): Promise<boolean> {
    const node = this.#byPath.get(path);
    if (node !== undefined) {
      pieces.addSeen(node.pieces.seen);
      readInto(pieces, node.said, node.own);
      return true;
    }
    return (await readTexts(this.#files, path, (lines) => void pieces.read(lines.join("\n")))) !== undefined;
  }
}

function learn(text: string, values: SecretValues): void {
  values.learn(text, redact(text).text);
}

/** Each kind of secret once in a line, in the order of the text. */
function findAll(text: string, values: SecretValues): readonly SecretFound[] {
  const found = redact(text).found;
  const lines = new Set(found.map(({ line }) => line));
  const alone = values.find(text).filter(({ line }) => !lines.has(line));
  const told = new Set<string>();
  return [...found, ...alone]
    .filter(({ line, kind }) => !told.has(`${line} ${kind}`) && told.add(`${line} ${kind}`))
    .toSorted((a, b) => a.line - b.line);
}
