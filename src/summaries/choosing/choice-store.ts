import { shortDigest } from "../../base/digest.ts";
import { decodeText } from "../../base/lines.ts";
import { parseChoice, printChoice, type ChoiceRecord } from "./record.ts";
import type { SummaryMemory } from "../memory.ts";

const choices = ".heartwood/recall/choices";
/** Records that are kept, the newest. */
const mostKept = 1000;

/** The choice that was made for this request, or `undefined`: none, or one that is damaged. Errors: those of reading. */
export async function readChoiceRecord(memory: SummaryMemory, digest: string): Promise<ChoiceRecord | undefined> {
  const read = await memory.files.read(pathOf(digest));
  const text = read === undefined ? undefined : decodeText(read.bytes);
  const record = text === undefined ? undefined : parseChoice(text);
  return record?.digest === digest ? record : undefined;
}

/** Errors: `io`, `disk_full`, `link_outside`, `not_a_file`. */
export async function writeChoiceRecord(memory: SummaryMemory, record: ChoiceRecord): Promise<void> {
  const before = await memory.files.list(choices);
  const own = { path: pathOf(record.digest), bytes: bytesOf(printChoice(record)), expect: "anything" } as const;
  await memory.files.commit([own]);
  const old = before.filter(({ kind, name }) => kind === "file" && name.endsWith(".json"));
  const gone = old.toSorted((a, b) => b.changedAt - a.changedAt).slice(mostKept - 1);
  if (gone.length === 0) return;
  await memory.files.commit(
    gone.map(({ name, stamp }) => ({ path: `${choices}/${name}`, bytes: undefined, expect: { stamp } })),
  );
}

function bytesOf(text: string): Uint8Array {
  return Buffer.from(text, "utf8");
}

function pathOf(digest: string): string {
  return `${choices}/${shortDigest(digest)}.json`;
}
