import { ifMemoryError } from "../../base/errors.ts";
import { SecretPieces, SecretValues } from "../../text/redact/known-secrets.ts";
import { redact, type SecretFound } from "../../text/redact/redact.ts";
import type { FileChange } from "../../platform/files.ts";
import { cleared, clearedText, readInto, type Said, withPieces } from "../compose/secrets.ts";
import { contentDigest, type Node, concatRule, copyRule, foreignRule, redactionRule } from "../model/node-format.ts";
import { nodeLevels, nodePath, rootPath } from "../model/period.ts";
import { printRoot } from "../root/root-format.ts";
import type { Source } from "../model/node-sections.ts";
import type { TreeState } from "../model/tree-state.ts";
import { journalReplaced, recordArtifact } from "../logs/archive.ts";
import { readLogTexts } from "../logs/raw-logs.ts";
import { readSecrets, readyNode } from "./compose-node.ts";
import { monthsPath } from "./tree-files.ts";
import type { LoadedTree } from "./load.ts";
import type { TreeMemory } from "../memory.ts";
import { encode, readNodeFile, type NodeFile, readRootAt, rootCopyPath, type RootFile } from "./tree-files.ts";

export type SecretFinder = (path: string, text: string) => readonly SecretFound[];

/** All secrets of the memory and, for a derived file, the parts of them that it may contain. */
type AllSecrets = (path: string) => SecretValues;

/** Finds secrets by the rules, and also every known secret value from the logs or a derived file. */
export async function createSecretFinder(memory: TreeMemory, loaded: LoadedTree): Promise<SecretFinder> {
  const secrets = await readAllSecrets(memory, loaded);
  return (path, text) => findAll(text, secrets(path));
}

