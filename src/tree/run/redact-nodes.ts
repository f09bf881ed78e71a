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
import type { LoadedTree } from "./load.ts";
import type { TreeMemory } from "../memory.ts";
import { encode, readNodeFile, type NodeFile, readRootAt, rootCopyPath, type RootFile } from "./tree-files.ts";

export type SecretFinder = (path: string, text: string) => readonly SecretFound[];

/** The secrets of a whole memory: for each derived file also the parts of them that it has. */
type AllSecrets = (path: string) => SecretValues;

/** Finds what the rules find, and every value of a secret that is anywhere in the logs or in a derived file. */
export async function createSecretFinder(memory: TreeMemory, loaded: LoadedTree): Promise<SecretFinder> {
  const secrets = await readAllSecrets(memory, loaded);
  return (path, text) => findAll(text, secrets(path));
}

/** Also of the nodes and ROOT.md as they are. */
async function readAllSecrets(memory: TreeMemory, { state, root }: LoadedTree): Promise<AllSecrets> {
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
      } else if ((await readLogTexts(files, source, (lines) => void pieces.read(lines.join("\n")))) === undefined)
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

export interface SecretHit {
  readonly path: string;
  readonly line: number;
  readonly kind: string;
}

/** The secrets that are in nodes and in ROOT.md, ours and foreign ones. */
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
 * Takes the secrets out of the nodes that are ours and out of ROOT.md: the one exception to "fixed never changes". The old bytes go to the
 * archive and the journal names them. Call it with the `tree` lock held. Returns the paths that were written.
 */
export async function redactNodes(memory: TreeMemory, loaded: LoadedTree): Promise<readonly string[]> {
  const secrets = await readAllSecrets(memory, loaded);
  const nodes = await planNodes(memory, loaded.state, secrets);
  const root = rootWithout(loaded.root, secrets(rootPath));
  const rewrites = [...(root === undefined ? [] : [root]), ...nodes.toReversed()];
  if (rewrites.length === 0) return [];
  for (const { madeBy, bytes, content } of nodes)
    if (madeBy === foreignRule) await recordArtifact(memory.files, content, bytes);
  const replaced = rewrites.map(({ path, old }) => ({ path, bytes: old.bytes }));
  await journalReplaced(memory, { action: "fix", what: "secrets" }, replaced);
  await redactCopy(memory, secrets(rootPath));
  // Parents first: should a crash come between, the same fix makes the children that the parents already name.
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

/** The node without its secrets; `undefined` when nothing changes. `renewed`: new digests of children, by their path and old digest. */
function nodeWithout(file: NodeFile, renewed: ReadonlyMap<string, string>, secrets: SecretValues): Node | undefined {
  const { node } = file;
  if (node === undefined) return undefined;
  const { body, topics } = cleared({ body: node.body, topics: node.topics }, secrets);
  const foreign = linesWithout(node.foreign, secrets);
  // A tentative parent is composed again by the next run, because its child differs from what it recorded.
  const sources = node.status === "fixed" ? node.sources.map((source) => renewedSource(source, renewed)) : node.sources;
  const isSame =
    body === node.body && foreign === node.foreign && sources.every((source, index) => source === node.sources[index]);
  if (isSame && topics === node.topics) return undefined;
  const redactedBy = node.redactedBy === undefined ? undefined : redactionRule;
  return { ...node, madeBy: madeByAfter(file, node), redactedBy, body, foreign, topics, sources };
}

/**
 * What made the redacted node. Copies and concatenations are what their sources give today. A summary of what a secret once hid may not be: it was made by a
 * rule that is gone, and `verify` compares its digest. The digest that is written again would hide that others rewrote the body.
 */
function madeByAfter({ facts }: NodeFile, { madeBy }: Node): string {
  if (facts.recorded !== facts.content) return foreignRule;
  const isKept = [copyRule, concatRule, foreignRule].includes(madeBy) || madeBy.endsWith(redactedEnding);
  return isKept ? madeBy : `${madeBy}${redactedEnding}`;
}

/** After the id of the rule that made a summary before its secrets were taken out. */
const redactedEnding = "-redacted";

function renewedSource(source: Source, renewed: ReadonlyMap<string, string>): Source {
  const sha256 = renewed.get(`${source.path} ${source.sha256}`);
  return source.kind === "raw" || sha256 === undefined ? source : { ...source, sha256 };
}

/** As many lines as before; the very same array when there is no secret. */
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

/** The copy must say what ROOT.md says, or the next run would take its redacted lines for a person's. */
async function redactCopy(memory: TreeMemory, secrets: SecretValues): Promise<void> {
  const rewrite = rootWithout(await readRootAt(memory, rootCopyPath), secrets);
  if (rewrite !== undefined)
    await memory.files.commit([{ path: rootCopyPath, bytes: rewrite.bytes, expect: "anything", durability: "cache" }]);
}
