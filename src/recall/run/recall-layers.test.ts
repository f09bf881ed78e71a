import { describe, expect, it } from "vitest";
import { MemoryError } from "../../base/errors.ts";
import { openTestMemory } from "../../../test/fixtures/memory.ts";
import { readRemembered } from "../read/read.ts";
import type { Layer, RecallMemory } from "../memory.ts";
import type { SearchInput, RecallResult } from "../search/inputs-and-results.ts";
import { printRecall } from "../context/print.ts";
import { runSearch } from "../search/search.ts";
import { runRecall } from "./recall.ts";

const entry = (topic: string, type: string, body: string): string => `## ${topic} [${type}]\n${body}\n\n`;
const log = (...entries: readonly string[]): Readonly<Record<string, string>> => ({
  "memory/2026-03-10.md": `# 2026-03-10\n\n${entries.join("")}`,
});

const open = (files: Readonly<Record<string, string>>, under?: readonly Layer[]): RecallMemory =>
  openTestMemory({ files, disk: "folder", ...(under && { with: { under: async () => under } }) }).memory;

async function recall(memory: RecallMemory, text: string, budget = 2000): Promise<RecallResult> {
  return (await runRecall(memory, { text, budget, explain: false }, {})) as RecallResult;
}

const project = log(
  entry("Package manager", "feedback", "- use pnpm as the package manager here, never npm"),
  entry("Staging", "reference", "- the staging server listens on port 5544"),
);
const personal = log(
  entry("Package manager", "feedback", "- use npm as the package manager, unless told otherwise"),
  entry("Editor", "user", "- the user's editor is Helix on every machine"),
);
const both = (): RecallMemory => open(project, [{ name: "personal", memory: open(personal) }]);

describe("recall over a project's memory and a personal one", () => {
  it("finds what only one of them knows, and marks what is personal", async () => {
    const editor = await recall(both(), "Which editor do I use on this machine?");
    expect(editor.context.map(({ text, layer }) => [text.includes("Helix"), layer])).toContainEqual([true, "personal"]);
    const staging = await recall(both(), "On which port does the staging server listen?");
    expect(staging.context.find(({ text }) => text.includes("5544"))?.layer).toBeUndefined();
    expect(printRecall(editor)).toMatch(/^personal 2026-03-10 .*:$/mu);
    expect(printRecall(editor)).toContain("read PLACE there as personal:PLACE");
    expect(printRecall(staging)).not.toContain("personal");
  });

  it("on the same topic gives the project's rule only", async () => {
    const { context } = await recall(both(), "Which package manager should I use?");
    expect(context.some(({ text }) => text.includes("pnpm"))).toBe(true);
    expect(context.filter(({ layer, text }) => layer === "personal" && text.includes("npm"))).toEqual([]);
  });

  it("asks them in order: a rule of the repository's root comes before a personal one", async () => {
    const above = open(log(entry("Package manager", "feedback", "- use yarn as the package manager in all packages")));
    const layers: readonly Layer[] = [
      { name: "above", memory: above },
      { name: "personal", memory: open(personal) },
    ];
    const { context } = await recall(open(log(), layers), "Which package manager should I use?");
    expect(context.map(({ layer }) => layer)).toEqual(["above"]);
  });

  it("stays within one budget, of which the project's memory has at least three quarters", async () => {
    const many = (of: string): Readonly<Record<string, string>> =>
      log(
        ...Array.from({ length: 40 }, (_, at) =>
          entry(
            `${of} ${at}`,
            "project",
            `- the limiter of ${of} service number ${at} allows ${100 + at} requests a second`,
          ),
        ),
      );
    const [text, budget] = ["How many requests does the limiter of each service allow?", 400];
    const alone = await recall(open(many("project")), text, 300);
    const memory = open(many("project"), [{ name: "personal", memory: open(many("other")) }]);
    const { context, tokens } = await recall(memory, text, budget);
    expect(tokens).toBeLessThanOrEqual(budget);
    expect(tokens).toBe(context.reduce((sum, one) => sum + memory.tokens.count(one.text), 0));
    expect(context.filter(({ layer }) => layer === undefined).map(({ text: own }) => own)).toEqual(
      alone.context.map(({ text: own }) => own),
    );
  });

  it("is fenced by a mark that no passage of either contains", async () => {
    const { context, mark } = await recall(both(), "Which editor and which package manager do I use?");
    expect(context.every(({ text }) => !text.includes(mark))).toBe(true);
    expect(mark).toMatch(/^[0-9a-f]{8,}$/u);
  });

  it("without layers is the same as before", async () => {
    const text = "Which package manager should I use?";
    const { context } = await recall(open(project, []), text);
    expect(context).toEqual((await recall(open(project), text)).context);
  });

  it("goes on without a layer that fails, and says so", async () => {
    const count = (): never => {
      throw new MemoryError("io", "It cannot be read.");
    };
    const { tokens, ...other } = open(personal);
    const broken: RecallMemory = { ...other, tokens: { ...tokens, count } };
    const found = await recall(
      open(project, [{ name: "personal", memory: broken }]),
      "Which port does staging use, and which editor does the user have?",
    );
    expect(found.context.some(({ text }) => text.includes("5544"))).toBe(true);
    expect(found.warnings.map(({ message }) => message)).toContain(
      "The personal memory was not searched: It cannot be read.",
    );
  });
});

describe("a search that finds nothing", () => {
  const search = async (memory: RecallMemory, query: string) => {
    const { hits, warnings } = await runSearch(memory, { query } as SearchInput, {});
    return [hits.length, warnings.map(({ message }) => message)];
  };

  it("says that recall also asks the memories under this one, if there are any", async () => {
    const note = "only this memory was searched; recall also asks the personal one";
    expect(await search(both(), "Helix")).toEqual([0, [note]]);
    expect(await search(both(), "5544")).toEqual([1, []]);
    expect(await search(open(project), "Helix")).toEqual([0, []]);
  });
});

describe("reading a place of a memory under this one", () => {
  it("takes its name before the place, and returns it with the next place", async () => {
    const read = await readRemembered(both(), { place: "personal:memory/2026-03-10.md:3-4" });
    expect(read).toMatchObject({
      source: "personal:memory/2026-03-10.md:3-4",
      text: expect.stringContaining("use npm"),
    });
    const day = await readRemembered(both(), { place: "personal:2026-03-10" });
    expect(day.text).toContain("Helix");
  });

  it("fails if there is none", async () => {
    const none = readRemembered(open(project), { place: "above:memory/2026-03-10.md" });
    await expect(none).rejects.toMatchObject({ code: "not_found", message: expect.stringContaining("above:") });
  });
});
