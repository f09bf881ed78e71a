import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { isObject, parseObject } from "../../base/json.ts";

/** Bytes read at the end of a transcript: the call that starts a subagent was just written. */
const mostRead = 256 * 1024;

/**
 * The task of a subagent that is about to start, from the transcript of its parent: the newest call of the tool `Agent` or `Task` for this kind of subagent.
 * Empty if there is none or the file cannot be read.
 */
export function briefOf(transcript: string, kind: string): string {
  if (transcript === "" || kind === "") return "";
  for (const line of endOf(transcript).split("\n").toReversed()) {
    if (!line.includes('"tool_use"')) continue;
    const brief = briefIn(parseObject(line), kind);
    if (brief !== "") return brief;
  }
  return "";
}

function briefIn(row: Readonly<Record<string, unknown>> | undefined, kind: string): string {
  const message = row?.["message"];
  const content = isObject(message) && row?.["isSidechain"] !== true ? message["content"] : undefined;
  if (!Array.isArray(content)) return "";
  for (const part of content.toReversed() as readonly unknown[]) {
    if (!isObject(part) || part["type"] !== "tool_use" || !["Agent", "Task"].includes(String(part["name"]))) continue;
    const input = isObject(part["input"]) ? part["input"] : {};
    const prompt = input["prompt"];
    if ((input["subagent_type"] ?? kind) === kind && typeof prompt === "string") return prompt;
  }
  return "";
}

function endOf(path: string): string {
  try {
    // Opening a FIFO without a writer must not wait for one.
    const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stat = fstatSync(fd);
      if (!stat.isFile()) return "";
      const bytes = Buffer.alloc(Math.min(stat.size, mostRead));
      const count = readSync(fd, bytes, 0, bytes.length, stat.size - bytes.length);
      return bytes.toString("utf8", 0, count);
    } finally {
      closeSync(fd);
    }
  } catch {
    return "";
  }
}
