import { describe, expect, test } from "vitest";
import { redact } from "./index.ts";

// Every secret below is put together from parts, so that no scanner takes this file for a leak.
const mixed = (length: number): string => "k7Rq2ZtV9xLw4BnM8cYd5HsJ3fGpT6Ue".repeat(9).slice(0, length);
const hex = (length: number): string => "9f3c1b7e5a2d8046".repeat(10).slice(0, length);
const begin = (name = "RSA "): string => `-----${"BEGIN"} ${name}PRIVATE KEY-----`;
const end = (name = "RSA "): string => `-----${"END"} ${name}PRIVATE KEY-----`;
const bodyLine = mixed(64);

describe("a private key", () => {
  const block = [begin(), bodyLine, bodyLine, `${mixed(20)}==`, end()];

  test("goes line by line and keeps its line breaks", () => {
    for (const eol of ["\n", "\r\n"]) {
      const { text, found } = redact(["before", ...block, "after"].join(eol));
      expect(text.split(eol)).toEqual(["before", ...block.map(() => "[REDACTED:private-key]"), "after"]);
      expect(found).toEqual([{ kind: "private-key", line: 2 }]);
    }
  });

  test("goes from a quote, an indented list and a comment", () => {
    for (const lead of ["> ", "    ", "// ", "# ", "| "]) {
      const { text } = redact(block.map((line) => lead + line).join("\n"));
      expect(text).toBe(block.map(() => `${lead}[REDACTED:private-key]`).join("\n"));
    }
  });

  test("goes from one line of JSON and keeps what follows", () => {
    const { text } = redact(`{"private_key":"${block.join("\\n")}\\n","next":1}`);
    expect(text).toBe('{"private_key":"[REDACTED:private-key]\\n","next":1}');
  });

  test("may have headers", () => {
    const { text } = redact(
      [begin(), "Proc-Type: 4,ENCRYPTED", `DEK-Info: AES-128-CBC,${hex(32)}`, "", bodyLine, end()].join("\n"),
    );
    expect(text).not.toMatch(/Proc|DEK|[0-9a-f]{32}/);
  });

  test("without an end does not swallow the document", () => {
    const { text } = redact([begin(), bodyLine, "", "# The next chapter", "and its text"].join("\n"));
    expect(text.split("\n").slice(2)).toEqual(["", "# The next chapter", "and its text"]);
  });

  test("without an end stops after 200 lines", () => {
    const { text } = redact([begin(), ...Array.from({ length: 300 }, () => bodyLine)].join("\n"));
    expect(text.split("\n").filter((line) => line === "[REDACTED:private-key]")).toHaveLength(200);
  });

  test("that is only spoken of stays", () => {
    for (const text of [
      `grep for ${begin()} in the repo`,
      [begin(""), "anything", end("")].join("\n"),
      `\`${begin()}\` is a header\nand so on`,
    ]) {
      expect(redact(text).text).toBe(text);
    }
  });
});
