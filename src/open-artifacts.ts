import { readFrontMatter } from "./base/front-matter.ts";
import { textLines } from "./base/lines.ts";
import { contentDigest, parseNode } from "./tree/model/node-format.ts";
import type { NodeName } from "./tree/model/period.ts";
import { createFileArtifacts, type ArtifactStore } from "./platform/file-artifacts.ts";
import type { Files } from "./platform/files.ts";

/** The artifacts of a project, including the nodes that the tree stores there as Markdown. */
export function openFileArtifacts(files: Files): ArtifactStore {
  return createFileArtifacts(files, isRecordedNode);
}

/** Whether the bytes are a tree node whose content digest is this id. The digest excludes the status, so a node keeps its id when its status changes. */
function isRecordedNode(bytes: Uint8Array, id: string): boolean {
  const text = new TextDecoder().decode(bytes);
  const name = nameIn(text);
  const reading = name === undefined ? undefined : parseNode(name, text);
  return reading?.state === "ours" && contentDigest(reading.node) === id;
}

function nameIn(text: string): NodeName | undefined {
  const reading = readFrontMatter(textLines(text));
  if (reading.state !== "read") return undefined;
  const valueOf = (key: string): string => reading.front.blocks.find((block) => block.key === key)?.value ?? "";
  const level = (["daily", "weekly", "monthly"] as const).find((one) => one === valueOf("type"));
  return level === undefined ? undefined : { level, period: valueOf("period"), late: Number(valueOf("late")) };
}
