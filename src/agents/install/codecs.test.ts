import fc from "fast-check";
import { parseTree, type Node } from "jsonc-parser";
import { describe, expect, test } from "vitest";
import { putEntries, takeEntries as take, type JsonEntry } from "./json-entries.ts";
import { putPart, takePart } from "./appended-part.ts";
import { putTable, takeTable as takeOut, type TomlTable } from "./toml-table.ts";
import { lawRuns } from "../../../test/fixtures/law-runs.ts";

const command = "/home/a b/heartwood hook claude-code session-start";
const group = { hooks: [{ type: "command", command, timeout: 10 }] };
const entries: readonly JsonEntry[] = [
  { as: "item", at: ["hooks", "SessionStart"], value: group },
  { as: "item", at: ["hooks", "Stop"], value: group },
  { as: "member", at: ["mcpServers", "heartwood"], value: { command: "/x", args: ["mcp"] } },
  { as: "item", at: ["instructions"], value: "memory/ROOT.md" },
];
const table: TomlTable = { name: ["mcp_servers", "heartwood"], lines: ['command = "/x"', 'args = ["mcp"]'] };
const part = "## Memory\n\nThis is kept by heartwood.";

const put = (text: string): string => putEntries("f", text, entries);
const takeEntries = (text: string, ours: readonly JsonEntry[], before: string | undefined): string | undefined =>
  take("f", text, ours, before);
const takeTable = (text: string, ours: TomlTable, before: string | undefined): string | undefined =>
  takeOut("f", text, ours, before);

/** JSON in the varied layouts that people and editors produce. */
const blank = fc.oneof(
  fc.constantFrom("", " ", "\n", "\n  ", "\r\n\t", "  "),
  fc.constantFrom("/* c */", " // n\n", "// n  \r\n  ", "/* a\n b */ "),
);
const key = fc.constantFrom("a", "b", "hooks", "mcpServers", "instructions", "ключ", "__proto__", "heart");
const scalar = fc.oneof(
  fc.integer().map(String),
  fc.string().map((text) => JSON.stringify(text)),
  fc.constantFrom("true", "null", "1.50", '"\\u00e9"', '"😀"'),
);
const { object } = fc.letrec<{ object: string; array: string; value: string }>((tie) => ({
  value: fc.oneof({ depthSize: "small" }, scalar, tie("object"), tie("array")),
  array: listOf(
    "[",
    "]",
    fc.tuple(blank, tie("value"), blank).map((parts) => parts.join("")),
  ),
  object: fc
    .uniqueArray(fc.tuple(key, blank, blank, tie("value"), blank), { maxLength: 4, selector: ([name]) => name })
    .chain((members) =>
      listOfTexts(
        "{",
        "}",
        members.map(([name, a, b, value, c]) => `${a}${JSON.stringify(name)}:${b}${valueFor(name, value)}${c}`),
      ),
    ),
}));

/** An object or array for the keys that will contain our entries. */
function valueFor(name: string, value: string): string {
  if (name === "hooks" || name === "mcpServers") return value.startsWith("{") ? value : "{ }";
  if (name === "instructions" || name === "SessionStart") return value.startsWith("[") ? value : "[\n]";
  return value;
}

function listOf(open: string, close: string, item: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.array(item, { maxLength: 3 }).chain((items) => listOfTexts(open, close, items));
}

function listOfTexts(open: string, close: string, items: readonly string[]): fc.Arbitrary<string> {
  return fc
    .tuple(blank, fc.boolean())
    .map(([inside, comma]) => `${open}${items.join(",")}${items.length > 0 && comma ? "," : ""}${inside}${close}`);
}

const jsonText = fc
  .tuple(fc.constantFrom("", "\uFEFF"), blank, object, blank)
  .map((parts) => parts.join(""))
  .filter((text) => rootOf(text).type === "object");

function rootOf(text: string): Node {
  const root = parseTree(text.replace("\uFEFF", " "), [], { allowTrailingComma: true });
  if (root === undefined) throw new Error("no value");
  return root;
}

