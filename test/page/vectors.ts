/**
 * Texts that run a script or fetch something in a page that puts them into HTML, an attribute, an address, a style or a script. Each calls `reportFault`, which
 * the tests define, or fetches from a host that does not exist. The forms follow OWASP's list of filter evasions.
 */
export function xssVectors(): readonly string[] {
  const run = (at: number): string => `reportFault('vector-${at}')`;
  const all: string[] = [];
  const add = (make: (script: string) => string): void => void all.push(make(run(all.length)));
  const events = [
    "onerror",
    "onload",
    "onclick",
    "onmouseover",
    "onfocus",
    "onanimationstart",
    "ontoggle",
    "onpointerenter",
  ];
  const tags = [
    ["img", "src=x"],
    ["svg", ""],
    ["body", ""],
    ["input", "autofocus"],
    ["details", "open"],
    ["video", "src=x"],
    ["audio", "src=x"],
    ["marquee", ""],
    ["iframe", "src=about:blank"],
    ["a", "href=#"],
  ];
  for (const [tag, rest] of tags) for (const event of events) add((script) => `<${tag} ${rest} ${event}="${script}">`);
  for (const [before, after] of breakouts) {
    add((script) => `${before}<script>${script}</script>${after}`);
    add((script) => `${before}<img src=x onerror=${script}>${after}`);
    add((script) => `${before} onmouseover=${script} autofocus onfocus=${script} x="${after}`);
  }
  for (const scheme of schemes) {
    add((script) => `[a link](${scheme}${encodeURI(script)})`);
    add((script) => `<a href="${scheme}${script}">a link</a>`);
    add((script) => `<iframe src="${scheme}${script}"></iframe>`);
    add((script) => `![an image](${scheme}${script})`);
    add((script) => `[label]: ${scheme}${script}\n\nSee [label].`.replaceAll("\n", " "));
    add((script) => `<${scheme}${script}>`);
  }
  for (const make of others) add(make);
  for (let n = 0; n < 14; n += 1) {
    all.push(`![remote](http://evil.invalid/image-${n}.png)`);
    all.push(`<img src="http://evil.invalid/raw-${n}.png">`);
    all.push(`<link rel=stylesheet href=//evil.invalid/${n}.css><style>@import "//evil.invalid/${n}"</style>`);
    all.push(`[](http://evil.invalid/empty-${n})<iframe src=//evil.invalid/frame-${n}>`);
  }
  // As one line each: a log's heading, a topic and a title are one line.
  return [...new Set(all.map((text) => text.replaceAll(/\s*\n\s*/gu, " ")))];
}

const breakouts = [
  ['">', '<"'],
  ["'>", "<'"],
  ["-->", "<!--"],
  ["</textarea>", ""],
  ["</title>", ""],
  ["</script>", ""],
  ["</style>", ""],
  ["</pre></code>", "<pre><code>"],
  ["]]>", "<![CDATA["],
  ["*/", "/*"],
  ["```", "```"],
  ["`", "`"],
  ["**", "**"],
  ["> ", ""],
  ["| a | b | ", " |"],
  ["\u202e", "\u202c"],
  ["\u200b", "\u200b"],
  ["\u2028", "\u2029"],
  ["&quot;&gt;", "&lt;"],
  ["&#x22;&#x3e;", "&#x3c;"],
  ["%22%3e", "%3c"],
  ["\\u003e", "\\u003c"],
  ["{{constructor.constructor('", "')()}}"],
  ["${", "}"],
] as const;

const schemes = [
  "javascript:",
  "JaVaScRiPt:",
  "java\tscript:",
  " javascript:",
  "\u0001javascript:",
  "javascript&colon;",
  "&#106;avascript:",
  "vbscript:",
  "data:text/html,<script>",
  "data:text/html;base64,",
  "data:image/svg+xml,<svg onload=",
  "blob:",
  "file:///",
  "view-source:javascript:",
  "//evil.invalid/",
  "\\\\evil.invalid\\",
];

const others: readonly ((script: string) => string)[] = [
  (script) => `<svg><script>${script}</script></svg>`,
  (script) => `<svg><animate onbegin=${script} attributeName=x dur=1s>`,
  (script) => `<svg><foreignObject><iframe onload=${script}>`,
  (script) => `<svg><use href="data:image/svg+xml,<svg id='x' onload='${script}'/>#x">`,
  (script) => `<math><mtext></form><form><mglyph><style></math><img src onerror=${script}>`,
  (script) => `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=${script}&gt;">`,
  (script) => `<noscript><p title="</noscript><img src=x onerror=${script}>">`,
  (script) => `<template><img src=x onerror=${script}></template>`,
  (script) => `<object data="javascript:${script}">`,
  (script) => `<embed src="javascript:${script}">`,
  (script) => `<form action="javascript:${script}"><button>send</button></form>`,
  (script) => `<button formaction="javascript:${script}">send</button>`,
  (script) => `<isindex action="javascript:${script}" type=image>`,
  (script) => `<base href="javascript:${script}//">`,
  (script) => `<meta http-equiv=refresh content="0;url=javascript:${script}">`,
  (script) => `<meta http-equiv=refresh content="0;url=http://evil.invalid/">${script}`,
  (script) => `<style>*{background:url("javascript:${script}")}</style>`,
  (script) => `<div style="background:url(http://evil.invalid/style);width:expression(${script})">`,
  (script) => `<x onclick=${script} style="position:fixed;inset:0">`,
  (script) => `<xss id=x tabindex=1 onfocus=${script}></xss>`,
  (script) => `<img src="x\` \`<script>${script}</script>"\` \`>`,
  (script) => `<<script>${script};//<</script>`,
  (script) => `<scr<script>ipt>${script}</scr</script>ipt>`,
  (script) => `<SCRIPT SRC=//evil.invalid/x.js>${script}</SCRIPT>`,
  (script) => `<script src=data:,${script}></script>`,
  (script) => `<img/src=x/onerror=${script}>`,
  (script) => `<img\fsrc=x\fonerror=${script}>`,
  (script) => `<a href="http://example.com" onclick="${script}">x</a>`,
  (script) => `[x](http://example.com "title\\" onmouseover=${script} ")`,
  (script) => `[x](<javascript:${script}>)`,
  (script) => `[x](javascript:${script} "t")`,
  (script) => `[<img src=x onerror=${script}>](http://example.com)`,
  (script) => `![" onerror="${script}](x)`,
  (script) => `\`\`\`html" onmouseover="${script}`,
  (script) => `- [ ] <input type=image src=x onerror=${script}>`,
  (script) => `# <svg/onload=${script}>`,
  (script) => `<!--[if gte IE 4]><script>${script}</script><![endif]-->`,
  (script) => `<?xml-stylesheet href="javascript:${script}"?>`,
  (script) => `constructor.prototype.x=${script}`,
  (script) => `__proto__[innerHTML]=<img/src/onerror=${script}>`,
  (script) => `{"__html":"<img src=x onerror=${script}>"}`,
  (script) => `'-${script}-'`,
  (script) => `";${script};"`,
  (script) => `\\';${script};//`,
  (script) => `</lines></summary></details><img src=x onerror=${script}>`,
  (script) => `<link rel=import href="data:text/html,<script>${script}</script>">`,
  (script) => `<portal src="javascript:${script}">`,
  (script) => `<audio><source onerror=${script}></audio>`,
  (script) => `<video poster="javascript:${script}"><source onerror=${script}></video>`,
  (script) => `<frameset onload=${script}><frame src="javascript:${script}"></frameset>`,
];
