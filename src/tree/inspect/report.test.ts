import { describe, expect, it } from "vitest";
import { openTestMemory, type TestMemory } from "../../../test/fixtures/memory.ts";
import type { OutputFile } from "../../base/operation.ts";
import { sha256 } from "../../base/digest.ts";
import { visible } from "../../text/visible.ts";
import { runCompact } from "../run/compact.ts";
import { runReport } from "./report.ts";

interface Tag {
  readonly name: string;
  readonly attributes: readonly (readonly [string, string])[];
}

/** The tags of a page, as the HTML standard reads them: `<` and a letter, `/`, `!` or `?` begins one. */
function tagsIn(html: string): readonly Tag[] {
  const tags: Tag[] = [];
  for (let at = html.indexOf("<"); at >= 0; at = html.indexOf("<", at + 1)) {
    const [whole, name = ""] = /^<(!doctype|!--|\/?[a-z][a-z0-9]*|[!?/])/iu.exec(html.slice(at, at + 40)) ?? [];
    if (whole === undefined) continue;
    const rest = html.slice(at + whole.length);
    const attributes: (readonly [string, string])[] = [];
    const attribute = /\s+([^\s=>"'/]+)(?:="([^"]*)")?/uy;
    for (let match = attribute.exec(rest); match !== null; match = attribute.exec(rest))
      attributes.push([match[1] ?? "", match[2] ?? ""]);
    tags.push({ name: name.toLowerCase(), attributes });
    // Text of a style is no markup.
    if (name === "style") at = html.indexOf("</style>", at) - 1;
  }
  return tags;
}

const ownTags: ReadonlySet<string> = new Set(
  "html head meta title style body header h1 h2 h3 h4 h5 h6 p progress main section details summary span a ul li blockquote pre code b"
    .split(" ")
    .flatMap((name) => [name, `/${name}`])
    .concat("!doctype", "!--"),
);
const ownAttributes: Readonly<Record<string, RegExp>> = {
  lang: /^en$/,
  charset: /^utf-8$/,
  "http-equiv": /^Content-Security-Policy$/,
  name: /^(?:viewport|referrer)$/,
  content:
    /^(?:default-src 'none'; style-src 'sha256-[\w+/]{43}='; base-uri 'none'; form-action 'none'|width=device-width, initial-scale=1|no-referrer)$/,
  class: /^(?:a|f|s|note|d[0-3])$/,
  dir: /^auto$/,
  id: /^(?:root|tree|f[0-9a-f]{16}(?:-\d+)?)$/,
  href: /^#f[0-9a-f]{16}(?:-\d+)?$/,
  max: /^\d+$/,
  value: /^\d+$/,
  "aria-label": /^Budget of ROOT\.md$/,
  html: /^$/,
  heartwood: /^$/,
  report: /^$/,
  "--": /^$/,
};

/** Tags and attributes that are not ours. */
function foreignIn(html: string): readonly string[] {
  return tagsIn(html).flatMap(({ name, attributes }) => [
    ...(ownTags.has(name) ? [] : [`<${name}`]),
    ...attributes.filter(([key, value]) => ownAttributes[key]?.test(value) !== true).map(([key]) => `${name} ${key}`),
  ]);
}

const payloads = [
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "<svg/onload=alert(1)>",
  "</title><script>alert(1)</script>",
  "</style><img src=x onerror=alert(1)>",
  "</details></main></body><script src=//e.example/x.js></script>",
  '" onmouseover="alert(1)',
  "' autofocus onfocus='alert(1)",
  "[x](javascript:alert(1))",
  '[x](javascript:alert(1) "t")',
  "![x](http://e.example/p.png)",
  "[![x](http://e.example/a.png)](data:text/html,<script>alert(1)</script>)",
  "<iframe srcdoc='<script>alert(1)</script>'>",
  "<a href=javascript:alert(1)>x</a>",
  "<!--><script>alert(1)</script>-->",
  "<![CDATA[<script>alert(1)</script>]]>",
  "<?xml-stylesheet href='//e.example'?>",
  "&lt;script&gt;alert(1)&lt;/script&gt;",
  "`<script>alert(1)</script>`",
  "**<b onclick=alert(1)>x</b>**",
  "<math><mi xlink:href='javascript:alert(1)'>x",
  "<form action=//e.example><button>x",
  "<meta http-equiv=refresh content='0;url=//e.example'>",
  "<base href=//e.example/>",
  "\u202e<script>alert(1)</script>\u2066",
];

/** Where a payload may be: heading, body, topic by words, rule. Each is a vector. */
const holders: readonly ((payload: string) => string)[] = [
  (payload) => `## Kiln ${payload} [project]\n- decisions: fire at noon\n`,
  (payload) => `## Glaze [project]\n- decisions: ${payload}\n> ${payload}\n\n\`\`\`\n${payload}\n\`\`\`\n`,
  (payload) => `### ${payload}\n\nUser: Please always use ${payload} from now on.\n\nAssistant: ${payload}\n`,
  (payload) => `## Rule ${payload} [feedback]\n- rule: always ${payload}\n- why: ${payload}\n`,
];

async function compacted(files: Readonly<Record<string, string>>): Promise<TestMemory> {
  const tested = openTestMemory({ files, today: "2026-03-15" });
  await runCompact(tested.memory, {}, {});
  return tested;
}

const plain = {
  "memory/2026-03-10.md":
    "# 2026-03-10\n\n## Cache [project]\n- decisions: the cache size is 8 GB, see [the manual](https://example.com/a)\n- the token is ghp_abcdefghijklmnopqrstuvwxyz0123456789\n",
  "memory/2026-03-12.md": "# 2026-03-12\n\n## Short answers [feedback]\n- rule: answer in **three** sentences\n",
};

async function pageOf({ memory }: TestMemory, most?: number): Promise<string> {
  return (await runReport(memory, {}, {}, most)).text ?? "";
}

describe("the tokenizer of these tests", () => {
  it("sees tags and attributes that are not ours", () => {
    expect(foreignIn('<p dir="auto">x</p>')).toEqual([]);
    expect(foreignIn("<img src=x onerror=alert(1)>").length).toBeGreaterThan(0);
    expect(foreignIn('<p onclick="x">')).toEqual(["p onclick"]);
    expect(foreignIn('<a href="javascript:x">')).toEqual(["a href"]);
    expect(foreignIn("<?x")).toEqual(["<?"]);
    expect(foreignIn("&#60;script> 1 < 2")).toEqual([]);
  });
});

describe("a report", () => {
  it.each(payloads)(
    "of a memory with %j in every place has no tag and no attribute that is not ours",
    async (payload) => {
      const text = holders.map((holder) => holder(payload)).join("\n");
      const tested = await compacted({
        "memory/2026-02-03.md": `# 2026-02-03\n\n${text}`,
        "memory/2026-03-10.md": `# 2026-03-10\n\n${text}`,
        [`memory/2026-03-11-${payload.replaceAll(/[/\0]/g, "") || "x"}.md`]: `# 2026-03-11\n\n${text}`,
      });
      const html = await pageOf(tested);
      expect(foreignIn(html)).toEqual([]);
      expect(html).toContain("fire at noon");
      expect(html).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/u);
    },
  );

  it("has a policy that allows its own style and nothing else", async () => {
    const html = await pageOf(await compacted(plain));
    const style = /<style>([^]*?)<\/style>/u.exec(html)?.[1] ?? "";
    expect(html).toContain(`style-src 'sha256-${Buffer.from(sha256(style), "hex").toString("base64")}'`);
    expect(html).not.toMatch(/\bstyle="|<script|\bsrc=|url\(/u);
  });

  it("shows links as text, and has no secret", async () => {
    const html = await pageOf(await compacted(plain));
    expect(html).toContain('the manual <span class="a">(https://example.com/a)</span>');
    expect(html).toContain("<b>three</b>");
    expect(html).not.toContain("ghp_abc");
  });

  it("links each line of ROOT.md to a node and to log lines that are in it, and no id is there twice", async () => {
    const html = await pageOf(await compacted(plain));
    const all = (pattern: RegExp): readonly string[] => [...html.matchAll(pattern)].map(([, id = ""]) => id);
    const [links, ids] = [all(/href="#([^"]+)"/gu), all(/ id="([^"]+)"/gu)];
    expect(links.length).toBeGreaterThan(3);
    expect(links.filter((id) => !ids.includes(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("leaves out the texts of older days that do not fit, and says so", async () => {
    const line = "- a fact about the kiln that takes some room in the page\n".repeat(40);
    const days = Array.from({ length: 20 }, (_, at) => `2026-02-${String(at + 1).padStart(2, "0")}`);
    const files = Object.fromEntries(
      days.map((day) => [`memory/${day}.md`, `# ${day}\n\n## Kiln ${day} [project]\n${line}`]),
    );
    const { memory } = await compacted(files);
    const whole = await runReport(memory, {});
    const most = Math.round(whole.bytes * 0.8);
    const { bytes, left_out, text } = await runReport(memory, {}, {}, most);
    expect(bytes).toBeLessThanOrEqual(most);
    expect([whole.left_out, left_out[0]]).toEqual([[], "memory/daily/2026-02-01.md"]);
    expect(text).toContain(`${left_out.length} older texts are left out`);
  });

  it("is written to a file, which is replaced only if it is a report", async () => {
    const { memory } = await compacted(plain);
    const file = (there: string | undefined): OutputFile & { text: string | undefined } => ({
      name: "/tmp/memory.html",
      text: there,
      read: async function () {
        return this.text;
      },
      write: async function (text) {
        this.text = text;
      },
    });
    const html = file(undefined);
    expect(await runReport(memory, { html })).toMatchObject({ file: "/tmp/memory.html", text: null });
    const first = html.text;
    await runReport(memory, { html });
    expect(html.text).toBe(first);
    await expect(runReport(memory, { html: file("<p>mine</p>") })).rejects.toMatchObject({ code: "usage" });
  });

  it("is the same after it was made visible, as the command line does on standard output", async () => {
    const html = await pageOf(await compacted(plain));
    expect(visible(html)).toBe(html);
  });
});
