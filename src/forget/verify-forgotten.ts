import { ifMemoryError } from "../base/errors.ts";
import type { AgentMemory } from "../agents/memory.ts";
import { unescaped } from "../text/folded.ts";
import { frameOf } from "../threads/model/frame.ts";
import type { VerifyResult } from "../tree/inspect/verify.ts";
import { readForgotten } from "../tree/logs/forgotten.ts";
import { readRecords } from "../tree/logs/records.ts";
import { realFilesOf } from "../tree/memory.ts";
import { recordsPath } from "../tree/model/period.ts";
import { keptFiles } from "./sweep.ts";
import { readWork } from "./work.ts";

type Finding = VerifyResult["findings"][number];

/** A shorter id, which a person chose, may be a word of a text; it counts only as the id of an entry. */
const longId = 20;

/** Looks in every byte that is kept for ids of entries that were forgotten, and for lines that were forgotten here. */
export async function verifyForgotten(memory: AgentMemory): Promise<VerifyResult> {
  const files = realFilesOf(memory.files);
  const forgotten = await readForgotten(files);
  const findings: Finding[] = [];
  const found = (code: string, path: string, message: string): void =>
    void findings.push({ code, severity: "error", path, line: null, message });
  if ((await readWork(memory)) !== undefined)
    found("forgetting_unfinished", "", "a forgetting was interrupted: run heartwood compact to finish it");
  const paths = (await keptFiles(files)).filter((path) => path !== recordsPath);
  for (const path of paths) {
    const read = await files.read(path).catch(ifMemoryError(() => undefined));
    if (read === undefined) continue;
    const text = Buffer.from(read.bytes).toString("utf8");
    const id = [...forgotten.ids].find((one) => text.includes(one.length < longId ? `<!-- hw id=${one} ` : one));
    if (id !== undefined) found("forgotten_entry", path, `${path} has the id of an entry that was forgotten (${id})`);
    // Strings of JSON and of databases are between quotes and control characters.
    const isBack = unescaped(text)
      .split(/[\u0000-\u001F"\uFFFD]/u)
      .some((line) => forgotten.has(line));
    if (isBack) found("forgotten_line", path, `${path} has a line that was forgotten`);
  }
  for (const record of await readRecords(files)) {
    if (record.kind !== "forgotten" || record.entry === undefined || !record.place.startsWith("thread:")) continue;
    const thread_id = record.place.slice("thread:".length);
    const [place] = await memory.threads.places(thread_id, [{ id: record.entry }]);
    const [stored] =
      place === undefined ? [] : await memory.threads.frames({ thread_id, from_seq: place.seq, limit: 1 });
    if (stored === undefined || frameOf(stored)?.fields["content"] === "") continue;
    found(
      "forgotten_message",
      record.place,
      `the message at seq ${stored.seq} of ${record.place} has words that were forgotten`,
    );
  }
  return { ok: findings.length === 0, checked: paths.length, findings };
}
