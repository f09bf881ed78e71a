import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { operations } from "./table.ts";
import { isArgument, optionOf, parseLine, type CommandSpec, type Invocation } from "./command-line.ts";
import { localCommands } from "./local-commands.ts";

const commands: readonly CommandSpec[] = [...operations, ...localCommands];

function parsed(argv: readonly string[]): Invocation | undefined {
  const line = parseLine(argv, commands);
  return line.kind === "invocation" ? line.invocation : undefined;
}

function plain(line: string): Invocation | undefined {
  return parsed(line.split(" "));
}

describe("the parser", () => {
  test("accepts options in any order, before and after the command", () => {
    const wanted = { given: { cycles: "3", dry_run: true }, common: { dir: "/x", output: "json", chatter: "normal" } };
    expect(plain("compact --cycles 3 --dry-run -C /x --json")).toMatchObject(wanted);
    expect(plain("--json -C /x compact --dry-run --cycles=3")).toMatchObject(wanted);
  });

  test("accepts a two-word command and an option value that starts with a dash", () => {
    const words = ["log", "add", "--topic", "T", "--body", "- decisions: none"];
    expect(parsed(words)?.given).toEqual({ topic: "T", body: "- decisions: none" });
  });

  test("accepts - for standard input, and an option that is named differently from its field", () => {
    expect(plain("thread import - --json")).toMatchObject({ given: { file: "-" } });
    const line = "thread handoff t --summary-file - --actor user --origin cli";
    const given = { thread_id: "t", summary_file: "-", actor_id: "user", origin: "cli" };
    expect(plain(line)).toMatchObject({ given });
  });

  test("distinguishes a command from longer commands that start with the same word", () => {
    const specOf = (line: string): string | undefined => plain(line)?.spec.name;
    expect(specOf("audit --apply")).toBe("audit.run");
    expect(specOf("-C /x audit undo 20261122-103105-3f2a")).toBe("audit.undo");
    expect(specOf("audit history")).toBe("audit.history");
    expect(plain("audit --workspace /x")).toMatchObject({ given: {}, common: { dir: "/x" } });
    expect(plain("thread create --workspace w")).toMatchObject({ given: { workspace: "w" } });
    expect(plain("thread create --workspace w")?.common).not.toHaveProperty("dir");
  });

  test.each([["trace"], ["--json", "trace"]])(
    "accepts a ROOT.md line that starts with a dash as text (%j)",
    (...words) => {
      const line = "- Search relevance [project, 1d]: ranking";
      const argv = [...words, line, "--today=2026-03-15"];
      const common = { today: "2026-03-15" };
      expect(parsed(argv)).toMatchObject({ given: { text: line }, common });
    },
  );

  test.each([
    "",
    "help",
    "compact --help",
    "compact -h",
    "compat",
    "compact x",
    "read",
    "log",
    "log add --type user",
    "compact --cycles",
    "compact --dyr-run",
    "compact --json=1",
    "audit undoo",
    "audit --dry-run undo",
    "audit undo --dry-run",
    "status --workspace x",
    "--version",
  ])("does not run %j", (line) => {
    expect(plain(line)).toBeUndefined();
  });

  test("treats everything after -- as words", () => {
    expect(plain("show -- -x")).toMatchObject({ given: { period: "-x" } });
  });

  test("parses generated command lines back to their inputs, in any order and form", () => {
    fc.assert(
      fc.property(written(), ({ spec, given, argv }) => {
        expect(parsed(argv)).toMatchObject({ spec: { name: spec.name }, given, common: { dir: "/x", output: "json" } });
        expect(Object.keys(parsed(argv)?.given ?? {}).toSorted()).toEqual(Object.keys(given).toSorted());
      }),
      { numRuns: 2_000 },
    );
  });
});

interface Written {
  readonly spec: CommandSpec;
  readonly given: Invocation["given"];
  readonly argv: readonly string[];
}

const value = fc.constantFrom("x", "3", "2026-03-01", "- a: b", "a b", "help", "add", "plain", "-", "a=b");

/** Inputs of a command, and a command line that gives them. */
function written(): fc.Arbitrary<Written> {
  return fc.constantFrom(...commands).chain((spec) => {
    const fields = spec.fields.map((field) => fc.tuple(fc.constant(field), value, fc.boolean(), fc.boolean()));
    return fc.tuple(fc.tuple(...fields), fc.boolean()).map(([chosen, isBefore]) => {
      const wanted = chosen.filter(
        ([field, , isGiven]) => isGiven || isArgument(field) || field.presence === "required",
      );
      const given = wanted.map(([field, text]) => [field.name, field.kind.kind === "flag" ? true : text] as const);
      const options = wanted.flatMap(([field, text, , isSpaced]) => {
        if (isArgument(field)) return [];
        if (field.kind.kind === "flag") return [optionOf(field)];
        return isSpaced ? [optionOf(field), text] : [`${optionOf(field)}=${text}`];
      });
      const words = wanted.flatMap(([field, text]) => (isArgument(field) ? [text] : []));
      const argv = isBefore
        ? ["-C", "/x", "--json", ...spec.command, ...options, "--", ...words]
        : [...spec.command, "-C/x", ...options, ...words, "--json"];
      return { spec, given: Object.fromEntries(given), argv };
    });
  });
}
