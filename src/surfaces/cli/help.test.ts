import { describe, expect, test } from "vitest";
import { MemoryError } from "../../base/errors.ts";
import { operations } from "../../operations/table.ts";
import { largeGroups, optionOf, parseLine, type CommandSpec, type Line } from "../../operations/command-line.ts";
import { localCommands } from "../../operations/local-commands.ts";
import { helpOf } from "./help.ts";
import { usageError } from "../../operations/failure.ts";

const commands: readonly CommandSpec[] = [...operations, ...localCommands];

type Answer = Extract<Line, { kind: "invocation" | "version" }> | { readonly kind: "help"; readonly text: string };

function parse(...argv: readonly string[]): Answer {
  const line = parseLine(argv, commands);
  if (line.kind === "slip") throw usageError(line, commands);
  if (line.kind === "help")
    return { kind: "help", text: helpOf(line.path, { commands, version: "1.2.3", columns: 80 }) };
  return line;
}

function helpTextOf(spec: CommandSpec): string {
  const parsed = parse(...spec.command, "--help");
  if (parsed.kind !== "help") throw new Error("no help");
  return parsed.text;
}

function refusal(...argv: readonly string[]): string {
  try {
    parse(...argv);
  } catch (error) {
    expect(error).toBeInstanceOf(MemoryError);
    expect((error as MemoryError).code).toBe("usage");
    return (error as MemoryError).message;
  }
  throw new Error(`${argv.join(" ")} was accepted`);
}