/** Includes secrets in the current nodes and ROOT.md. */
async function readAllSecrets(memory: TreeMemory, { state, root }: LoadedTree): Promise<AllSecrets> {
  const { files } = memory;
  const { values } = await readSecrets(files, state);
  const nodes = state.nodes.all();
  for (const { name } of nodes) learn((await readNodeFile(files, name))?.text ?? "", values);
  learn(root?.text ?? "", values);
  const derived = new Map<string, Derived>();
  const of = (path: string): SecretValues => derived.get(path)?.own ?? values;
  if (values.size === 0) return of;
  /** A file that has lost a source may contain words found in no remaining source: then match only whole values. */
  const add = async (path: string, sources: readonly string[], said: Said): Promise<void> => {
    const pieces = new SecretPieces(values);
    let isComplete = true;
    for (const source of sources) {
      const node = derived.get(source);
      if (node !== undefined) {
        pieces.addSeen(node.pieces.seen);
        readInto(pieces, node.said, node.own);
      } else if ((await readLogTexts(files, source, (lines) => void pieces.read(lines.join("\n")))) === undefined)
        isComplete = false;
    }
    derived.set(path, { said, pieces, own: isComplete ? withPieces(said, pieces) : values });
  };
  // Sources before the nodes made from them.
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

/** The content of a derived file, the parts of secrets in its sources, and the secrets to look for in it. */
interface Derived {
  readonly said: Said;
  readonly pieces: SecretPieces;
  readonly own: SecretValues;
}

function learn(text: string, values: SecretValues): void {
  values.learn(text, redact(text).text);
}

/** Each kind of secret once per line, in text order. */
function findAll(text: string, values: SecretValues): readonly SecretFound[] {
  const found = redact(text).found;
  const lines = new Set(found.map(({ line }) => line));
  const alone = values.find(text).filter(({ line }) => !lines.has(line));
  const once = new Map([...found, ...alone].map((one) => [`${one.line} ${one.kind}`, one]));
  return [...once.values()].toSorted((a, b) => a.line - b.line);
}

export interface SecretHit {
  readonly path: string;
  readonly line: number;
  readonly kind: string;
}

/** Finds secrets in nodes and ROOT.md, whether written by heartwood or not. */
export async function findSecrets(memory: TreeMemory, loaded: LoadedTree): Promise<readonly SecretHit[]> {
  const hits: SecretHit[] = [];
  const find = await createSecretFinder(memory, loaded);
  const look = (path: string, text: string): void => {
    for (const { line, kind } of find(path, text)) hits.push({ path, line, kind });
  };
  for (const { name } of loaded.state.nodes.all())
    look(nodePath(name), (await readNodeFile(memory.files, name))?.text ?? "");
  look(rootPath, loaded.root?.text ?? "");
  return hits;
}

/**
 * Removes secrets from heartwood's own nodes and from ROOT.md: the one exception to "fixed never changes". The old
 * bytes go to the archive, and the journal lists them. Call it with the `tree` lock held. Returns the paths written.
 */
export async function redactNodes(memory: TreeMemory, loaded: LoadedTree): Promise<readonly string[]> {
  const secrets = await readAllSecrets(memory, loaded);
  // It may have what is a secret since.
  const months = await memory.files.read(monthsPath, { from: 0, to: 0 }).catch(ifMemoryError(() => undefined));
  if (months !== undefined) await memory.files.commit([{ path: monthsPath, bytes: undefined, expect: "anything" }]);
  const nodes = await planNodes(memory, loaded.state, secrets);
  const root = rootWithout(loaded.root, secrets(rootPath));
  const rewrites = [...(root === undefined ? [] : [root]), ...nodes.toReversed()];
  if (rewrites.length === 0) return [];
  for (const { madeBy, bytes, content } of nodes)
    if (madeBy === foreignRule) await recordArtifact(memory.files, content, bytes);
  const replaced = rewrites.map(({ path, old }) => ({ path, bytes: old.bytes }));
  await journalReplaced(memory, { action: "fix", what: "secrets" }, replaced);
  await redactCopy(memory, secrets(rootPath));
  // Parents first: after a crash, repeating the fix writes the children that the parents already reference.
  const changes = rewrites.map(({ path, bytes, old }): FileChange => ({ path, bytes, expect: { stamp: old.stamp } }));
  const outcomes = await memory.files.commit(changes);
  return outcomes.filter(({ outcome }) => outcome === "written").map(({ path }) => path);
}

interface Rewrite {
  readonly path: string;
  readonly old: Pick<NodeFile, "bytes" | "stamp">;
  readonly bytes: Uint8Array;
  readonly madeBy: string;
  readonly content: string;
}

async function planNodes(memory: TreeMemory, state: TreeState, secrets: AllSecrets): Promise<readonly Rewrite[]> {
  const renewed = new Map<string, string>();
  const rewrites: Rewrite[] = [];
  const ours = state.nodes.all().filter((node) => node.reading === "ours");
  for (const level of nodeLevels)
    for (const { name } of ours.filter((node) => node.name.level === level)) {
      const file = await readNodeFile(memory.files, name);
      const path = nodePath(name);
      const node = file && nodeWithout(file, renewed, secrets(path));
      if (file === undefined || node === undefined) continue;
      const content = contentDigest(node);
      renewed.set(`${path} ${file.facts.content}`, content);
      rewrites.push({ path, old: file, bytes: readyNode(node).bytes, madeBy: node.madeBy, content });
    }
  return rewrites;
}

/** The node without its secrets; `undefined` if nothing changes. `renewed`: new digests of children, by path and old digest. */
function nodeWithout(file: NodeFile, renewed: ReadonlyMap<string, string>, secrets: SecretValues): Node | undefined {
  const { node } = file;
  if (node === undefined) return undefined;
  const { body, topics } = cleared({ body: node.body, topics: node.topics }, secrets);
  const foreign = linesWithout(node.foreign, secrets);
  // The next run recomposes a tentative parent, because the child no longer matches its recorded digest.
  const sources = node.status === "fixed" ? node.sources.map((source) => renewedSource(source, renewed)) : node.sources;
  const isSame =
    body === node.body && foreign === node.foreign && sources.every((source, index) => source === node.sources[index]);
  if (isSame && topics === node.topics) return undefined;
  const redactedBy = node.redactedBy === undefined ? undefined : redactionRule;
  return { ...node, madeBy: madeByAfter(file, node), redactedBy, body, foreign, topics, sources };
}

/**
 * The rule recorded for a redacted node. Copies and concatenations still match their sources. A redacted summary may
 * not be reproducible, so `-redacted` is appended to its rule and `verify` compares only its digest. A body that others
 * edited becomes `foreign`, because the new digest would hide the edit.
 */
function madeByAfter({ facts }: NodeFile, { madeBy }: Node): string {
  if (facts.recorded !== facts.content) return foreignRule;
  const isKept = [copyRule, concatRule, foreignRule].includes(madeBy) || madeBy.endsWith(redactedEnding);
  return isKept ? madeBy : `${madeBy}${redactedEnding}`;
}

/** Appended to the rule id of a summary that was redacted later. */
const redactedEnding = "-redacted";

function renewedSource(source: Source, renewed: ReadonlyMap<string, string>): Source {
  const sha256 = renewed.get(`${source.path} ${source.sha256}`);
  return source.kind === "raw" || sha256 === undefined ? source : { ...source, sha256 };
}

/** Keeps the number of lines; returns the same array if there is no secret. */
function linesWithout(lines: readonly string[], secrets: SecretValues): readonly string[] {
  const text = lines.join("\n");
  const clean = clearedText(text, secrets);
  return clean === text ? lines : clean.split("\n");
}

function rootWithout(file: RootFile | undefined, secrets: SecretValues): Rewrite | undefined {
  if (file?.document === undefined) return undefined;
  const { document } = file;
  const body = linesWithout(document.body, secrets);
  const foreign = linesWithout(document.foreign, secrets);
  if (body === document.body && foreign === document.foreign) return undefined;
  const bytes = encode(printRoot({ ...document, body, foreign }));
  return { path: rootPath, old: file, bytes, madeBy: "", content: "" };
}

/** The copy must match ROOT.md, or the next run would treat the redacted lines as the user's. */
async function redactCopy(memory: TreeMemory, secrets: SecretValues): Promise<void> {
  const rewrite = rootWithout(await readRootAt(memory, rootCopyPath), secrets);
  if (rewrite !== undefined)
    await memory.files.commit([{ path: rootCopyPath, bytes: rewrite.bytes, expect: "anything", durability: "cache" }]);
}
