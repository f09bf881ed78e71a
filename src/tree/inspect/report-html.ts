import { sha256, shortDigest } from "../../base/digest.ts";
import { pushAll } from "../../base/lists.ts";
import { parseHeading } from "../../base/markdown.ts";
import { visible, visibleLine } from "../../text/visible.ts";

/** Every text of the memory goes through here: hidden characters become visible, and nothing in it is a tag or leaves an attribute. */
export function escaped(text: string): string {
  return visible(text).replaceAll(/[&<>"'`]/g, (one) => `&#${one.charCodeAt(0)};`);
}

/** Where a link to lines of a file leads. Made of digits and letters only, whatever the path is. */
export function anchorOf(path: string, line?: number): string {
  const file = `f${shortDigest(sha256(path))}`;
  return line === undefined ? file : `${file}-${line}`;
}

const inline =
  /`([^`]{1,500})`|\*\*([^*]{1,500})\*\*|(!?)\[([^[\]]{0,300})\]\(([^()\s]{0,1000})(?:\s[^()]{0,200})?\)/gu;

/** One line: bold, code, and links as text with their addresses. Nothing is fetched and nothing can be clicked. */
function inlineHtml(text: string): string {
  let html = "";
  let at = 0;
  for (const match of text.matchAll(inline)) {
    const [whole, code, bold, , label = "", address = ""] = match;
    html += escaped(text.slice(at, match.index));
    if (code !== undefined) html += `<code>${escaped(code)}</code>`;
    else if (bold !== undefined) html += `<b>${escaped(bold)}</b>`;
    else html += `${escaped(label)} <span class="a">(${escaped(address)})</span>`;
    at = match.index + whole.length;
  }
  return html + escaped(text.slice(at));
}

export interface ReportLine {
  readonly text: string;
  /** Its line in the file. */
  readonly line: number;
  /** Links after the text. Default: none. */
  readonly links?: string;
}

type Block = "none" | "list" | "quote" | "text" | "code";

const closing: Readonly<Record<Block, string>> = {
  none: "",
  list: "</ul>",
  quote: "</blockquote>",
  text: "</p>",
  code: "</code></pre>",
};

/** Lines of Markdown: headings, lists, quotes, code, bold. Each line with a number in `marked` has an anchor. */
export function linesHtml(path: string, lines: readonly ReportLine[], marked: ReadonlySet<number> = new Set()): string {
  const html: string[] = [];
  let block: Block = "none";
  let fence = "";
  const turn = (to: Block, opening: string): void => {
    if (block === to) return;
    html.push(closing[block], opening);
    block = to;
  };
  for (const { text, line, links = "" } of lines) {
    const id = marked.has(line) ? ` id="${anchorOf(path, line)}"` : "";
    const [mark = ""] = /^\s{0,3}(?:`{3,}|~{3,})/u.exec(text) ?? [];
    if (fence !== "") {
      const isEnd = text.trim().startsWith(fence) && text.trim().replaceAll(fence.slice(0, 1), "") === "";
      if (isEnd) turn("none", "");
      else html.push(`<span${id}>${escaped(text)}\n</span>`);
      if (isEnd) fence = "";
      continue;
    }
    if (mark !== "") {
      fence = mark.trim();
      turn("none", "");
      turn("code", "<pre><code>");
      continue;
    }
    const heading = parseHeading(text);
    const item = /^(\s*)(?:[-*+]|\d{1,9}[.)])\s+(.*)$/u.exec(text);
    const quote = /^\s{0,3}>\s?(.*)$/u.exec(text);
    if (text.trim() === "") turn("none", "");
    else if (heading !== undefined) {
      turn("none", "");
      const level = Math.min(6, heading.level + 2);
      html.push(`<h${level}${id} dir="auto">${inlineHtml(heading.text)}${links}</h${level}>`);
    } else if (item !== null) {
      turn("list", "<ul>");
      const depth = Math.min(3, Math.floor((item[1] ?? "").length / 2));
      html.push(`<li${id} class="d${depth}" dir="auto">${inlineHtml(item[2] ?? "")}${links}</li>`);
    } else if (quote !== null) {
      turn("quote", "<blockquote>");
      html.push(`<p${id} dir="auto">${inlineHtml(quote[1] ?? "")}</p>`);
    } else {
      turn("text", '<p dir="auto">');
      html.push(`<span${id}>${inlineHtml(text)}\n</span>`);
    }
  }
  turn("none", "");
  return html.join("");
}

