import { SecretPieces, SecretValues } from "../../text/redact/known-secrets.ts";
import { redact } from "../../text/redact/redact.ts";
import { uniqueTopics } from "../model/topic-format.ts";
import type { Node } from "../model/node-format.ts";

/** What can hold a secret in what was composed. */
export type Said = Pick<Node, "body" | "topics">;

/**
 * What was composed without its secrets: composing joins what was apart, and a secret may be one only then. What is found in one place goes everywhere, as do
 * the known values. The very same object when there is none.
 */
export function cleared<T extends Said>(composed: T, known: SecretValues): T {
  // A name does not announce what is in the next line.
  const text = [...composed.topics.flatMap(({ name }) => [name, ""]), ...composed.body].join("\n");
  const clean = clearedText(text, known);
  if (clean === text) return composed;
  const lines = clean.split("\n");
  const topics = composed.topics.map((topic, index) => ({ ...topic, name: lines[index * 2] ?? topic.name }));
  return { ...composed, topics: uniqueTopics(topics), body: lines.slice(topics.length * 2) };
}

/** The known values, and the parts of them that got into what was composed from sources that were read into `pieces`. */
export function withPieces({ body, topics }: Said, pieces: SecretPieces): SecretValues {
  return pieces.in(piecesText(body, topics));
}

/** A text in which composing can have left parts of secrets: headings and refs are its own. */
function piecesText(body: readonly string[], topics: Said["topics"]): string {
  const lines = body.filter((line) => !line.startsWith("#")).join("\n");
  return [...topics.map(({ name }) => name), lines.replaceAll(refs, "")].join("\n");
}

/** The texts of nodes, for the parts of secrets in what is composed from them. */
export function readInto(pieces: SecretPieces, { body, topics }: Said, known?: SecretValues): void {
  const text = [...topics.map(({ name }) => name), ...body].join("\n");
  pieces.read(text, known?.replaceIn(text));
}

/** As many lines as before. */
export function clearedText(text: string, known: SecretValues): string {
  const own = new SecretValues();
  let now = text;
  for (let pass = 0; pass < mostPasses; pass++) {
    const redacted = redactAside(now);
    own.learn(now, redacted);
    const next = own.replaceIn(known.replaceIn(redacted));
    if (next === now) return now;
    now = next;
  }
  return redact(now).text;
}

/** What is replaced can make what is left beside it a secret. */
const mostPasses = 4;

/** Where a line comes from stays: in quotes that are never closed it would go with the secret. */
const refs = / \(~?\d\d-\d\d[^()]*\)$/gmu;

function redactAside(text: string): string {
  const { found } = redact(text);
  if (found.length === 0) return text;
  const without = redact(text.replace(refs, "")).text.split("\n");
  return text
    .split("\n")
    .map((line, index) => `${without[index] ?? ""}${line.match(refs)?.[0] ?? ""}`)
    .join("\n");
}
