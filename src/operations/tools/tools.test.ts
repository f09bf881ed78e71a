import { describe, expect, test } from "vitest";
import { clients } from "../../agents/install/clients/index.ts";
import { operations } from "../table.ts";
import { listedTool, type Tool } from "./tool.ts";
import { allTools, toolsOf, notRendered } from "./tools.ts";
import { fakePlaces, fakeShipped } from "../../../test/fixtures/client-files.ts";

describe("tools and the table of operations", () => {
  test("every operation is exposed by a tool or excluded for a reason", () => {
    const rendered = new Set(toolsOf(["all"]).flatMap(({ renders }) => renders));
    const missing = operations.map(({ name }) => name as string).filter((name) => !rendered.has(name));
    expect(missing.toSorted()).toEqual([
      "capture.import",
      "capture.run",
      "memory.diff",
      "memory.dismiss",
      "memory.inbox",
      "memory.init",
      "memory.pr_comment",
      "memory.report",
      "recall.never",
      "recall.pin",
      "recall.pins",
      "recall.unpin",
      "sessions.list",
      "sessions.replay",
      "store.copy",
      "store.migrate",
      "store.status",
      "summaries.run",
      "thread.import",
      "topic.list",
      "topic.show",
    ]);
    for (const name of missing) expect((notRendered[name] ?? "").length).toBeGreaterThan(30);
  });

  test("lists four by default, and summaries, threads and all others on request", () => {
    const usual = ["memory_recall", "memory_search", "memory_read", "memory_log"];
    expect(toolsOf(["memory"]).map(({ name }) => name)).toEqual(usual);
    expect(toolsOf(["summaries"]).map(({ name }) => name)).toEqual([...usual, "memory_summaries"]);
    const threads = toolsOf(["memory", "threads"]).map(({ name }) => name);
    expect(threads.length).toBeGreaterThan(10);
    expect(threads.slice(4).every((name) => name.startsWith("thread_"))).toBe(true);
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

  test("a field that is listed is one that the tool accepts, and every required field is listed", () => {
    for (const tool of allTools.filter(({ listed }) => listed !== undefined)) {
      const { properties = {}, required = [] } = listedTool(tool).inputSchema;
      expect(Object.keys(properties), tool.name).toEqual(Object.keys(tool.listed ?? {}));
      expect(Object.keys(properties), tool.name).toEqual(expect.arrayContaining([...required]));
    }
  });
});

interface Said {
  readonly where: string;
  readonly said: string;
}

function propertiesOf(tool: Tool): NonNullable<ReturnType<typeof listedTool>["inputSchema"]["properties"]> {
  return listedTool(tool).inputSchema.properties ?? {};
}

function wordsOf(tool: Tool): readonly Said[] {
  const { name, title, description } = tool;
  const described = Object.entries(propertiesOf(tool));
  return [
    { where: `${name} title`, said: title },
    { where: name, said: description },
    ...described.map(([field, schema]) => ({ where: `${name} ${field}`, said: schema.description ?? "" })),
  ];
}

const switches = allTools.flatMap((tool) =>
  Object.entries(propertiesOf(tool))
    .filter(([, schema]) => schema.default === true)
    .map(([field, schema]) => [tool.name, field, schema] as const),
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
    for (const { where, said } of allTools.flatMap(wordsOf))
      expect(said, where).not.toMatch(/(?:^|\s)--\w|\bexit status|standard input|^prints? |`heartwood /iu);
  });
});