describe("entries in a JSON file", () => {
  test("removing the entries restores the file byte for byte", () => {
    fc.assert(
      fc.property(jsonText, (text) => {
        const installed = put(text);
        expect(put(installed)).toBe(installed);
        expect(takeEntries(installed, entries, text)).toBe(text);
      }),
      { numRuns: lawRuns(500) },
    );
  });

  test("adding entries keeps every byte of the file in order", () => {
    fc.assert(
      fc.property(jsonText, (text) => {
        const installed = put(text);
        let at = 0;
        for (const sign of installed) if (text.startsWith(sign, at)) at += sign.length;
        expect(at).toBe(text.length);
      }),
    );
  });

  test("removing the entries keeps a later change elsewhere", () => {
    const added = fc.record({
      name: fc.constantFrom("zz", "yy"),
      value: scalar,
      where: fc.constantFrom("first", "last"),
    });
    fc.assert(
      fc.property(jsonText, added, (text, { name, value, where }) => {
        const change = (whole: string): string => edited(whole, `"${name}": ${value}`, where as "first" | "last");
        const taken = takeEntries(change(put(text)), entries, text);
        const said = (whole: string): unknown => strip(rootOf(whole));
        expect(said(taken ?? "")).toEqual(said(change(text)));
        // A formerly empty object keeps the line end that came with our entry.
        if (where === "first" && !isEmpty(text)) expect(taken).toBe(change(text));
      }),
      { numRuns: lawRuns(500) },
    );
  });

  test("removing the entries restores the values after a client reformatted the file", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom("a", "b", "c"), fc.jsonValue()), (value) => {
        const text = JSON.stringify(value);
        const rewritten = JSON.stringify(JSON.parse(put(text)), null, 2);
        expect(takeEntries(rewritten, entries, text)).toBe(text);
      }),
    );
  });

  test("a change inside our entry is removed with it, and an addition next to it stays", () => {
    const installed = put('{"a": 1}');
    const changed = installed
      .replaceAll('"timeout":10', '"timeout":99')
      .replace('[{"hooks":[', '[{"hooks":[{"type":"command","command":"theirs"},');
    expect(takeEntries(changed, entries, '{"a": 1}')).toBe(
      '{"a": 1, "hooks":{"SessionStart":[{"hooks":[{"type":"command","command":"theirs"}]}]}}',
    );
  });

  test("an entry that already existed is not removed", () => {
    const text = '{"instructions": ["memory/ROOT.md"], "a": 1}';
    expect(takeEntries(put(text).replace("1", "2"), entries, text)).toBe(text.replace("1", "2"));
  });

  test("an empty file gets an object, and is empty or removed afterwards", () => {
    for (const text of ["", "\n", "\uFEFF", "  "]) expect(takeEntries(put(text), entries, text)).toBe(text);
    expect(takeEntries(put(""), entries, undefined)).toBeUndefined();
  });

  test("invalid JSON, non-objects and conflicting entries are refused", () => {
    expect(() => put('{\n  "a": \n}')).toThrow(/line 3/u);
    expect(() => put("[]")).toThrow(/not a JSON object/u);
    expect(() => put('{"hooks": []}')).toThrow(/hooks is not an object/u);
    expect(() => put('{"hooks": {"Stop": {}}}')).toThrow(/hooks.Stop is not an array/u);
    expect(() => put('{"mcpServers": {"heartwood": {}}}')).toThrow(/mcpServers.heartwood is taken/u);
    expect(() => put('{"hooks": {}, "hooks": {}}')).toThrow(/twice/u);
    for (const twice of ['"mcpServers": {},', '"instructions": ["memory/ROOT.md"],'])
      expect(() => takeEntries(put("{}").replace("{", `{ ${twice}`), entries, "{}")).toThrow(/twice/u);
  });
});

function isEmpty(text: string): boolean {
  return rootOf(text).children?.length === 0;
}

/** Keys and values in order. */
function strip({ type, value, children }: Node): unknown {
  return children === undefined ? value : [type, children.map(strip)];
}

/** Adds a property at the start or end of the root object. */
function edited(text: string, property: string, where: "first" | "last"): string {
  const root = rootOf(text);
  const last = root.children?.at(-1);
  if (where === "first" || last === undefined) {
    const at = root.offset + 1;
    return `${text.slice(0, at)} ${property}${last === undefined ? "" : ","}${text.slice(at)}`;
  }
  const at = last.offset + last.length;
  return `${text.slice(0, at)}, ${property}${text.slice(at)}`;
}

