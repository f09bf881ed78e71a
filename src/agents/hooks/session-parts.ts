import { readFrontMatter, valueOf } from "../../base/front-matter.ts";
import { decodeText, textLines } from "../../base/lines.ts";
import { MemoryError } from "../../base/errors.ts";
import { redact } from "../../text/redact/redact.ts";
import { visible, visibleLine } from "../../text/visible.ts";
import { rootPath } from "../../tree/model/period.ts";
import { parseTopics } from "../../tree/model/node-sections.ts";
import { parseRoot } from "../../tree/root/root-format.ts";
import type { AgentMemory } from "../memory.ts";
import { hotFiles } from "../../tree/setup/init.ts";

/** What a session begins with, each without secrets and as it may stand in a prompt; what is not there, or cannot be read, is left out. */
export interface SessionParts {
  readonly root: RootPart | undefined;
  readonly working: HotText;
  /** One line; empty without a daily node. */
  readonly newest: string;
  readonly others: readonly HotText[];
}

export interface RootPart {
  /** Of ROOT.md as it was read. */
  readonly stamp: string;
  readonly body: readonly string[];
}

export async function readSessionParts(memory: AgentMemory): Promise<SessionParts> {
  return {
    root: await readRootPart(memory),
    working: await readHot(memory, "WORKING.md"),
    newest: await newestDaily(memory),
    others: [await readHot(memory, "SCRATCHPAD.md"), await readHot(memory, "TASK-QUEUE.md")],
  };
}

async function readRootPart(memory: AgentMemory): Promise<RootPart | undefined> {
  const read = await textAt(memory, rootPath);
  if (read === undefined) return undefined;
  const reading = parseRoot(read.text);
  if (reading.state === "broken") return undefined;
  const body = reading.state === "ours" ? reading.root.body : reading.body;
  return { stamp: read.stamp, body: shownLines(body.join("\n")) };
}

async function readHot(memory: AgentMemory, path: string): Promise<HotText> {
  const read = await textAt(memory, path);
  // Whole before anything is cut: half a key is not seen to be one.
  return { path, lines: read === undefined ? [] : hotLines(path, shownLines(read.text).join("\n")) };
}

/** Characters of the topics of the newest day. */
const longestTopics = 400;
const dailyFolder = "memory/daily";

/** Newest days that are looked at for topics: one may have none yet. */
const daysLookedAt = 5;

async function newestDaily(memory: AgentMemory): Promise<string> {
  const entries = (await orNothing(memory.files.list(dailyFolder))) ?? [];
  const days = entries.filter(({ name, kind }) => kind === "file" && /^\d{4}-\d\d-\d\d\.md$/u.test(name));
  for (const { name } of days.slice(-daysLookedAt).toReversed()) {
    const path = `${dailyFolder}/${name}`;
    const reading = readFrontMatter(textLines((await textAt(memory, path))?.text ?? ""));
    const topics = reading.state === "read" ? (valueOf(reading.front, "topics") ?? "") : "";
    // Their types would say no more, and not whose word they are.
    const names = parseTopics(topics).map(({ name }) => name);
    const said = visibleLine(redact(names.join(", ")).text);
    if (said !== "") return `Newest day: ${path}: ${cutAtComma(said)}`;
  }
  return "";
}

function cutAtComma(topics: string): string {
  if (topics.length <= longestTopics) return topics;
  const cut = topics.lastIndexOf(",", longestTopics);
  return cut < 0 ? "" : `${topics.slice(0, cut)}, …`;
}

export function shownLines(text: string): readonly string[] {
  return visible(redact(text).text).split("\n");
}

async function textAt(
  memory: AgentMemory,
  path: string,
): Promise<{ readonly text: string; readonly stamp: string } | undefined> {
  const read = await orNothing(memory.files.read(path));
  const text = read === undefined ? undefined : decodeText(read.bytes);
  return read === undefined || text === undefined ? undefined : { text, stamp: read.stamp };
}

/** A session is to begin with what can be read. */
async function orNothing<T>(reading: Promise<T>): Promise<T | undefined> {
  return reading.catch((error: unknown) => {
    if (error instanceof MemoryError) return undefined;
    throw error;
  });
}

/** A hot file as it may be shown. */
export interface HotText {
  readonly path: string;
  readonly lines: readonly string[];
}

const comment = /<!--[^]*?-->/gu;

/** What a hot file says besides its template, whose comments are left out; no lines when that is nothing. */
function hotLines(path: string, text: string): readonly string[] {
  const template = hotFiles.find((file) => file.path === path)?.text ?? "";
  const own = [...template.matchAll(comment)].reduce((rest, [one]) => rest.replaceAll(one, ""), text);
  const given = new Set(template.split("\n").map((line) => line.trim()));
  const says = own
    .replaceAll(comment, "")
    .split("\n")
    .some((line) => line.trim() !== "" && !line.trim().startsWith("#") && !given.has(line.trim()));
  if (!says) return [];
  const lines = own.split("\n").map((line) => line.trimEnd());
  return lines
    .filter((line, at) => line !== "" || (at > 0 && lines[at - 1] !== ""))
    .join("\n")
    .trim()
    .split("\n");
}
