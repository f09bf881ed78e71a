import { describe, expect, test } from "vitest";
import { redact } from "./redact.ts";

// The secrets below are assembled from parts, so that scanners do not report this file as a leak.
const mixed = (length: number): string => "k7Rq2ZtV9xLw4BnM8cYd5HsJ3fGpT6Ue".repeat(9).slice(0, length);
const hex = (length: number): string => "9f3c1b7e5a2d8046".repeat(10).slice(0, length);
const begin = (name = "RSA "): string => `-----${"BEGIN"} ${name}PRIVATE KEY-----`;
const end = (name = "RSA "): string => `-----${"END"} ${name}PRIVATE KEY-----`;
const bodyLine = mixed(64);

describe("a private key", () => {
  const block = [begin(), bodyLine, bodyLine, `${mixed(20)}==`, end()];

  test("is redacted line by line and keeps its line breaks", () => {
    for (const eol of ["\n", "\r\n"]) {
      const { text, found } = redact(["before", ...block, "after"].join(eol));
      expect(text.split(eol)).toEqual(["before", ...block.map(() => "[REDACTED:private-key]"), "after"]);
      expect(found).toEqual([{ kind: "private-key", line: 2 }]);
    }
  });

  test("is redacted in quotes, indented text, comments and tables", () => {
    for (const lead of ["> ", "    ", "// ", "# ", "| "]) {
      const { text } = redact(block.map((line) => lead + line).join("\n"));
      expect(text).toBe(block.map(() => `${lead}[REDACTED:private-key]`).join("\n"));
    }
  });

  const prefixes: Readonly<Record<string, (line: string, at: number) => string>> = {
    "cat -n": (line, at) => `${String(at + 9).padStart(6)}\t${line}`,
    "an editor's arrows": (line, at) => `${String(at + 98).padStart(6)}→${line}`,
    "grep -n": (line, at) => `${at + 9}:${line}`,
    "grep -n of files": (line, at) => `keys/id_rsa:${at + 9}:${line}`,
    "grep -C": (line, at) => `keys/id_rsa${at === 0 ? ":" : "-"}${at + 9}${at === 0 ? ":" : "-"}${line}`,
    "a log": (line, at) => `2026-03-10T10:00:0${at}.${100 + at}Z INFO app: ${line}`,
    "the journal": (line, at) => `Nov 23 10:00:0${at} web-01 app[2211]: ${line}`,
    "docker compose logs": (line) => `web-1  | ${line}`,
    "coloured docker compose logs": (line) => `\u001b[36mweb-1  | \u001b[0m${line}`,
    "a table": (line, at) => `| ${at + 1} | ${line} |`,
    "a table with code": (line, at) => `| ${at + 1} | \`${line}\` |`,
    "a table with a column after it": (line, at) => `| ${line} | line ${at} of the file |`,
    "a diff": (line) => `+${line}`,
    "a coloured diff": (line) => `\u001b[32m+\u001b[m\u001b[32m${line}\u001b[m`,
    "git blame": (line, at) => `^a1b2c3d (Ann Lee 2026-03-10 10:00:00 +0100 ${at + 1}) ${line}`,
    "a pane": (line) => `│ ${line} │`,
    "a numbered list": (line, at) => `${at + 1}. ${line}`,
    HTML: (line) => `${line}<br>`,
  };

  test.each(Object.entries(prefixes))("is redacted with the prefix of %s on each line", (_, prefix) => {
    const lines = [begin(), "Proc-Type: 4,ENCRYPTED", "", bodyLine, bodyLine, bodyLine, `${mixed(20)}==`, end()];
    const { text, found } = redact(["before", ...lines.map(prefix), "after"].join("\n"));
    const out = text.split("\n");
    expect(out).toHaveLength(10);
    expect([out[0], out[9]]).toEqual(["before", "after"]);
    expect(found).toEqual([{ kind: "private-key", line: 2 }]);
    const marked = lines.map((line, at) => prefix(line === "" ? "" : "[REDACTED:private-key]", at));
    if (!prefix("", 0).includes("\u001b")) expect(out.slice(1, 9)).toEqual(marked);
    expect(text).not.toContain(bodyLine.slice(0, 8));
  });

  test("is redacted in base64, wrapped or not, unlike a certificate", () => {
    const certificate = btoa(`-----${"BEGIN"} CERTIFICATE-----\n${bodyLine}\n`);
    for (const name of ["", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED "]) {
      const key = btoa([begin(name), bodyLine, bodyLine, bodyLine, end(name)].join("\n"));
      const config = (data: string): string =>
        `  client-certificate-data: ${certificate}\n  client-key-data: ${data}\n`;
      expect(redact(config(key)).text).toBe(config("[REDACTED:private-key]"));
      const wrapped = key.match(/.{1,76}/g) ?? [];
      const out = redact(`$ base64 key\n${wrapped.join("\n")}\n$`).text.split("\n");
      expect(out.slice(1, -2)).toEqual(wrapped.slice(0, -1).map(() => "[REDACTED:private-key]"));
    }
    expect(redact(certificate).text).toBe(certificate);
  });

  test("is redacted in numbered lines in JSON, with or without its end", () => {
    const numbered = block.map((line, at) => `     ${at + 1}\t${line}`);
    for (const lines of [numbered, numbered.slice(0, -1)]) {
      const { text } = redact(JSON.stringify({ content: lines.join("\n") }));
      expect(text).not.toContain(bodyLine.slice(0, 8));
    }
  });

  test("is redacted in one line of JSON, without the text after it", () => {
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

  test("is not redacted if the text only mentions one", () => {
    for (const text of [
      `grep for ${begin()} in the repo`,
      [begin(""), "anything", end("")].join("\n"),
      `\`${begin()}\` is a header\nand so on`,
    ]) {
      expect(redact(text).text).toBe(text);
    }
  });
});