const line = fc.oneof(
  fc.constantFrom("", "a = 1", "[t]", "[[u]]", "# c", 's = """x', '"""', "l = [", "]", "text", "## A", "<!-- x -->"),
  fc.string({ maxLength: 12 }).map((text) => text.replaceAll(/[\r\n]/gu, "")),
);
const anyText = fc
  .tuple(fc.constantFrom("", "\uFEFF"), fc.array(line), fc.constantFrom("\n", "\r\n"), fc.boolean())
  .map(([bom, lines, end, final]) => bom + lines.join(end) + (final && lines.length > 0 ? end : ""));

/** TOML in the varied layouts that people and editors produce. */
const tomlText = fc
  .record({
    mark: fc.constantFrom("", "\uFEFF"),
    root: fc.subarray([
      'model = "gpt" # mine',
      "   a=1   ",
      "b.c . 'd e' = [ 1,2 , 3 ]",
      "inline = { x = 1, y = { z = [] } }",
      "list = [\n  1, # one\n  [2],\n]",
      's = """\n[mcp_servers.heartwood]\ncommand = 1\n"""',
      "l = '''\n[hooks.state]\n'''",
      "# [mcp_servers.heartwood]",
      "d = 1979-05-27 07:32:00.999-07:00",
      'q = "\\"[\\u00e9"',
      '"" = 1.50',
      "",
      "more.servers.heartwood.command = 'x'",
    ]),
    tables: fc.shuffledSubarray([
      "[t]\n  a   =  1 # x",
      "# about\n[ other . 'x' ]\n\n\ny = 2",
      "[[p]]\nn = 1\n[[p]]\nn = 2\n[p.q]\nx=1",
      '[hooks.state."/a/hooks.json:stop:0:0"]\ntrusted_hash = "y"',
      "[empty]",
      "[heartwood]\ncommand = 1\n# tail",
      "[mcp_servers.other]\ncommand = 1\n# 木\n",
    ]),
    end: fc.constantFrom("\n", "\r\n"),
    final: fc.constantFrom("", "\n", "\n\n"),
  })
  .map(({ mark, root, tables, end, final }) => {
    const lines = [...root, ...tables].join("\n");
    return mark + (lines + (lines === "" ? "" : final)).replaceAll("\n", end);
  });

