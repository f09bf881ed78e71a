/** A grammar as llama.cpp reads it, as far as the answers' grammar goes: literals, classes, groups, `|`, `?` and `{m,n}`. */
export type Rules = ReadonlyMap<string, Rule>;

export type Rule =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "class"; readonly allowed: RegExp }
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "all" | "any"; readonly parts: readonly Rule[] }
  | { readonly kind: "times"; readonly part: Rule; readonly least: number; readonly most: number };

/** Throws on anything else. */
export function parseGrammar(grammar: string): Rules {
  const rules = new Map<string, Rule>();
  for (const line of grammar.trimEnd().split("\n")) {
    const match = /^([a-z][a-z0-9-]*) ::= (.+)$/u.exec(line);
    if (match === null || rules.has(match[1] ?? "")) throw new Error(`No rule: ${line}`);
    rules.set(match[1] ?? "", new Reader(match[2] ?? "").whole());
  }
  return rules;
}

class Reader {
  readonly #tokens: string[];

  constructor(text: string) {
    const token = /\s+|"(?:[^"\\]|\\.)*"|\[(?:[^\]\\]|\\.)*\]|\{\d+,\d+\}|\d+|[a-z][a-z0-9-]*|[()|?]/gy;
    const found = [...text.matchAll(token)].map(([one]) => one);
    if (found.join("") !== text) throw new Error(`Not read: ${text.slice(found.join("").length)}`);
    this.#tokens = found.filter((one) => one.trim() !== "");
  }

  whole(): Rule {
    const rule = this.#choice();
    if (this.#tokens.length > 0) throw new Error(`Too much: ${this.#tokens.join(" ")}`);
    return rule;
  }

  #choice(): Rule {
    const parts = [this.#sequence()];
    while (this.#tokens[0] === "|") {
      this.#tokens.shift();
      parts.push(this.#sequence());
    }
    return { kind: "any", parts };
  }

  #sequence(): Rule {
    const parts: Rule[] = [];
    while (this.#tokens.length > 0 && this.#tokens[0] !== "|" && this.#tokens[0] !== ")") parts.push(this.#repeated());
    if (parts.length === 0) throw new Error("An empty sequence.");
    return { kind: "all", parts };
  }

  #repeated(): Rule {
    const part = this.#one();
    const next = this.#tokens[0] ?? "";
    const times = next === "?" ? ["", "0", "1"] : /^\{(\d+),(\d+)\}$/u.exec(next);
    if (times === null) return part;
    this.#tokens.shift();
    const [least, most] = [Number(times[1]), Number(times[2])];
    // The most that llama.cpp takes of one thing.
    if (least > most || most >= 2000) throw new Error(`A repetition ${next}`);
    return { kind: "times", part, least, most };
  }

  #one(): Rule {
    const token = this.#tokens.shift() ?? "";
    if (token === "(") {
      const rule = this.#choice();
      if (this.#tokens.shift() !== ")") throw new Error("An open group.");
      return rule;
    }
    if (token.startsWith('"')) return { kind: "text", text: unescaped(token.slice(1, -1)) };
    if (token.startsWith("[")) return { kind: "class", allowed: new RegExp(token, "u") };
    if (!/^[a-z]/u.test(token)) throw new Error(`What is ${token}?`);
    return { kind: "name", name: token };
  }
}

function unescaped(text: string): string {
  return text.replaceAll(
    /\\(?:x([0-9A-F]{2})|u([0-9A-F]{4})|U([0-9A-F]{8})|(["\\n]))/gu,
    (_, two?: string, four?: string, eight?: string, char?: string) =>
      (char === "n" ? "\n" : char) ?? String.fromCodePoint(Number.parseInt(two ?? four ?? eight ?? "", 16)),
  );
}

const alphabet = [..."ab cd e.,:;()[]{}<>#*-+`~_=|/\"'\\0123456789가나한ش🌱\u00a0\u200b\u202e\ufeff\t\n\r"];

/** A text of the grammar. `choose` gives numbers from 0 to below 1: the greater, the longer the text. */
export function wordOf(rules: Rules, choose: () => number, rule: Rule = { kind: "name", name: "root" }): string {
  const word = (part: Rule): string => wordOf(rules, choose, part);
  switch (rule.kind) {
    case "text":
      return rule.text;
    case "class": {
      const allowed = alphabet.filter((char) => rule.allowed.test(char));
      return allowed[Math.floor(choose() * allowed.length)] ?? "";
    }
    case "name": {
      const named = rules.get(rule.name);
      if (named === undefined) throw new Error(`There is no rule ${rule.name}.`);
      return word(named);
    }
    case "all":
      return rule.parts.map(word).join("");
    case "any":
      return word(rule.parts[Math.floor(choose() * rule.parts.length)] ?? rule);
    case "times": {
      const times = rule.least + Math.floor(choose() * (rule.most - rule.least + 1));
      return Array.from({ length: times }, () => word(rule.part)).join("");
    }
  }
}
