import { describe, expect, test } from "vitest";
import { clients } from "../../agents/install/clients/index.ts";
import { operations } from "../../operations/table.ts";
import { jsonSchemaOf, type Tool } from "./tool.ts";
import { toolsOf, notRendered } from "./tools.ts";
import { fakePlaces, fakeShipped } from "../../../test/fixtures/client-files.ts";

describe("tools and the table of operations", () => {
  test("every operation is exposed by a tool or excluded for a reason", () => {
    const rendered = new Set(toolsOf(["all"]).flatMap(({ renders }) => renders));
    const missing = operations.map(({ name }) => name as string).filter((name) => !rendered.has(name));
    expect(missing.toSorted()).toEqual([
      "capture.import",
      "capture.run",
      "memory.init",
      "sessions.list",
      "sessions.replay",
      "summaries.run",
      "thread.import",
    ]);
    for (const name of missing) expect((notRendered[name] ?? "").length).toBeGreaterThan(30);
  });

  test("lists eight by default, and threads separately or with all others", () => {
    expect(toolsOf(["memory"]).length).toBe(8);
    const threads = toolsOf(["memory", "threads"]).map(({ name }) => name);
    expect(threads.slice(8).every((name) => name.startsWith("thread_"))).toBe(true);
    expect(toolsOf(["all"]).map(({ name }) => name)).toEqual(
      expect.arrayContaining([...threads, "tree_compact", "tree_verify"]),
    );
  });

  test("the Claude Code install allows tools that only read, and memory_log", () => {
    const asked = {
      scope: "user",
      places: fakePlaces,
      shipped: fakeShipped,
      script: "/s",
      firstThere: String,
    } as const;
    const entries = clients["claude-code"](asked).wanted.flatMap((one) => (one.kind === "json" ? one.entries : []));
    const rules = entries.filter(({ at }) => at.join(".") === "permissions.allow").map(({ value }) => value);
    const harmless = toolsOf(["memory"]).filter(({ name, effect }) => effect === "reads" || name === "memory_log");
    expect(rules.toSorted()).toEqual(harmless.map(({ name }) => `mcp__heartwood__${name}`).toSorted());
  });

  test("the two compact tools refer to each other", () => {
    const said = (name: string): string => toolsOf(["all"]).find((tool) => tool.name === name)?.description ?? "";
    expect(said("memory_compact")).toContain("tree_compact");
    expect(said("tree_compact")).toContain("memory_compact");
  });

  test("the default tools are short", () => {
    const shown = toolsOf(["memory"]).map(({ name, title, description, input }) => ({
      name,
      title,
      description,
      input: jsonSchemaOf(input),
    }));
    expect(JSON.stringify(shown).length).toBeLessThan(12_000);
  });
});

interface Said {
  readonly where: string;
  readonly said: string;
}

function wordsOf({ name, title, description, input }: Tool): readonly Said[] {
  const described = Object.entries(jsonSchemaOf(input).properties ?? {});
  return [
    { where: `${name} title`, said: title },
    { where: name, said: description },
    ...described.map(([field, schema]) => ({ where: `${name} ${field}`, said: schema.description ?? "" })),
  ];
}

const tools = toolsOf(["all"]);
const switches = tools.flatMap(({ name, input }) =>
  Object.entries(jsonSchemaOf(input).properties ?? {})
    .filter(([, schema]) => schema.default === true)
    .map(([field, schema]) => [name, field, schema] as const),
);

describe("a tool's texts for a model", () => {
  test("explain true and false for each field that defaults to true", () => {
    expect(switches.map(([tool, field]) => `${tool} ${field}`)).toEqual(
      expect.arrayContaining([
        "memory_compact dry_run",
        "thread_schedule execute",
        "thread_schedule block_on_inflight",
      ]),
    );
    for (const [tool, field, schema] of switches)
      expect(schema.description, `${tool} ${field}`).toMatch(/^true \(the default\): .{8,}; false: .{5,}$/u);
  });

  test("mention no options, exit status or standard input, since there is no command line", () => {
    for (const { where, said } of tools.flatMap(wordsOf))
      expect(said, where).not.toMatch(/(?:^|\s)--\w|\bexit status|standard input|^prints? |`heartwood /iu);
  });
});