export interface ReportNode {
  readonly path: string;
  readonly title: string;
  readonly facts: string;
  /** What is shown when it is opened; `undefined` if it was left out. */
  readonly text: string | undefined;
  readonly children: readonly ReportNode[];
}

export interface ReportPage {
  readonly title: string;
  readonly today: string;
  readonly budget: { readonly tokens: number; readonly cap: number; readonly topics: number; readonly dropped: number };
  /** Rendered by `linesHtml`. */
  readonly root: string;
  readonly months: readonly ReportNode[];
  /** How many nodes have no text here, because the file would be too large. */
  readonly leftOut: number;
}

/** One self-contained page, without scripts. Whatever it quotes, its tags and attributes are those written here. */
export function printReport({ title, today, budget, root, months, leftOut }: ReportPage): string {
  const name = escaped(visibleLine(title));
  const hash = Buffer.from(sha256(style), "hex").toString("base64");
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
  const { tokens, cap, topics, dropped } = budget;
  const figures = [
    `${tokens} of ${cap} tokens`,
    `${topics} topics`,
    ...(dropped === 0 ? [] : [`${dropped} lines did not fit`]),
  ];
  const parts = [
    `${reportStart}\n<html lang="en"><head><meta charset="utf-8">`,
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    `<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer">`,
    `<title>${name}</title><style>${style}</style></head><body>`,
    `<header><h1>${name}</h1><p>As of ${escaped(today)}. ROOT.md: ${figures.join(", ")}.</p>`,
    `<progress max="${cap}" value="${Math.min(tokens, cap)}" aria-label="Budget of ROOT.md"></progress>`,
    leftOut === 0
      ? ""
      : `<p class="note">${leftOut} older texts are left out, so that this file stays below its limit.</p>`,
    `</header><main><section id="root"><h2>ROOT.md</h2>${root}</section><section id="tree"><h2>Tree</h2>`,
  ];
  for (const month of months) pushAll(parts, nodeHtml(month));
  parts.push("</section></main></body></html>\n");
  return parts.join("\n");
}

/** How each report begins. */
export const reportStart = "<!doctype html><!-- heartwood report -->";

function nodeHtml({ path, title, facts, text, children }: ReportNode): readonly string[] {
  const inner = children.flatMap(nodeHtml);
  return [
    `<details id="${anchorOf(path)}"><summary>${escaped(title)} <span class="f">${escaped(facts)}</span></summary>`,
    text ?? '<p class="note">Left out.</p>',
    ...inner,
    "</details>",
  ];
}

const style = `:root{color-scheme:light dark;--ink:#1d1d1b;--dim:#6a6a64;--line:#d9d8d2;--page:#fcfbf8;--mark:#fff1b8;--link:#245a8d}
@media (prefers-color-scheme:dark){:root{--ink:#e6e4de;--dim:#a09e96;--line:#3a3935;--page:#191917;--mark:#4b4211;--link:#8fc1ee}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:56rem;padding:1.5rem;background:var(--page);color:var(--ink);font:16px/1.55 system-ui,sans-serif;overflow-wrap:anywhere}
h1{font-size:1.5rem;margin:0}h2{font-size:1.2rem;border-bottom:1px solid var(--line);margin:2rem 0 .75rem;padding-bottom:.25rem}
h3,h4,h5,h6{font-size:1rem;margin:1rem 0 .25rem}
p{margin:.4rem 0}ul{margin:.25rem 0;padding-left:1.2rem}li{margin:.2rem 0}
.d1{margin-left:1rem}.d2{margin-left:2rem}.d3{margin-left:3rem}
p span,pre span{white-space:pre-wrap}
pre{border:1px solid var(--line);padding:.5rem;white-space:pre-wrap}code{font-family:ui-monospace,monospace;font-size:.9em}
blockquote{border-left:3px solid var(--line);margin:.5rem 0;padding-left:.75rem;color:var(--dim)}
details{border-left:2px solid var(--line);margin:.4rem 0;padding-left:.75rem}summary{cursor:pointer;font-weight:600}
.f,.a,.s,.note,header p{color:var(--dim);font-weight:400;font-size:.875rem}
.s a{color:var(--link)}:target{background:var(--mark)}
progress{width:100%;height:.5rem;accent-color:var(--link)}
@media (max-width:40rem){body{padding:.75rem}details{padding-left:.4rem}}
@media print{body{max-width:none}details::details-content{content-visibility:visible;block-size:auto}summary{list-style:none}.s{display:none}}`;
