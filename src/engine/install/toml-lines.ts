import { rawLines } from "./added-end.ts";

export interface TomlLine {
  /** With its line end. */
  readonly raw: string;
  readonly said: string;
  /** `within`: it begins inside of a string, an array or an inline table that an earlier line began. */
  readonly kind: "header" | "other" | "within";
}

/** Where a string of several lines, an array or an inline table is open. */
interface Open {
  readonly string: '"""' | "'''" | undefined;
  readonly brackets: number;
}

const nothingOpen: Open = { string: undefined, brackets: 0 };

/** The lines of a TOML text, and whether something that was begun is not ended. */
export function tomlLines(text: string): { readonly lines: readonly TomlLine[]; readonly end: "whole" | "open" } {
  let open = nothingOpen;
  const lines = rawLines(text).map((raw): TomlLine => {
    const said = raw.replace(/\r?\n$/u, "").replace(/^\uFEFF/u, "");
    const isFree = open.string === undefined && open.brackets === 0;
    const kind = !isFree ? "within" : /^\s*\[/u.test(said) ? "header" : "other";
    open = kind === "header" ? nothingOpen : openAfter(said, open);
    return { raw, said, kind };
  });
  return { lines, end: open.string === undefined && open.brackets === 0 ? "whole" : "open" };
}

function openAfter(line: string, before: Open): Open {
  let { string, brackets } = before;
  for (let at = 0; at < line.length;) {
    if (string !== undefined) {
      const close = closeOf(line, at, string);
      if (close < 0) return { string, brackets };
      string = undefined;
      at = close;
      continue;
    }
    const three = line.slice(at, at + 3);
    const sign = line[at] ?? "";
    if (sign === "#") break;
    if (three === '"""' || three === "'''") {
      string = three;
      at += 3;
    } else if (sign === '"' || sign === "'") at = endOfString(line, at);
    else {
      if (sign === "[" || sign === "{") brackets += 1;
      if (sign === "]" || sign === "}") brackets = Math.max(0, brackets - 1);
      at += 1;
    }
  }
  return { string, brackets };
}

/** Offset behind the end of a string of several lines; up to two quotes may stand before its own. */
function closeOf(line: string, from: number, string: '"""' | "'''"): number {
  const [quote = ""] = string;
  for (let at = from; at < line.length; at++) {
    if (quote === '"' && line[at] === "\\") at += 1;
    else if (line.startsWith(string, at)) {
      let end = at + 3;
      while (end < at + 5 && line[end] === quote) end += 1;
      return end;
    }
  }
  return -1;
}

function endOfString(line: string, from: number): number {
  const quote = line[from];
  for (let at = from + 1; at < line.length; at++) {
    if (quote === '"' && line[at] === "\\") at += 1;
    else if (line[at] === quote) return at + 1;
  }
  return line.length;
}

/** The keys of a header or of what stands before `=`; empty for a line that has neither. */
export function keysOf(said: string): readonly string[] {
  const header = /^\s*\[\[?([^\]]*)\]/u.exec(said)?.[1];
  const text = header ?? (said.includes("=") ? (said.split("=")[0] ?? "") : "");
  const keys = text.match(/"[^"]*"|'[^']*'|[^\s."']+/gu) ?? [];
  return keys.map((key) => key.replace(/^(["'])(.*)\1$/u, "$2"));
}
