import { Buffer } from "node:buffer";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fileOf, plantedToken } from "../../../test/fixtures/audit-text.ts";
import { checkSecrets } from "./secrets.ts";

const begin = `-----${"BEGIN"} RSA PRIVATE KEY-----`;
const end = `-----${"END"} RSA PRIVATE KEY-----`;
const password = `Tr0ub${"4dor"}!x`;

/** `line kind` of each finding. */
function found(content: string | Uint8Array): readonly string[] {
  return checkSecrets(fileOf("USER.md", content)).map(
    ({ line, message }) => `${line} ${/\((.*?)\)/u.exec(message)?.[1]}`,
  );
}

describe("secret_found", () => {
  test("is kind and line, never the text", () => {
    const findings = checkSecrets(fileOf("knowledge/keys.md", `# Keys\n- ${plantedToken}\n`));
    expect(findings).toEqual([
      {
        code: "secret_found",
        severity: "high",
        path: "knowledge/keys.md",
        line: 2,
        lines: [2, 2],
        message: "A secret stands here (github-token): change it where it is used, then take it out of the file.",
        resolved: false,
      },
    ]);
  });

  test.each<[string, string | Uint8Array, readonly string[]]>([
    ["LF", `a\nb\n${plantedToken}`, ["3 github-token"]],
    ["CRLF", `a\r\nb\r\n${plantedToken}\r\n`, ["3 github-token"]],
    ["a byte order mark", `\uFEFF${plantedToken}\n`, ["1 github-token"]],
    ["a byte order mark before an assignment", `\uFEFFDB_PASSWORD=${password}\n`, ["1 password"]],
    ["inside a fence", `\`\`\`\nDB_PASSWORD=${password}\n\`\`\`\n`, ["2 password"]],
    ["in front matter", `---\ntoken: ${plantedToken}\n---\n`, ["2 github-token"]],
    ["a private key is one", `x\n${begin}\n${"Ab3".repeat(21)}\n${end}\n`, ["2 private-key"]],
    ["twice the same kind on a line is one", `${plantedToken} ${plantedToken}`, ["1 github-token"]],
    ["two lines are two", `${plantedToken}\n${plantedToken}`, ["1 github-token", "2 github-token"]],
    ["beside bytes that are no text", Buffer.from(`\xff\xfe\n\xff ${plantedToken}\n`, "latin1"), ["2 github-token"]],
    ["behind NUL", `\0\0\n\0${plantedToken}\n`, ["2 github-token"]],
    ["in a very long line", `${"word ".repeat(40_000)}${plantedToken}\n`, ["1 github-token"]],
    ["none", "# Nothing\n- the password policy asks for 12 characters\n", []],
    ["an empty file", "", []],
  ])("%s", (_name, content, expected) => {
    expect(found(content)).toEqual(expected);
  });

  test.each([
    "[REDACTED:github-token]",
    "password: [REDACTED:password]",
    "DB_PASSWORD=[REDACTED:made-up-kind]",
    "token = '[REDACTED:a]'",
    "the password is [REDACTED:password].",
    "[redacted:password]",
    "https://user:[REDACTED:password]@host/",
    "password: [REDACTED]",
    "[REDACTED:[REDACTED:token]]",
    "密码：[REDACTED:password]",
  ])("our own mark, or what looks like it, is none: %s", (line) => {
    expect(found(`${line}\n`)).toEqual([]);
  });

  test("a mark hides no secret beside it", () => {
    expect(found(`[REDACTED:token] ${plantedToken}\n`)).toEqual(["1 github-token"]);
  });

  test("the line is the line it stands on, whatever the line ends", () => {
    const end = fc.constantFrom("\n", "\r\n");
    const line = fc.constantFrom("", "text", "# A", "```", "汉字", "---", plantedToken);
    fc.assert(
      fc.property(fc.constantFrom("", "\uFEFF"), fc.array(line), end, (mark, lines, lineEnd) => {
        const expected = lines.flatMap((text, index) => (text === plantedToken ? [`${index + 1} github-token`] : []));
        expect(found(mark + lines.join(lineEnd))).toEqual(expected);
      }),
    );
  });

  test("the advice for a part of a shortened log does not damage it", () => {
    const bytes = Buffer.from("- password: hunter2secret99x\n");
    const [part] = checkSecrets({ path: "memory/archive/2026-02-02.full-2.md", bytes });
    expect(part?.message).toContain("must stay as it is");
    expect(part?.message).not.toContain("take it out of the file");
    expect(checkSecrets({ path: "memory/archive/old.md", bytes })[0]?.message).toContain("take it out of the file");
  });
});
