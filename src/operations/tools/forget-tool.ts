import type { Call } from "../../base/operation.ts";
import * as s from "../../base/schema.ts";
import type { Memory } from "../operation.ts";
import { operation } from "../table.ts";
import type { Tool, ToolAnswer, ToolInput } from "./tool.ts";

const mostShown = 20;

export const forget: Tool = {
  name: "memory_forget",
  title: "Forget something for good",
  description:
    "Erase lines and messages and everything made from them, for good. The first call shows what would go, with a code; show it to the user and ask once, then call again with the code.",
  renders: ["memory.forget"],
  input: s.object({
    what: s.text(
      "TEXT",
      "a text in it, or a place as recall and search print it (memory/2026-03-15.md:12-13, thread:ID:5)",
    ),
    code: s.optional(s.text("CODE", "the code of the first call")),
  }),
  effect: "removes",
  run: forgetFor,
};

/** Shows what would go, or does it with the code of what was shown. `what`: a text or a place. */
export async function forgetFor(memory: Memory, { what, code }: ToolInput, call: Call): Promise<ToolAnswer> {
  const text = String(what ?? "").trim();
  const log = /^memory\/(\d{4}-\d\d-\d\d[^/:]*)\.md:(\d+(?:-\d+)?)$/u.exec(text);
  const message = /^thread:(\S+):(\d+)$/u.exec(text);
  const place =
    log !== null
      ? { day: log[1], lines: log[2] }
      : message !== null
        ? { thread: message[1], message: message[2] }
        : { text };
  const given = typeof code === "string" && /^[0-9a-f]{6}$/u.test(code) ? { code } : {};
  const result = await operation("memory.forget").run(memory, { ...place, ...given } as never, call);
  const { state, lines, messages, fields, renames, files, left, names, outside, derived } = result;
  const shown = [
    ...lines.map((one) => `- ${one.path}:${one.line}: ${one.text}`),
    ...messages.map((one) => `- thread:${one.thread_id}:${one.seq}: ${one.text}`),
    ...fields.map((one) => `- thread:${one.thread_id}, ${one.field}: ${one.text}`),
    ...renames.map(({ from, to }) => `- topic: ${from} → ${to}`),
    ...(state === "planned" ? files.map((path) => `- ${path}, which is made again`) : []),
  ];
  const rest = [
    ...(left.length === 0 ? [] : [`Still in: ${left.join(", ")}.`]),
    ...(names.length === 0 ? [] : [`Still in the name of: ${names.join(", ")}.`]),
    ...(outside.commits === null || outside.commits.count === 0
      ? []
      : [`Still in ${outside.commits.count} commits of git.`]),
    ...(outside.transcripts.length === 0
      ? []
      : [`Still in the client's transcripts: ${outside.transcripts.join(", ")}.`]),
  ];
  if (state === "nothing" || state === "finished") return { says: ["Nothing found to forget.", ...rest].join("\n") };
  if (state === "already_forgotten") return { says: ["That is already forgotten.", ...rest].join("\n") };
  if (state === "done")
    return {
      says: [
        `Forgotten: ${shown.length === 0 ? `${files.length} files` : `${shown.length} lines, messages and titles`}.`,
        ...rest,
      ].join("\n"),
    };
  const more = shown.length - mostShown;
  const texts = derived.sessions.reduce((sum, one) => sum + one.texts, 0);
  const withIt = [
    ...(texts === 0
      ? []
      : [`Also gone: ${counted(texts, "recorded text")} of ${counted(derived.sessions.length, "session")}.`]),
    ...(derived.removed.length === 0 ? [] : [`Also removed: ${counted(derived.removed.length, "file")} made from it.`]),
    ...(derived.rebuilt.length === 0 ? [] : [`Made again: ${counted(derived.rebuilt.length, "node")}, or ROOT.md.`]),
  ];
  return {
    says: [
      `Not done yet. This would go for good, with everything made from it (code ${result.code}):`,
      ...shown.slice(0, mostShown),
      ...(more <= 0 ? [] : [`… and ${more} more`]),
      ...withIt,
      ...rest,
      `Show it to the user and ask once. If they agree, call again with the code ${result.code} (memory_forget: code; memory_log: topic).`,
    ].join("\n"),
  };
}

function counted(count: number, one: string): string {
  return `${count} ${count === 1 ? one : `${one}s`}`;
}
