import { describe, expect, test } from "vitest";
import { parseArguments } from "./arguments.ts";

describe("the words behind heartwood mcp", () => {
  test("name the folder, the day and the tools", () => {
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
  ])("name the folder as every command does: %s %s %s %s", (...words) => {
    expect(parseArguments(words.filter((word) => word !== undefined))).toEqual({
      tools: ["memory"],
      trust: "recorded",
      dir: "/p",
    });
  });

  test.each([
    [
      ["mcp", "--tools", "everything"],
      /--tools contains "everything"; give a comma-separated list of memory, threads, all/u,
    ],
    [["mcp", "--colour"], /Unknown option '--colour'.*; see `heartwood mcp --help`/u],
    [["mcp", "serve"], /Unexpected argument 'serve'/u],
    [["mcp", "--dir"], /Option '--dir' needs a value/u],
  ])("are told what is wrong with %j", (words, sentence) => {
    expect(() => parseArguments(words)).toThrow(sentence);
  });
});
