import { Buffer } from "node:buffer";
import { decodeText } from "../../base/lines.ts";
import { SecretValues } from "../../text/redact/known-secrets.ts";
import type { FileStamp, Files } from "../../platform/files.ts";
import { cleared } from "../compose/cleared.ts";
import { contentDigest, parseNode, type Node } from "../model/node-format.ts";
import { nodePath, type NodeName } from "../model/period.ts";
import type { NodeFacts } from "../model/state.ts";
import { parseTopics, printTopics } from "../model/topic-format.ts";

/** A node's file as read. `node` is there when it can be read as one, also when somebody else wrote it. */
export interface NodeFile {
  readonly facts: NodeFacts;
  readonly node: Node | undefined;
  readonly bytes: Uint8Array;
  readonly text: string;
  readonly stamp: FileStamp;
  /** 1-based line of the file on which the body begins. */
  readonly bodyLine: number;
}

export async function readNodeFile(files: Files, name: NodeName): Promise<NodeFile | undefined> {
  const read = await files.read(nodePath(name));
  if (read === undefined) return undefined;
  const text = decodeText(read.bytes);
  const base = { bytes: read.bytes, text: text ?? "", stamp: read.stamp, bodyLine: 1 };
  if (text === undefined)
    return { ...base, node: undefined, facts: brokenFacts(name, read.bytes, { line: 1, message: "it is not UTF-8" }) };
  const reading = parseNode(name, text);
  if (reading.state === "broken") return { ...base, node: undefined, facts: brokenFacts(name, read.bytes, reading) };
  if (reading.state === "unknown") {
    const node = cleared(foreignNode(name, reading), new SecretValues());
    return {
      ...base,
      node,
      facts: { ...factsOf(node, read.bytes.length), reading: "unknown" },
      bodyLine: text.split("\n").length - reading.body.length,
    };
  }
  const facts = { ...factsOf(reading.node, read.bytes.length), recorded: reading.recorded };
  const node = facts.recorded === facts.content ? reading.node : { ...reading.node, spans: [] };
  return { ...base, node, facts, bodyLine: reading.bodyLine };
}

/** What is known of a node that has just been composed or read. */
export function factsOf(node: Node, bytes: number): NodeFacts {
  const content = contentDigest(node);
  // Thousands of nodes are known at a time, and few are asked for their topics.
  const topics = printTopics(node.topics);
  return {
    name: node.name,
    reading: "ours",
    status: node.status,
    get topics() {
      return parseTopics(topics);
    },
    madeBy: node.madeBy,
    redactedBy: node.redactedBy,
    answer: node.answer,
    since: node.since,
    sources: node.sources,
    content,
    recorded: content,
    lines: node.body.length,
    bytes,
    problem: undefined,
  };
}

/** Somebody else's node: kept as it is, taken in by its parent. It counts as fixed because we never change it. */
function foreignNode(
  name: NodeName,
  reading: { readonly topics: Node["topics"]; readonly body: readonly string[] },
): Node {
  return {
    name,
    status: "fixed",
    topics: reading.topics,
    weeks: [],
    madeBy: "unknown",
    redactedBy: undefined,
    since: undefined,
    spans: [],
    sources: [],
    body: reading.body,
    foreign: [],
  };
}

function brokenFacts(
  name: NodeName,
  bytes: Uint8Array,
  problem: { readonly line: number; readonly message: string },
): NodeFacts {
  return {
    name,
    reading: "broken",
    status: "tentative",
    topics: [],
    madeBy: "unknown",
    redactedBy: undefined,
    since: undefined,
    sources: [],
    content: "",
    recorded: "",
    lines: 0,
    bytes: bytes.length,
    problem: { line: problem.line, message: problem.message },
  };
}

export function encode(text: string): Uint8Array {
  return Buffer.from(text, "utf8");
}