describe("help", () => {
  test.each(commands.map((spec) => [spec.command.join(" "), spec] as const))(
    "for %s shows what it does, its fields and examples",
    (_name, spec) => {
      const text = helpTextOf(spec);
      expect(text).toContain(`heartwood ${spec.command.join(" ")}`);
      expect(text).toContain(spec.summary);
      expect(spec.examples.length).toBeGreaterThan(0);
      for (const example of spec.examples) expect(text).toContain(example);
      for (const field of spec.fields)
        expect(text).toContain(field.place === "argument" ? (field.placeholder ?? "") : optionOf(field));
    },
  );

  test("`help log add` is `log add --help`", () => {
    expect(parse("help", "log", "add")).toEqual(parse("log", "add", "--help"));
  });

  test("an empty command line, `help` and `--help` show the overview of all commands", () => {
    const overview = parse();
    expect(parse("help")).toEqual(overview);
    expect(parse("--help")).toEqual(overview);
    for (const { command, summary } of commands) {
      if (largeGroups(commands).has(command[0] ?? "")) continue;
      expect((overview as { readonly text: string }).text).toMatch(
        new RegExp(`^  ${command.join(" ")} +${summary.replace(/[.*+?()]/g, "\\$&")}$`, "m"),
      );
    }
  });

  test("so do `help help`, `help --help` and an option before `--help`", () => {
    const overview = parse();
    for (const words of [
      ["help", "help"],
      ["help", "--help"],
      ["--json", "help"],
      ["-C", "/a", "--help"],
    ])
      expect(parse(...words)).toEqual(overview);
  });

  test("a large group is one line in the overview and has a separate overview", () => {
    expect([...largeGroups(commands).keys()]).toEqual(["log", "topic", "pin", "summaries", "thread", "store", "git"]);
    const { text } = parse() as { readonly text: string };
    expect(text.split("\n").length).toBeLessThanOrEqual(64);
    for (const word of ["log", "topic", "pin", "summaries", "thread", "store", "git"]) {
      expect(text.match(new RegExp(`^  ${word}`, "gm"))).toHaveLength(1);
      const group = parse("help", word);
      expect(parse(word, "--help")).toEqual(group);
      for (const { command } of commands.filter((spec) => spec.command[0] === word))
        expect((group as { readonly text: string }).text).toContain(`  ${command[1]} `.trimEnd());
      for (const line of (group as { readonly text: string }).text.split("\n"))
        expect(line.length).toBeLessThanOrEqual(100);
    }
  });

  test("the name of a large group alone lists its commands and how to get help", () => {
    expect(refusal("thread")).toMatch(
      /^'thread' is not a complete command; the commands are thread create, thread list, .*; see `heartwood thread --help`\.$/,
    );
    expect(refusal("thread", "apend")).toMatch(/did you mean append\?/);
    expect(refusal("summaries")).toBe(
      "'summaries' is not a complete command; the commands are summaries pending, summaries submit, summaries run, summaries ledger, summaries drop; see `heartwood summaries --help`.",
    );
    expect(refusal("summaries", "submitt")).toMatch(/did you mean submit\?/);
    expect(refusal("sumaries", "run")).toMatch(/did you mean summaries\?/);
  });

  test("for a group lists its commands", () => {
    const { text } = parse("help", "log") as { readonly text: string };
    expect(text).toContain("add");
    expect(parse("log", "--help")).toEqual(parse("help", "log"));
  });

  test.each([[["nosuch"]], [["compat"]], [["log", "nosuch"]], [["-C", "/a", "nosuch"]], [["nosuch", "compact"]]])(
    "for the unknown %j gives the same error as without help",
    (words) => {
      const error = refusal(...words);
      expect(refusal("help", ...words)).toBe(error);
      expect(refusal("--json", "help", ...words)).toBe(error);
      expect(refusal(...words, "--help")).toBe(error);
      expect(refusal(...words, "-h")).toBe(error);
    },
  );

  test("fits into 80 columns, except for examples", () => {
    for (const spec of commands) {
      const text = helpTextOf(spec);
      const [beforeExamples = ""] = text.split("\nExamples:");
      for (const line of beforeExamples.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
    }
  });

  test("--version works in any position", () => {
    for (const words of [["--version"], ["-V"], ["status", "--version"]])
      expect(parse(...words)).toEqual({ kind: "version" });
  });
});

describe("mistakes", () => {
  test("an unknown command gets a similar one as a suggestion", () => {
    expect(refusal("compat")).toBe("Unknown command 'compat' (did you mean compact?); see `heartwood --help`.");
  });

  test("an unknown command without a similar one lists the commands", () => {
    expect(refusal("zzzzzz")).toContain("init, log …, compact, status");
  });

  test("an unknown option gets a suggestion and the command's help", () => {
    expect(refusal("compact", "--dyr-run")).toBe(
      "Unknown option '--dyr-run' (did you mean --dry-run?); see `heartwood compact --help`.",
    );
  });

  test("a missing argument, a missing option and an unexpected word are named", () => {
    expect(refusal("read")).toContain("'PLACE'");
    expect(refusal("log", "add", "--body", "x")).toContain("--topic");
    expect(refusal("tree", "x")).toContain("Unexpected argument 'x'");
  });

  test("explains how to give a query of several words or one that starts with a dash", () => {
    expect(refusal("search", "token", "bucket")).toContain("quote a QUERY that contains spaces");
    expect(refusal("search", "-draft notes")).toContain("put -- before a QUERY that starts with -");
    expect(parse("search", "--json", "--", "-draft notes")).toMatchObject({
      invocation: { given: { query: "-draft notes" }, common: { output: "json" } },
    });
    expect(parse("search", "notes -draft")).toMatchObject({ invocation: { given: { query: "notes -draft" } } });
  });

  test("an incomplete command lists how to continue", () => {
    expect(refusal("log")).toContain("log add");
    expect(refusal("--today", "2026-03-01")).toMatch(
      /^No command given; the commands are init, .*; see `heartwood --help`\.$/,
    );
  });
});

describe("a command that also has subcommands", () => {
  const given = (line: string): unknown => {
    const parsed = parse(...line.split(" "));
    return parsed.kind === "invocation" ? [parsed.invocation.spec.name, parsed.invocation.common.dir] : parsed.kind;
  };

  test("is distinguished from them", () => {
    expect(given("audit --apply")).toEqual(["audit.run", undefined]);
    expect(given("audit undo")).toEqual(["audit.undo", undefined]);
    expect(given("audit history")).toEqual(["audit.history", undefined]);
  });

  test("`help audit` shows its options and subcommands, and `help audit undo` none of its options", () => {
    const { text } = parse("help", "audit") as { readonly text: string };
    expect(text).toMatch(/--apply[^]*--workspace <DIR>[^]*undo[^]*history/);
    expect(parse("audit", "--help")).toEqual(parse("help", "audit"));
    expect((parse("help", "audit", "undo") as { readonly text: string }).text).not.toContain("--aggressive");
    expect((parse("help", "status") as { readonly text: string }).text).not.toContain("--workspace");
  });

  test("gets suggestions for mistyped subcommands and options", () => {
    const sentence = "Unknown command 'undoo' (did you mean undo?); see `heartwood audit --help`.";
    for (const line of ["audit undoo", "audit --apply undoo", "audit undoo --help", "help audit undoo"])
      expect(refusal(...line.split(" "))).toBe(sentence);
    expect(refusal("audit", "zzz")).toBe(
      "Unknown command 'zzz'; the commands are audit undo, audit history; see `heartwood audit --help`.",
    );
    expect(refusal("audit", "--aply")).toBe(
      "Unknown option '--aply' (did you mean --apply?); see `heartwood audit --help`.",
    );
  });

  test("has options that its subcommands refuse in any position", () => {
    const sentence =
      "`heartwood audit undo` does not take --dry-run, which belongs to `heartwood audit`; see `heartwood audit undo --help`.";
    expect(refusal("audit", "--dry-run", "undo")).toBe(sentence);
    expect(refusal("audit", "undo", "--dry-run")).toBe(sentence);
  });

  test("accepts --workspace for --dir, like its subcommands, but not two different folders", () => {
    expect(given("audit --workspace /a")).toEqual(["audit.run", "/a"]);
    expect(given("audit undo --workspace /a")).toEqual(["audit.undo", "/a"]);
    expect(given("audit --workspace /a history")).toEqual(["audit.history", "/a"]);
    expect(given("audit --workspace /a -C /a")).toEqual(["audit.run", "/a"]);
    expect(refusal("audit", "--workspace", "/a", "--dir", "/b")).toBe(
      '--dir is "/b" and --workspace is "/a"; both name the project folder, so pass only one of them.',
    );
    expect(refusal("status", "--workspace", "/a")).toContain("Unknown option '--workspace'");
  });
});

describe("an unknown option", () => {
  test.each(["--ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8", "--xghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8=1"])(
    "that may be a secret is not repeated: %s",
    (word) => {
      expect(refusal("status", word)).toBe("Unknown option (not repeated here); see `heartwood status --help`.");
    },
  );

  test("is named without its value", () => {
    expect(refusal("status", "--tokenn=abc")).toBe("Unknown option '--tokenn=…'; see `heartwood status --help`.");
    expect(refusal("status", "--Json")).toMatch(/^Unknown option '--Json'[ ;]/);
  });
});

test.each([
  ["--topic", ["log", "add", "--topic", "a", "--body", "x", "--topic", "b"]],
  ["--dir", ["-C", "/a", "status", "--dir=/b"]],
] as const)("%s twice is refused", (name, words) => {
  expect(refusal(...words)).toMatch(new RegExp(`^Option '${name}' was passed more than once`));
});
