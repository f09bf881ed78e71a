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
