import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { operations } from "../../engine/operations.ts";
import { COMMON_OPTIONS, isArgument, optionOf, ownOptionsOf, type CommandSpec } from "./command.ts";
import { localCommands } from "./local.ts";
import { parsePlain } from "./parse.ts";
import { parseFully, type Parsed } from "./program.ts";

const commands: readonly CommandSpec[] = [...operations, ...localCommands];

function plain(line: string): ReturnType<typeof parsePlain> {
  return parsePlain(line.split(" "), commands);
}

describe("the plain parser", () => {
  test("understands a command with its options in any order", () => {
    const wanted = { given: { cycles: "3", dry_run: true }, common: { dir: "/x", output: "json", chatter: "normal" } };
    expect(plain("compact --cycles 3 --dry-run -C /x --json")).toMatchObject(wanted);
    expect(plain("--json -C /x compact --dry-run --cycles=3")).toMatchObject(wanted);
  });

  test("understands a command of two words and a text that begins with a dash", () => {
    const words = ["log", "add", "--topic", "T", "--body", "- decisions: none"];
    expect(parsePlain(words, commands)?.given).toEqual({ topic: "T", body: "- decisions: none" });
  });

  test("understands - for standard input, and the option of a field that has another name", () => {
    expect(plain("thread import - --json")).toMatchObject({ given: { file: "-" } });
    const line = "thread handoff t --summary-file - --actor user --origin cli";
    const given = { thread_id: "t", summary_file: "-", actor_id: "user", origin: "cli" };
    expect(plain(line)).toMatchObject({ given });
    expect(fully(line.split(" "))).toMatchObject({ invocation: { given } });
  });

  test("understands a command that begins others, and those", () => {
    const specOf = (line: string): string | undefined => plain(line)?.spec.name;
    expect(specOf("audit --apply")).toBe("audit.run");
    expect(specOf("-C /x audit undo 20261122-103105-3f2a")).toBe("audit.undo");
    expect(specOf("audit history")).toBe("audit.history");
    expect(plain("audit --workspace /x")).toMatchObject({ given: {}, common: { dir: "/x" } });
    expect(plain("thread create --workspace w")).toMatchObject({ given: { workspace: "w" } });
    expect(plain("thread create --workspace w")?.common).not.toHaveProperty("dir");
  });

  test.each([["trace"], ["--json", "trace"]])("takes a line of ROOT.md as it stands for a text (%j)", (...words) => {
    const line = "- Search relevance [project, 1d]: ranking";
    const argv = [...words, line, "--today=2026-03-15"];
    const common = { today: "2026-03-15" };
    expect(parsePlain(argv, commands)).toMatchObject({ given: { text: line }, common });
    expect(fully(argv)).toMatchObject({ invocation: { given: { text: line }, common } });
  });

  test.each([
    "",
    "help",
    "compact --help",
    "compact -h",
    "compat",
    "compact x",
    "show",
    "log",
    "log add --type user",
    "compact --cycles",
    "compact --dyr-run",
    "compact --json=1",
    "audit undoo",
    "audit --dry-run undo",
    "audit undo --dry-run",
    "audit --dir x --workspace x",
    "status --workspace x",
    "show -- -x",
    "--version",
  ])("leaves %j to commander", (line) => {
    expect(plain(line)).toBeUndefined();
  });

  test("what it accepts, commander understands the same way", () => {
    fc.assert(
      fc.property(commandLine(), (argv) => {
        const accepted = parsePlain(argv, commands);
        if (accepted === undefined) return;
        expect(fully(argv)).toEqual({ kind: "invocation", invocation: accepted });
      }),
      { numRuns: 2_000 },
    );
  });

  test("the property above is not empty: most of its lines are accepted", () => {
    const lines = fc.sample(commandLine(), 500);
    expect(lines.filter((argv) => parsePlain(argv, commands) !== undefined).length).toBeGreaterThan(50);
  });
});

function fully(argv: readonly string[]): Parsed {
  return parseFully(argv, { commands, version: "1.2.3", columns: 80 });
}

/** Lines out of the words of one command, with a slip now and then. */
function commandLine(): fc.Arbitrary<string[]> {
  const value = fc.constantFrom(
    "x",
    "3",
    "2026-03-01",
    "- a: b",
    "--json",
    "-C",
    "a b",
    "",
    "help",
    "add",
    "undo",
    "plain",
    "--",
    "-x",
    "=",
    "-",
  );
  return fc.constantFrom(...commands).chain((spec) => {
    const options = [
      ...[...COMMON_OPTIONS, ...ownOptionsOf(spec)].flatMap(({ long, short, placeholder }) =>
        [long, ...(short === undefined ? [] : [short])].map((name) => ({ name, bare: placeholder === undefined })),
      ),
      ...spec.fields
        .filter((field) => !isArgument(field))
        .map((field) => ({ name: optionOf(field), bare: field.kind.kind === "flag" })),
    ];
    const option = fc
      .tuple(fc.constantFrom(...options), value, fc.constantFrom("spaced", "equals", "slip"))
      .map(([{ name, bare }, text, form]) => {
        if (bare) return form === "slip" ? [`${name}=1`] : [name];
        return form === "equals" ? [`${name}=${text}`] : form === "slip" ? [name] : [name, text];
      });
    const required = spec.fields
      .filter(({ presence }) => presence === "required")
      .map((field) => (isArgument(field) ? fc.tuple(value) : fc.tuple(fc.constant(optionOf(field)), value)));
    const before = fc.array(option, { maxLength: 1 });
    const after = fc
      .tuple(fc.tuple(...required), fc.array(option, { maxLength: 3 }))
      .map(([first, more]) => [...first.flat(), ...more.flat()]);
    return fc.tuple(before, after).map(([first, rest]) => [...first.flat(), ...spec.command, ...rest]);
  });
}
