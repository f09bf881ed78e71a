import { describe, expect, it } from "vitest";
import { mergeKeywords } from "./keyword-list.ts";

describe("lists of keywords", () => {
  it("are taken in turns, each word once", () => {
    expect(
      mergeKeywords(
        [
          ["token", "cookie"],
          ["bucket", "Token", "burst"],
        ],
        12,
      ),
    ).toEqual(["token", "bucket", "cookie", "burst"]);
  });

  it("have no word that stands in a longer one, and no more than wanted", () => {
    expect(mergeKeywords([["Figma", "Figma plugin", "fig", "爪切", "爪切り"]], 12)).toEqual([
      "Figma plugin",
      "fig",
      "爪切り",
    ]);
    expect(mergeKeywords([["a1", "b1", "c1"]], 2)).toEqual(["a1", "b1"]);
  });
});
