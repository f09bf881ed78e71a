import { foreignLines, readFrontMatter, valueOf } from "../../base/front-matter.ts";
import { joinLines, textLines } from "../../base/lines.ts";
import { scanLines } from "../../base/markdown.ts";
import { isPreserved } from "../../base/memory-type.ts";
import type { SecretValues } from "../../text/redact/known-secrets.ts";
import { wordKeys } from "../../text/word-keys.ts";
import { cleared } from "../compose/secrets.ts";
import { foreignRule, type Node, ownKeys } from "../model/node-format.ts";
import { parseTopics } from "../model/node-sections.ts";
import type { NodeName } from "../model/period.ts";
import { type ComposeStep, type ReadyNode, readyNode } from "./compose-node.ts";

/** Returns the existing node written by another tool if it can be kept and adds something to `made`, which was composed from the same sources. */
export function adoptedNode(
  made: ReadyNode,
  { name, status }: ComposeStep,
  text: string,
  secrets: SecretValues,
): ReadyNode | undefined {
  const foreign = parseForeignNode(name, text);
  if (foreign === undefined) return undefined;
  const { madeFrom, ...own } = foreign;
  const missing = made.node.sources.some(({ path }) => !madeFrom.has(path.match(periodNamed)?.[0] ?? ""));
  const kept = { ...made.node, ...own, madeBy: foreignRule, spans: [], answer: undefined, status };
  const node = cleared<Node>(kept, secrets);
  if ((madeFrom.size > 0 && missing) || !addsTo(made.node, node)) return undefined;
  return { ...readyNode(node), logs: made.logs };
}

/**
 * Parses a node written by another tool: its front matter must match its name, and its body must contain text other
 * than headings and comments, with no conflict markers and no second front matter. Otherwise `undefined`.
 */
function parseForeignNode(name: NodeName, text: string) {
  const reading = readFrontMatter(textLines(text));
  if (reading.state !== "read" || name.late > 0) return undefined;
  const { front, body } = reading;
  const status = valueOf(front, "status") ?? "fixed";
  if (valueOf(front, "type") !== name.level || valueOf(front, "period") !== name.period) return undefined;
  if (status !== "fixed" && status !== "tentative") return undefined;
  const whole = joinLines(body);
  const says = /\S/u.test(whole.replaceAll(/<!--[^]*?-->|^#{1,6} .*$/gmu, ""));
  const isWhole = scanLines(body).conflicts.length === 0 && !/^---\n(?:type|status|period|source-files):/mu.test(whole);
  if (!says || !isWhole) return undefined;
  const named = `${valueOf(front, "source-files") ?? ""} ${valueOf(front, "weeks") ?? ""}`;
  const madeFrom = new Set(Array.from(named.matchAll(periodNamed), ([period]) => period));
  const topics = parseTopics(valueOf(front, "topics") ?? "");
  return { topics, body, foreign: foreignLines(front, ownKeys), madeFrom };
}

/** A day or week in a file name. */
const periodNamed = /\d{4}-(?:\d{2}-\d{2}|W\d{2})(?!\d)/gu;

/** Whether a foreign node has lines that the composed one lacks, and mentions all its user and feedback topics. */
function addsTo(made: Node, { body, topics }: Node): boolean {
  const lines = new Set(made.body.map((line) => line.trim()));
  const words = wordKeys([...topics.map(({ name }) => name), ...body].join("\n"));
  return (
    body.some((line) => !line.startsWith("#") && line.trim() !== "" && !lines.has(line.trim())) &&
    made.topics.every(({ name, type }) => !isPreserved(type) || [...wordKeys(name)].every((key) => words.has(key)))
  );
}
