import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCapture, runImport } from "../../src/agents/capture/run.ts";
import { openTestMemory, type TestMemory } from "../fixtures/memory.ts";
import { answer, claudeSession, lines, said, toolCall, type Row } from "../fixtures/transcripts/claude-code.ts";

const file = `in/${claudeSession}.jsonl`;
const at = (minute: number, second = 0): string => new Date(Date.UTC(2026, 2, 10, 9, minute, second)).toISOString();

function opened(rows: readonly Row[]): TestMemory & { readonly path: string } {
  const test = openTestMemory({ disk: "folder", files: { [file]: lines(rows) } });
  return { ...test, path: join(test.memory.dir, file) };
}

function turn(number: number, words: string, reply: string): readonly Row[] {
  return [said(`u${number}`, words, at(number)), answer(`a${number}`, reply, at(number, 30))];
}

async function captured(test: ReturnType<typeof opened>, ended?: "turn" | "session") {
  const input = { client: "claude-code", path: test.path, ...(ended && { ended }) } as const;
  const { sessions } = await runCapture(test.memory, input);
  return { ...sessions[0], log: test.read("memory/2026-03-10.md") ?? "" };
}

describe("a turn", () => {
  it("that corrects, chooses, refuses or approves work is kept, however short", async () => {
    const words =
      "no;nein;stop;never do that again;the first one;both;42;undo it;that's not right;I am May;don't do this";
    const turns = words.split(";").flatMap((each, index) => turn(index, each, "Understood."));
    const approvals = [
      ...turn(30, "yes", "Dropped the production table orders_old"),
      ...turn(31, "ok do it", "Renamed ledger; migration 0042"),
    ];
    const { entries, left_out, log } = await captured(opened([...turns, ...approvals]), "session");
    for (const each of words.split(";")) expect(log).toContain(`User: ${each}\n`);
    expect(log).toContain("User: yes\nAssistant: Dropped the production table orders_old\n");
    expect(log).toContain("User: ok do it\nAssistant: Renamed ledger; migration 0042\n");
    expect(entries).toEqual({ added: 13, known: 0 });
    expect(left_out).toEqual({});
  });

  it("of only courtesy is left out of the log, and counted", async () => {
    const rows = [
      ...turn(1, "Thanks!", "You're welcome! Let me know if you need anything else."),
      ...turn(2, "go on", "Done."),
      ...turn(3, "Rename the table", "It is called journal now."),
    ];
    const test = opened(rows);
    const { entries, messages, left_out, log } = await captured(test, "session");
    expect({ entries, messages, left_out }).toEqual({
      entries: { added: 1, known: 0 },
      messages: { added: 6, known: 0 },
      left_out: { courtesy: 2 },
    });
    expect(log).not.toContain("welcome");
    expect((await captured(test, "session")).left_out).toEqual({});
    const again = await runImport(test.memory, { client: "claude-code", path: test.path });
    expect(again.sessions[0]).toMatchObject({ entries: { added: 0, known: 1 }, left_out: { courtesy: 2 } });
  });

  it("with a go-ahead that led to a tool call is kept", async () => {
    const rows = [said("u1", "yes", at(1)), toolCall("t1", at(1, 10)), answer("a1", "Done.", at(1, 20))];
    const { log, left_out } = await captured(opened(rows), "turn");
    expect(log).toContain("User: yes\nAssistant: Done.\n");
    expect(left_out).toEqual({ tool: 1 });
  });

  it("of courtesy may still grow after the client reported its end, also when capture continues from a cursor", async () => {
    const first = [said("u1", "go ahead", at(1)), answer("a1", "Okay!", at(1, 5))];
    const rest = [toolCall("t1", at(1, 10)), answer("a2", "Done.", at(1, 20))];
    const test = opened(first);
    expect((await captured(test, "turn")).entries).toEqual({ added: 0, known: 0 });
    test.write(file, lines([...first, ...rest]));
    expect((await captured(test, "turn")).log).toContain("User: go ahead\nAssistant: Done.\n");
  });

  it("is kept if it said something before its last message, or if part of it is unknown", async () => {
    const rows = [
      said("u1", "ok", at(1)),
      answer("a1", "Renamed ledger; migration 0042", at(1, 5), null),
      answer("a2", "Done.", at(1, 10)),
      said("u2", "yes", at(2)),
      { type: "tool_of_tomorrow", uuid: "x" },
      answer("a3", "Done.", at(2, 10)),
    ];
    const { entries, left_out } = await captured(opened(rows), "session");
    expect(entries).toEqual({ added: 2, known: 0 });
    expect(left_out).toEqual({ unknown: 1 });
  });
});
