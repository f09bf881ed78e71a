import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { memoryApi } from "../../src/api/bind.ts";
import { fromWire, toWire } from "../../src/api/wire.ts";
import { operations } from "../../src/operations/table.ts";

/** Compares the library's API with the table of operations. */
interface Asked {
  readonly operation: string;
  readonly input: Readonly<Record<string, unknown>>;
}

type Method = (...args: readonly unknown[]) => unknown;

/** Every method of the API with the operation that it runs, found with a memory that only records calls. */
async function methodsOf(): Promise<ReadonlyMap<string, string>> {
  const asked: Asked[] = [];
  const memory = memoryApi(
    async (operation, input) => {
      asked.push({ operation, input: { ...input } });
      throw new Error("recorded");
    },
    { dir: "/project", close: async () => undefined },
  );
  const groups = [
    memory,
    memory.log,
    memory.topics,
    memory.inbox,
    memory.pins,
    memory.tree,
    memory.threads,
    memory.audit,
    memory.summaries,
    memory.store,
  ];
  const names = ["memory", "log", "topics", "inbox", "pins", "tree", "threads", "audit", "summaries", "store"];
  const found = new Map<string, string>();
  for (const [index, group] of groups.entries())
    for (const [name, method] of Object.entries(group) as readonly [string, Method][]) {
      if (typeof method !== "function" || name === "close") continue;
      await begin(method("x", {})).catch(() => undefined);
      expect(asked, name).toHaveLength(1);
      found.set(`${names[index]}.${name}`, asked.pop()?.operation ?? "");
    }
  return found;
}

/** A stream runs its operation when its first line is requested. */
async function begin(returned: unknown): Promise<unknown> {
  if (typeof returned === "object" && returned !== null && Symbol.asyncIterator in returned)
    return (returned as AsyncIterable<string>)[Symbol.asyncIterator]().next();
  return returned;
}

describe("the methods", () => {
  test("exist for each operation of the table", async () => {
    const ran = [...(await methodsOf()).values()];
    expect(ran.toSorted()).toEqual(operations.map(({ name }) => name).toSorted());
  });

  test("name their operation in their description", async () => {
    const files = ["memory", "review", "threads"].map((name) => sourceOf(name));
    const described = new Map(
      files.flatMap((text) =>
        [...text.matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n {2}(\w+)[(<]/gu)].map(
          ([, said = "", name = ""]) => [/Operation: `([^`]+)`/u.exec(said)?.[1] ?? "none", name] as const,
        ),
      ),
    );
    for (const [method, operation] of await methodsOf())
      expect(described.get(operation), operation).toBe(method.split(".")[1]);
  });

  test("take every field of their operation", async () => {
    const given: Readonly<Record<string, readonly string[]>> = {
      actor_id: ["actor"],
      thread_id: ["thread", "id"],
      summary_file: ["summary"],
      file: ["answer", "frames"],
      text: ["text", "line"],
    };
    /** A list or a file of messages is a batch; many questions are many calls of recall. */
    const left = ["thread.append: batch", "memory.recall: batch"];
    const methods = await methodsOf();
    const missing = operations.flatMap(({ name, fields }) => {
      const method = [...methods].find(([, operation]) => operation === name)?.[0] ?? "";
      const taken = namesTakenBy(
        method,
        fields.map((field) => field.name),
      );
      return fields
        .filter((field) => !(given[field.name] ?? [camelName(field.name)]).some((named) => taken.has(named)))
        .map((field) => `${name}: ${field.name}`);
    });
    expect(missing.toSorted()).toEqual(left.toSorted());
  });
});

const sources = ["memory", "review", "threads", "wire"].map((name) => sourceOf(name)).join("\n");

function sourceOf(name: string): string {
  return readFileSync(join(import.meta.dirname, "../../src/api", `${name}.ts`), "utf8");
}

/** Names of the parameters of a method and of the fields of their types; `inputs`: those that `OptionsOf` takes from the operation. */
function namesTakenBy(method: string, inputs: readonly string[]): ReadonlySet<string> {
  const [group = "", name = ""] = method.split(".");
  const face = bodyOf(`${group.slice(0, 1).toUpperCase()}${group.slice(1)}`);
  const parameters = [...face.matchAll(new RegExp(`^  ${name}(?:<[^>]*>)?\\(([^]*?)\\): `, "gmu"))].map(
    (found) => found[1],
  );
  const names = new Set<string>();
  const seen = new Set<string>();
  const read = (text: string): void => {
    for (const [, field = ""] of text.matchAll(/(\w+)\??:/gu)) names.add(field);
    for (const [, without = ""] of text.matchAll(/OptionsOf<[\w.]+(?:,([^>]*))?>/gu))
      for (const input of inputs) if (!without.includes(`"${input}"`)) names.add(camelName(input));
    for (const type of text.match(/\b[A-Z]\w+/gu) ?? []) {
      if (seen.has(type)) continue;
      seen.add(type);
      read(bodyOf(type));
    }
  };
  read(parameters.join("\n"));
  return names;
}

/** The interfaces that an interface extends, and its fields; empty for other types. */
function bodyOf(type: string): string {
  return new RegExp(`^export interface ${type}\\b([^]*?)(?: \\{\\}$|^\\})`, "mu").exec(sources)?.[1] ?? "";
}

function camelName(name: string): string {
  return name.replaceAll(/_(.)/gu, (_, letter: string) => letter.toUpperCase());
}

describe("field names", () => {
  const wireName = fc.stringMatching(/^[a-z][a-z0-9]{0,5}(_[a-z]{1,5}){0,3}$/u).filter((name) => name !== "actor");
  const plain = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null));
  const { result } = fc.letrec((tie) => ({
    value: fc.oneof({ depthSize: "small" }, plain, fc.array(tie("value"), { maxLength: 3 }), tie("result")),
    result: fc.dictionary(wireName, tie("value"), { maxKeys: 5, noNullPrototype: true }),
  }));

  test("converting names keeps the values and the order of fields", () => {
    fc.assert(
      fc.property(result, (given) => {
        const back = (value: unknown): unknown => {
          if (Array.isArray(value)) return value.map(back);
          if (typeof value !== "object" || value === null) return value;
          return toWire(Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, back(inner)])));
        };
        const there = fromWire("memory.status", given);
        expect(namesIn(there).filter((name) => name.includes("_"))).toEqual([]);
        expect(JSON.stringify(back(there))).toBe(JSON.stringify(given));
      }),
    );
  });

  test("names and values inside user data do not change", () => {
    fc.assert(
      fc.property(
        fc.json().map((text) => JSON.parse(text) as unknown),
        result,
        (data, around) => {
          const bundle = { ...around, items: [{ tool_calls: data }], rendered: data };
          const api = fromWire("context.compile", bundle) as { readonly items: unknown; readonly rendered: unknown };
          expect(api.items).toBe(bundle.items);
          expect(api.rendered).toBe(data);
          expect(toWire({ content: data, howToApply: data })).toEqual({ content: data, how_to_apply: data });
        },
      ),
    );
  });
});

function namesIn(value: unknown): readonly string[] {
  if (typeof value !== "object" || value === null) return [];
  const own = Array.isArray(value) ? [] : Object.keys(value);
  return [...own, ...Object.values(value).flatMap(namesIn)];
}
