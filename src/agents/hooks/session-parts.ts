import { readFrontMatter, valueOf } from "../../base/front-matter.ts";
import { decodeText, textLines } from "../../base/lines.ts";
import { ifMemoryError } from "../../base/errors.ts";
import { redact } from "../../text/redact/redact.ts";
import { visible, visibleLine } from "../../text/visible.ts";
import { parseTopics } from "../../tree/model/node-sections.ts";
import { rootPath } from "../../tree/model/period.ts";
import { parseRoot } from "../../tree/root/root-format.ts";
import { hotFiles } from "../../tree/setup/init.ts";
import type { AgentMemory } from "../memory.ts";

export interface SessionPart {
  /** The path of a hot file; empty for the line about the newest day. */
  readonly path: string;
  readonly lines: readonly string[];
}

/** Reads what a session starts with, without secrets and safe to put in a prompt. Leaves out what is missing or unreadable. `root` is the body of ROOT.md. */
export async function readSessionParts(memory: AgentMemory) {
  const root = await readRootPart(memory);
  const working = await readHot(memory, "WORKING.md");
  const newest = await newestDaily(memory);
  const others = [
    working,
    { path: "", lines: newest === "" ? [] : [newest] },
    await readHot(memory, "SCRATCHPAD.md"),
    await readHot(memory, "TASK-QUEUE.md"),
  ];
  return { root, others: others.filter(({ lines }) => lines.length > 0) };
}

async function readRootPart(memory: AgentMemory): Promise<readonly string[] | undefined> {
  const text = await textAt(memory, rootPath);
  const reading = parseRoot(text ?? "");
  if (text === undefined || reading.state === "broken") return undefined;
  const body = reading.state === "ours" ? reading.root.body : reading.body;
  return shownLines(body.join("\n"));
}

/** Characters for the topics of the newest day. */
const longestTopics = 400;
const dailyFolder = "memory/daily";

/** How many of the newest days are searched for topics; a day may have none yet. */
const daysLookedAt = 5;

async function newestDaily(memory: AgentMemory): Promise<string> {
  const entries = await memory.files.list(dailyFolder).catch(ifMemoryError(() => []));
  const days = entries.filter(({ name, kind }) => kind === "file" && /^\d{4}-\d\d-\d\d\.md$/u.test(name));
  for (const { name } of days.slice(-daysLookedAt).toReversed()) {
    const path = `${dailyFolder}/${name}`;
    const reading = readFrontMatter(textLines((await textAt(memory, path)) ?? ""));
    const topics = reading.state === "read" ? (valueOf(reading.front, "topics") ?? "") : "";
    // Topic types would add nothing here.
    const names = parseTopics(topics).map((topic) => topic.name);
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

function shownLines(text: string): readonly string[] {
  return visible(redact(text).text).split("\n");
}

async function textAt(memory: AgentMemory, path: string): Promise<string | undefined> {
  // An unreadable file must not keep a session from starting.
  const read = await memory.files.read(path).catch(ifMemoryError(() => undefined));
  return read && decodeText(read.bytes);
}

const comment = /<!--[^]*?-->/gu;

/** The lines of a hot file, without comments; no lines if it adds nothing to the template. */
async function readHot(memory: AgentMemory, path: string): Promise<SessionPart> {
  const template = hotFiles.find((file) => file.path === path)?.text ?? "";
  // Replace secrets before cutting: half a key would not be recognized.
  const text = shownLines((await textAt(memory, path)) ?? "").join("\n");
  const own = text.replaceAll(comment, "");
  const given = new Set(template.split("\n").map((line) => line.trim()));
  const says = own
    .split("\n")
    .some((line) => line.trim() !== "" && !line.trim().startsWith("#") && !given.has(line.trim()));
  if (!says) return { path, lines: [] };
  const lines = own.split("\n").map((line) => line.trimEnd());
  const spaced = lines.filter((line, at) => line !== "" || (at > 0 && lines[at - 1] !== ""));
  return { path, lines: spaced.join("\n").trim().split("\n") };
}
