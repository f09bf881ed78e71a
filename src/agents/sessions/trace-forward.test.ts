import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openTestMemory } from "../../../test/fixtures/memory.ts";
import { claudeSession, lines, shortSession } from "../../../test/fixtures/transcripts/claude-code.ts";
import { runIndex } from "../../recall/index/refresh.ts";
import { runCompact } from "../../tree/run/compact.ts";
import { runCapture } from "../capture/run.ts";
import { printInjection } from "./record.ts";
import { traceForward, type ForwardResult } from "./trace-forward.ts";

const log = "memory/2026-03-10.md";
const entry = (id: string, topic: string, text: string): string =>
  `## ${topic} [project]\n<!-- hw id=${id} at=2026-03-10T12:00:00Z origin=user -->\n${text}\n\n`;
const text = `# 2026-03-10\n\n${entry("one", "Quokka", "- decisions: feed the quokka at noon")}${entry("two", "Wombat", "- decisions: the wombat digs at night")}`;

function places({ derived }: ForwardResult): readonly string[] {
  return derived.map(({ path, lines: [from, to], how, approximate }) =>
    [`${path}:${from}-${to}`, how, ...(approximate === true ? ["approximate"] : [])].join(" "),
  );
}

describe("forward from a log", () => {
  test("an entry leads to its copies and to the lines of ROOT.md, and to no other entry's", async () => {
    const { memory } = openTestMemory({ disk: "folder", today: "2026-03-20", files: { [log]: text } });
    await runCompact(memory, {}, {});
    const result = await traceForward(memory, { place: "one" });
    expect(result.source).toMatchObject({ path: log, lines: [3, 5] });
    expect(result.derived.map(({ path, how }) => `${path} ${how}`)).toEqual([
      "memory/daily/2026-03-10.md verbatim",
      "memory/weekly/2026-W11.md verbatim",
      "memory/monthly/2026-03.md verbatim",
      "memory/ROOT.md summary",
      "memory/ROOT.md summary",
    ]);
    expect(result.derived.every(({ text: own }) => own.includes("uokka") && !own.includes("ombat"))).toBe(true);
    expect(places(await traceForward(memory, { place: `${log}:3-5` }))).toEqual(places(result));
    expect(result.indexed).toBe(false);
    await runIndex(memory, {}, {});
    expect((await traceForward(memory, { place: "one" })).indexed).toBe(true);
  });

  test("lines of a long day lead to the lines of its summary, and lines that moved to what was made of them", async () => {
    const filler = Array.from({ length: 300 }, (_, at) => `- note ${at} about the aardvark's tunnel ${at * 7}`).join(
      "\n",
    );
    const day = `${text}${entry("long", "Aardvark", filler)}`;
    const tree = openTestMemory({ disk: "folder", today: "2026-03-20", files: { [log]: day } });
    await runCompact(tree.memory, {}, {});
    const made = await traceForward(tree.memory, { place: "two" });
    const daily = made.derived.filter(({ path }) => path.startsWith("memory/daily/"));
    expect(daily.map(({ how, approximate }) => [how, approximate])).toContainEqual(["summary", undefined]);
    expect(daily.every(({ text: line }) => line.includes("Wombat") || line.includes("wombat"))).toBe(true);
    tree.write(log, day.replace("# 2026-03-10\n", "# 2026-03-10\n\n## Top [project]\n- new\n"));
    expect(places(await traceForward(tree.memory, { place: "two" }))).toEqual(places(made));
  });

  test("an entry that corrects it and the sessions that were given it are listed", async () => {
    const wrong = `${log}:5`;
    const right = `## Quokka [project]\n<!-- hw id=three at=2026-03-12T12:00:00Z origin=user -->\n- corrects: ${wrong}\n- at dusk\n`;
    const session = (part: object): string =>
      printInjection({ at: "", event: "prompt", source: "", memory: "", lines: [], text: "", ...part });
    const { memory } = openTestMemory({
      disk: "folder",
      today: "2026-03-20",
      files: {
        [log]: text,
        "memory/2026-03-12.md": right,
        ".heartwood/sessions/codex-a.jsonl": `${session({ text: "nothing" })}${session({ lines: [wrong], text: "given" })}`,
        ".heartwood/sessions/codex-b.jsonl": session({ event: "tool", text: "- Feed the quokka at noon!" }),
        ".heartwood/sessions/codex-c.jsonl": session({ lines: [`${log}:9`], text: "the wombat digs at night" }),
      },
    });
    expect(places(await traceForward(memory, { place: wrong }))).toEqual([
      "memory/2026-03-12.md:1-4 correction",
      ".heartwood/sessions/codex-a.jsonl:2-2 session",
      ".heartwood/sessions/codex-b.jsonl:1-1 session",
    ]);
  });

  test.each(["memory/daily/2026-03-10.md:3", "MEMORY.md", "unknown-id", "memory/2026-03-11.md"])(
    "%s is refused",
    async (place) => {
      const { memory } = openTestMemory({ disk: "folder", files: { [log]: text, "MEMORY.md": "x\n" } });
      await expect(traceForward(memory, { place })).rejects.toMatchObject({ code: "not_found" });
    },
  );
});

describe("forward from a conversation", () => {
  test("an entry leads to the messages it was captured from, and a message to its entry", async () => {
    const file = `in/${claudeSession}.jsonl`;
    const tree = openTestMemory({ disk: "folder", files: { [file]: lines(shortSession()) } });
    await runCapture(tree.memory, { client: "claude-code", path: join(tree.memory.dir, file) });
    const [captured] = /hw id=(capture-\w+)/u.exec(tree.read(log) ?? "")?.slice(1) ?? [];
    const fromEntry = await traceForward(tree.memory, { place: captured ?? "" });
    const messages = fromEntry.derived.filter(({ how }) => how === "message");
    expect(messages.map(({ text: said }) => said.slice(0, 20))).toEqual([
      "user: The importer h",
      "assistant: The cause",
    ]);
    const [asked, answered] = messages;
    for (const one of [asked, answered]) {
      const { derived } = await traceForward(tree.memory, { place: `${one?.path}:${one?.lines[0]}` });
      expect(derived.filter(({ how }) => how === "entry")).toMatchObject([
        { path: fromEntry.source.path, lines: fromEntry.source.lines },
      ]);
    }
  });
});
