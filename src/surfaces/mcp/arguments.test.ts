import { describe, expect, test } from "vitest";
import { parseArguments } from "./arguments.ts";

describe("the arguments of heartwood mcp", () => {
  test("set the folder, the day and the tools", () => {
    expect(parseArguments(["mcp"])).toEqual({ tools: ["memory"], trust: "recorded" });
    expect(parseArguments(["mcp", "--dir", "/p", "--tools", "threads, all", "--today=2026-03-24"])).toEqual({
      dir: "/p",
      today: "2026-03-24",
      tools: ["threads", "all"],
      trust: "recorded",
    });
  });

  test.each([
    ["mcp", "-C", "/p"],
    ["mcp", "-C/p", "--quiet"],
    ["-C", "/p", "mcp"],
    ["--quiet", "--dir=/p", "mcp"],
  ])("set the folder like in every command: %s %s %s %s", (...words) => {
    expect(parseArguments(words.filter((word) => word !== undefined))).toEqual({
      tools: ["memory"],
      trust: "recorded",
      dir: "/p",
    });
  });

  test.each([
    [
      ["mcp", "--tools", "everything"],
      /--tools contains "everything"; pass a comma-separated list of memory, summaries, threads, all/u,
    ],
    [["mcp", "--colour"], /Unknown option '--colour'.*; see `heartwood mcp --help`/u],
    [["mcp", "serve"], /Unexpected argument 'serve'/u],
    [["mcp", "--dir"], /Option '--dir' needs a value/u],
  ])("are refused with a clear message: %j", (words, sentence) => {
    expect(() => parseArguments(words)).toThrow(sentence);
  });
});
