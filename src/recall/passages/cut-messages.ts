import { statementsOf } from "../rank/statement.ts";
import { chunksOf } from "./chunks.ts";
import type { CutSection, PassageLine } from "./types.ts";

/** A message of a thread, redacted. */
export interface Message {
  readonly seq: number;
  /** The local calendar day on which it was said. */
  readonly day: string;
  readonly role: "user" | "assistant" | "system" | "tool";
  readonly text: string;
}

/** Characters of a run of messages. */
const longestRun = 12_000;

/** The messages of a thread as runs of one day each; the lines of a section are seqs. */
export function cutMessages(
  messages: readonly Message[],
  heading: string,
): readonly { readonly day: string; readonly section: CutSection }[] {
  const runs: Message[][] = [];
  let length = 0;
  for (const message of messages) {
    const run = runs.at(-1);
    if (run === undefined || run[0]?.day !== message.day || length > longestRun) {
      runs.push([message]);
      length = message.text.length;
    } else {
      run.push(message);
      length += message.text.length;
    }
  }
  return runs.map((run) => ({ day: run[0]?.day ?? "", section: sectionOf(run, heading) }));
}

const speakers: Readonly<Record<Message["role"], string>> = {
  user: "User: ",
  assistant: "Assistant: ",
  system: "System: ",
  tool: "Tool: ",
};

function sectionOf(run: readonly Message[], heading: string): CutSection {
  const lines = run.flatMap(({ seq, role, text }): readonly PassageLine[] =>
    text.split(/\r?\n/u).map((line, index) => {
      const told = index === 0 ? speakers[role] + line : line;
      return { number: seq, text: told.trim() === "" ? "" : told };
    }),
  );
  const statements = statementsOf(lines).map(({ line, text, weight }) => ({
    lines: [line, line] as const,
    text,
    weight,
  }));
  const places = [run[0]?.seq ?? 0, run.at(-1)?.seq ?? 0] as const;
  return { heading, type: "project", origin: "", lines: places, chunks: chunksOf(lines), statements };
}
