import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { names, types } from "../../../test/fixtures/random-trees.ts";
import type { Passage, Role } from "../../base/passage.ts";
import { parseSummary, printSummary } from "./summary-format.ts";
import { cleanTopicName } from "./node-sections.ts";
import { lawRuns } from "../../../test/fixtures/law-runs.ts";

const near = "2026-03-15";
const fallback = [{ log: near, from: 0, to: 0 }];
const told = {
  lines: [],
  refs: [{ log: near, from: 3, to: 4 }],
  progress: "active",
  weight: 0,
  naming: "given",
} as const;

function parsed(lines: readonly string[]): readonly Passage[] {
  return parseSummary({ lines, firstLine: 1, spans: [], fallback, near });
}

function printed(passage: Omit<Passage, "at">): readonly string[] {
  return printSummary("daily", near, [{ ...passage, at: [2, 2] }]).body;
}

describe("a line of a summary", () => {
  const hard = fc.constantFrom(
    "",
    "std::vector",
    "RFC:9110",
    "Stand 10:30",
    "x:",
    ": x",
    "a: b: c",
    '"a: b": c',
    '"x":',
    "\\",
    "\\a: b",
    "[ ] a: b",
    "a [user]: b",
    "a [user]",
    "a, b (03-15:1)",
  );
  const text = fc
    .oneof(
      hard,
      names,
      fc.tuple(hard, names).map(([a, b]) => `${a}: ${b}`),
    )
    .map((one) => one.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, " "));
  const passage = fc.record({
    role: fc.constantFrom<Role>("topic", "decision", "done", "lesson", "open", "entity", "note"),
    topic: fc.oneof(hard, names).map(cleanTopicName),
    type: types as fc.Arbitrary<Passage["type"]>,
    text,
    naming: fc.constantFrom<Passage["naming"]>("given", "found"),
  });

  it("reads back as written, whatever the names and texts look like", () => {
    fc.assert(
      fc.property(passage, (given) => {
        const type = given.topic === "" && given.role !== "topic" ? "project" : given.type;
        const isFound = given.role === "topic" && given.naming === "found";
        const isLean =
          isFound &&
          !printed({ ...told, ...given })
            .join("\n")
            .includes(`[${type}]`);
        const weight = { topic: 2, decision: 3, done: 2.5, lesson: 2.5, open: 2.5, note: 1 }[given.role as string] ?? 0;
        const wanted = { ...told, ...given, type, weight, naming: isLean ? "found" : "given", at: [2, 2] };
        expect(parsed(printed({ ...told, ...given }))).toEqual([wanted]);
      }),
      { numRuns: lawRuns(5000), seed: 20_260_315 },
    );
  });

  it("begins with a backslash if it has no topic but looks as if it had one", () => {
    const open = { ...told, role: "open", type: "project" } as const;
    expect(printed({ ...open, topic: "", text: "deploy: check certificates" }).at(1)).toBe(
      "- \\deploy: check certificates (03-15:3-4)",
    );
    expect(printed({ ...open, topic: "", text: "measure at 10:30" }).at(1)).toBe("- measure at 10:30 (03-15:3-4)");
    expect(printed({ ...open, topic: "std::vector", text: "grows" }).at(1)).toBe("- std::vector: grows (03-15:3-4)");
  });
});

describe("a line with several topics", () => {
  const first = { ...told, role: "topic", type: "project", naming: "found" } as const;
  const tank = { ...first, topic: "fish tank", text: "betta, filter", at: [2, 2] } as const;
  const novel = { ...first, topic: "novel", text: "plot", place: "same_line", at: [2, 2] } as const;

  it("has refs for each, and reads back as several topics", () => {
    const { body } = printSummary("weekly", "2026-W11", [tank, novel]);
    expect(body.at(-1)).toBe("- fish tank: betta, filter (03-15:3-4); novel: plot (03-15:3-4)");
    const read = parsed(body);
    expect(read.map(({ topic, text, naming }) => [topic, text, naming])).toEqual([
      ["fish tank", "betta, filter", "found"],
      ["novel", "plot", "found"],
    ]);
    expect(read.map(({ refs }) => refs)).toEqual([told.refs, told.refs]);
  });

  it("restarts after an explicitly named topic", () => {
    const auth = { ...tank, topic: "Auth", naming: "given" } as const;
    const { body } = printSummary("weekly", "2026-W11", [auth, novel]);
    expect(body.slice(-2)).toEqual(["- Auth [project]: betta, filter (03-15:3-4)", "- novel: plot (03-15:3-4)"]);
  });

  it("continues after an explicitly named topic", () => {
    const auth = { ...tank, topic: "Auth", naming: "given" } as const;
    const { body } = printSummary("weekly", "2026-W11", [tank, auth, novel]);
    expect(body.slice(-2)).toEqual([
      "- fish tank: betta, filter (03-15:3-4); novel: plot (03-15:3-4)",
      "- Auth [project]: betta, filter (03-15:3-4)",
    ]);
  });

  it("is one topic if a part of it has another form", () => {
    const lines = ["## Topics", "- Auth [project]: token (soon); cookie (03-15:3)"];
    expect(parsed(lines).map(({ topic, text }) => [topic, text])).toEqual([["Auth", "token (soon); cookie"]]);
  });
});

function read(...lines: readonly string[]): readonly string[] {
  return parsed(lines).map(({ role, topic, type, text }) => `${role} ${topic} [${type}] ${text}`);
}

describe("a summary in the form of agent templates", () => {
  it("lists its topics, and lines about a topic get its type", () => {
    const lines = ["## Topics", "tone [feedback], editor [user]", "", "## Lessons Learned", "- tone: answer briefly"];
    expect(read(...lines)).toEqual([
      "topic tone [feedback] ",
      "topic editor [user] ",
      "lesson tone [feedback] answer briefly",
    ]);
    expect(parsed(lines).map(({ refs }) => refs)).toEqual([fallback, fallback, fallback]);
  });

  it("can have lists without types, list items, keywords after a topic, and a placeholder", () => {
    expect(read("# Monthly Summary: 2026-03", "", "## Topics", "alpha, beta [feedback]")).toEqual([
      "topic alpha [project] ",
      "topic beta [feedback] ",
    ]);
    expect(read("## Topics", "- alpha, beta [user]", "- gamma: rays, decay", "(none)", "<!-- keywords -->")).toEqual([
      "topic alpha [project] ",
      "topic beta [user] ",
      "topic gamma [project] rays, decay",
    ]);
  });

  it("has monthly sections, and front matter of a child is not a topic", () => {
    expect(
      read(
        "## Recurring Entities",
        "users: ada, bo",
        "patterns: retries",
        "## Carried Forward",
        "- renew the certificate",
        "- [ ] deploy: check",
        "## Topics",
        "---",
        "type: daily",
        "topics: x, y",
        "---",
      ),
    ).toEqual([
      "entity users [project] ada, bo",
      "entity patterns [project] retries",
      "open  [project] renew the certificate",
      "open  [project] [ ] deploy: check",
    ]);
  });
});
