import { describe, expect, test } from "vitest";
import { jsonSchemaOf } from "./json-schema.ts";
import { descriptions, titles } from "./descriptions.ts";
import type { Tool } from "./tool.ts";
import { toolsOf } from "./tools.ts";

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

describe("what is said to a model of a tool", () => {
  test("tells of each field that is true by default what true does and what false does", () => {
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

  test("names no option, no exit status and no standard input: it has no command line", () => {
    for (const { where, said } of tools.flatMap(wordsOf))
      expect(said, where).not.toMatch(/(?:^|\s)--\w|\bexit status|standard input|^prints? |; - for/iu);
  });

  test("in other words than the table has is of an operation that is rendered", () => {
    const rendered = tools.flatMap(({ renders }) => renders);
    expect(rendered).toEqual(expect.arrayContaining([...Object.keys(descriptions), ...Object.keys(titles)]));
  });
});