describe("a table in a TOML file", () => {
  const tried = (text: string): string | undefined => {
    try {
      return putTable("f", text, table);
    } catch {
      return undefined;
    }
  };

  test("removal restores the file byte for byte, and keeps lines that were added after it", () => {
    fc.assert(
      fc.property(tomlText, fc.constantFrom("", "[more]\nx = 1\n"), (text, more) => {
        const installed = putTable("f", text, table);
        fc.pre(more === "" || !text.includes("more.servers"));
        expect(takeTable(installed + more, table, text)).toBe(more === "" ? text : withLineEnd(text) + more);
        expect(putTable("f", installed, table)).toBe(installed);
      }),
      { numRuns: lawRuns(500) },
    );
  });

  test("removal keeps a change elsewhere, even before the table, and removes the server in any form", () => {
    fc.assert(
      fc.property(tomlText, (text) => {
        const change = (whole: string): string => whole.replace(/^\uFEFF?/u, "$&top = 1\n");
        fc.pre(text !== "" && text !== "\uFEFF");
        expect(takeTable(change(putTable("f", text, table)), table, text)).toBe(change(text));
      }),
    );
    const rewritten = 'a = 1\n[mcp_servers]\nheartwood.command = "/x"\nother.command = "y"\n';
    expect(takeTable(rewritten, table, "a = 1\n")).toBe('a = 1\n[mcp_servers]\nother.command = "y"\n');
    expect(() => takeTable("mcp_servers = { heartwood = { command = 1 } }\n", table, "")).toThrow(/inline table/u);
  });

  test("any text is either refused or restored exactly", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const installed = tried(text);
        if (installed === undefined) expect(() => putTable("f", text, table)).toThrow(/left unchanged/u);
        else expect(takeTable(installed, table, text)).toBe(text);
      }),
    );
  });

  const withLineEnd = (text: string): string => {
    if (text === "" || text === "\uFEFF" || text.endsWith("\n")) return text;
    return text + (/^[^\n]*\r\n/u.test(text) ? "\r\n" : "\n");
  };

  test("a table with a comment that a client adds after it stays", () => {
    const installed = putTable("f", "model = 1\n", table);
    const more = '\n# trusted\n[hooks.state."x"]\nenabled = true\n';
    expect(takeTable(installed + more, table, "model = 1\n")).toBe(`model = 1\n${more}`);
  });

  test("its subtables from a client are removed with it wherever they are, since a server without a command stops Codex", () => {
    const below = '[mcp_servers.heartwood.tools.memory_log]\napproval_mode = "approve"\n';
    for (const text of ["", "model = 1\n", "model = 1"]) {
      const installed = putTable("f", text, table);
      expect(takeTable(`${installed}\n${below}`, table, text)).toBe(text);
      const more = below.replace("memory_log", "memory_read");
      expect(takeTable(`${installed}${below}\n[other]\nx = 1\n\n${more}`, table, text)).toBe(
        `${withLineEnd(text)}\n[other]\nx = 1\n`,
      );
    }
    const other = "[mcp_servers.heartwoods]\ncommand = 1\n";
    expect(takeTable(putTable("f", other, table), table, other)).toBe(other);
  });

  test("a table with that name, a parent that is a value, and invalid TOML are refused", () => {
    for (const text of [
      "[mcp_servers.heartwood]\ncommand = 1\n",
      '["mcp_servers" . heartwood]\n',
      "mcp_servers = {}\n",
      "[mcp_servers]\nheartwood = {}\n",
      "mcp_servers.heartwood.command = 1\n",
      "[mcp_servers.heartwood.env]\n",
      'a = """\n',
      "a = [\n",
    ])
      expect(() => putTable("f", text, table), text).toThrow(/left unchanged/u);
    expect(tried('a = """\n[mcp_servers.heartwood]\n"""\nb = "\\"["\n')).toBeDefined();
    expect(tried("[mcp_servers.other]\ncommand = 1\n")).toBeDefined();
  });
});

describe("a part of a text file", () => {
  test("removal restores the file byte for byte, and keeps lines that were added after it", () => {
    fc.assert(
      fc.property(anyText, fc.constantFrom("", "more\n", "\n"), (text, more) => {
        const installed = putPart("f", text, part);
        expect(putPart("f", installed, part)).toBe(installed);
        const ended = text === "" || text === "\uFEFF" || text.endsWith("\n") ? text : text + endOf(text);
        expect(takePart(installed + more, text, part)).toBe(more === "" ? text : ended + more);
      }),
      { numRuns: lawRuns(500) },
    );
  });

  const endOf = (text: string): string => (/^[^\n]*\r\n/u.test(text) ? "\r\n" : "\n");

  test("a new version replaces an older one", () => {
    const old = putPart("f", "# Title\n", "old text");
    expect(putPart("f", old, part)).toBe(putPart("f", "# Title\n", part));
  });

  test("lines that a user added or changed inside stay", () => {
    const installed = putPart("f", "# Title\n", part);
    const changed = installed
      .replace("## Memory\n", "## Memory\nAlways use tabs.\n\n")
      .replace("is kept by heartwood.", "is kept by heartwood, and checked by me.");
    expect(takePart(`${changed}more\n`, "# Title\n", part)).toBe(
      "# Title\nAlways use tabs.\nThis is kept by heartwood, and checked by me.\nmore\n",
    );
    expect(takePart(putPart("f", "", part).replace("## Memory", "mine"), undefined, part)).toBe("mine\n");
    expect(takePart(putPart("f", "", part).replace("## Memory", "\n"), undefined, part)).toBeUndefined();
  });

  test("one mark without the other is refused", () => {
    expect(() => putPart("f", "<!-- heartwood:begin -->\n", part)).toThrow(/without the other/u);
  });
});
