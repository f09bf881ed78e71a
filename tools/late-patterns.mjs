// A regular expression that stands in a program is read when the program is: with classes of Unicode each takes up to half a millisecond, also where it
// is never used (measured: half of what loading `heartwood recall` takes). esbuild makes calls of those that it is told not to know; here each call that
// may be shared is made once, when it is first needed.
import { readFileSync, writeFileSync } from "node:fs";

/** For `supported` of esbuild. */
export const lateSyntax = {
  "regexp-unicode-property-escapes": false,
  "regexp-set-notation": false,
  "regexp-sticky-and-unicode-flags": false,
};

/** Without `g` and `y`: those have a place where they go on. */
const shareable = /\bnew RegExp\(("(?:[^"\\\n]|\\.)*"|`(?:[^`\\$]|\\.)*`),\s*("[imsuv]*")\)/g;

/** Rewrites the files that esbuild has written. */
export function sharePatterns(paths) {
  for (const path of paths) {
    const text = readFileSync(path, "utf8");
    const names = new Map();
    const changed = text.replace(shareable, (call) => {
      if (!names.has(call)) names.set(call, `pattern$${names.size}`);
      return `(${names.get(call)}??=${call})`;
    });
    if (names.size > 0) writeFileSync(path, `${changed}\nvar ${[...names.values()].join(",")};\n`);
  }
}

const declared = /^const (\w+) =\s+(\/(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*|new RegExp\([\s\S]*?\n?\));$/gm;
const used = (name) =>
  new RegExp(
    `\\b${name}(?=\\.(?:test|exec)\\()|(?<=\\.(?:match|matchAll|replace|replaceAll|search|split)\\()${name}\\b`,
    "g",
  );

/**
 * Constants of a module that are patterns with classes of Unicode, or made of parts, become functions that make the pattern when it is first used: esbuild makes them when
 * the module is loaded. Only where each mention of the name is a use as a pattern, so that it cannot be that of something else.
 */
export const latePatterns = {
  name: "late-patterns",
  setup(builder) {
    builder.onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) => {
      const source = readFileSync(path, "utf8");
      const contents = withLatePatterns(source);
      return contents === source ? undefined : { contents, loader: "ts" };
    });
  },
};

function withLatePatterns(source) {
  let contents = source;
  for (const [whole, name, pattern] of source.matchAll(declared)) {
    if (!/\\p\{|^new /i.test(pattern)) continue;
    const code = source.replaceAll(/^\s*(?:\/\*\*|\*|\/\/).*$/gm, "");
    const mentions = code.match(new RegExp(`\\b${name}\\b`, "g")).length;
    if (mentions - 1 !== (code.match(used(name)) ?? []).length) continue;
    contents = contents
      .replace(whole, () => `let ${name}$made;\nconst ${name} = () => (${name}$made ??= ${pattern});`)
      .replaceAll(used(name), `${name}()`);
  }
  return contents;
}
