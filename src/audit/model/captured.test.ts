import { Buffer } from "node:buffer";
import { expect, it } from "vitest";
import { isCaptured } from "./captured.ts";
import { readText } from "./memory-text.ts";

const entry = (id: string, body = "- said\n"): string =>
  `## Transcript [general]\n<!-- hw id=${id} at=2026-03-01T10:00:00+01:00 origin=agent -->\n${body}\n`;

it.each([
  ["one entry of capture", entry("capture-1"), true],
  [
    "a title and entries",
    `# 2026-03-01\n\n${entry("capture-1")}${entry("capture-2", "### Deep\n```\n## no heading\n```\n# Own title\n")}`,
    true,
  ],
  ["CRLF and a byte order mark", `\u{FEFF}# 2026-03-01\n\n${entry("capture-1")}`.replaceAll("\n", "\r\n"), true],
  ["no entry", "# 2026-03-01\n\n", false],
  ["nothing", "", false],
  ["an entry of a person", entry("capture-1") + entry("01ABC"), false],
  ["a heading without comment", `${entry("capture-1")}## Notes\n- mine\n`, false],
  ["text before the entries", `# 2026-03-01\n- mine\n${entry("capture-1")}`, false],
  ["two titles", `# 2026-03-01\n# Again\n${entry("capture-1")}`, false],
  ["front matter", `---\nkey: value\n---\n${entry("capture-1")}`, false],
  [
    "a comment that is not below its heading",
    `## A\n\n<!-- hw id=capture-1 at=2026-03-01T10:00:00+01:00 origin=agent -->\n`,
    false,
  ],
])("%s", (_name, text, expected) => {
  expect(isCaptured(readText({ path: "memory/2026-03-01.md", bytes: Buffer.from(text) }))).toBe(expected);
});
