import { describe, expect, test } from "vitest";
import type { Field } from "../../engine/operation.ts";
import { descriptions, titles } from "./descriptions.ts";
import { inputSchemaOf } from "./json-schema.ts";
import type { Tool } from "./tool.ts";
import { toolsOf } from "./tools.ts";

interface Said {
  readonly where: string;
  readonly said: string;
}

function wordsOf({ name, title, description, fields }: Tool): readonly Said[] {
  const described = Object.entries(inputSchemaOf(fields).properties ?? {});
  return [
    { where: `${name} title`, said: title },
    { where: name, said: description },
    ...described.map(([field, schema]) => ({ where: `${name} ${field}`, said: schema.description ?? "" })),
  ];
}

const tools = toolsOf(["all"]);
const on = (field: Field): boolean => field.kind.kind === "flag" && field.kind.given === "off";
const switches = tools.flatMap(({ name, fields }) => fields.filter(on).map((field) => [name, field] as const));

describe("what is said to a model of a tool", () => {
  test("tells of each field that is true by default what true does and what false does", () => {
    expect(switches.map(([tool, { name }]) => `${tool} ${name}`)).toEqual(
      expect.arrayContaining([
        "memory_compact dry_run",
        "thread_schedule execute",
        "thread_schedule block_on_inflight",
      ]),
    );
    for (const [tool, field] of switches) {
      const schema = inputSchemaOf([field]).properties?.[field.name];
      expect(schema?.default, `${tool} ${field.name}`).toBe(true);
      expect(schema?.description, `${tool} ${field.name}`).toMatch(/^true \(the default\): .{8,}; false: .{5,}$/u);
    }
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
