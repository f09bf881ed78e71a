/** A text as a literal of a grammar; all but plain ASCII is written as a number. */
export function literal(text: string): string {
  const escaped = [...text].map((char) => {
    const code = char.codePointAt(0) ?? 0;
    if (char === '"' || char === "\\") return `\\${char}`;
    if (code >= 0x20 && code < 0x7f) return char;
    return code > 0xffff ? `\\U${hex(code, 8)}` : code > 0xff ? `\\u${hex(code, 4)}` : `\\x${hex(code, 2)}`;
  });
  return `"${escaped.join("")}"`;
}

function hex(code: number, digits: number): string {
  return code.toString(16).toUpperCase().padStart(digits, "0");
}

interface Branch {
  readonly next: Map<string, Branch>;
  ends: boolean;
}

/**
 * One of these texts, as a tree of their beginnings: a grammar is followed along all its alternatives at once, and so there are few at each place. At least one
 * text; none empty.
 */
export function oneOf(texts: readonly string[]): string {
  const root: Branch = { next: new Map(), ends: false };
  for (const text of texts) {
    let at = root;
    for (const char of text) {
      const next = at.next.get(char) ?? { next: new Map(), ends: false };
      at.next.set(char, next);
      at = next;
    }
    at.ends = true;
  }
  return printed(root);
}

function printed(branch: Branch): string {
  const choices = [...branch.next].map(([char, start]) => {
    let [text, at] = [char, start];
    while (!at.ends && at.next.size === 1) {
      const [next] = at.next;
      if (next === undefined) break;
      text += next[0];
      at = next[1];
    }
    const rest = at.next.size === 0 ? "" : ` ${printed(at)}${at.ends ? "?" : ""}`;
    return `${literal(text)}${rest}`;
  });
  return `(${choices.join(" | ")})`;
}
