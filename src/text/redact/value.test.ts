import { describe, expect, it } from "vitest";
import { createSeededRandom } from "../../testing/index.ts";
import { looksRandom } from "./value.ts";

const words =
  "postgres staging checkout billing node python redis kafka worker gateway frontend backend orders invoice mobile release hotfix session customer catalog".split(
    " ",
  );

/** Generators of names and versions that people also use as weak passwords. */
const names = [
  (a: string, b: string, n: number): string => `${a}${n}`,
  (a: string, b: string, n: number): string => `${a}-v${n}.${n + 2}`,
  (a: string, b: string): string => `${a}_${b}_2026`,
  (a: string, b: string, n: number): string => `${a}-0${n}.${b}.eu-west-1.example.org`,
  (a: string, b: string, n: number): string => `feature/ABC-${n}-${a}-${b}2fa`,
  (a: string, b: string, n: number): string => `${capital(a)}${capital(b)}${n}`,
  (a: string, b: string, n: number): string => `get${capital(a)}By${capital(b)}V${n}`,
  (a: string, b: string, n: number): string => `${a}${n}To${capital(b)}${n + 1}`,
  (a: string, b: string, n: number): string => `${a}${n}x!`,
  (a: string): string => `${capital(a)}2026!`,
  (a: string, b: string, n: number): string => `${a}@v${n}.4.2-rc.1`,
  (a: string, b: string, n: number): string => `${a.toUpperCase()}_${b.toUpperCase()}_KEY_${n}`,
  (a: string): string => `${a.toUpperCase()}=`,
  (a: string, b: string, n: number): string => `${a}-7d9f8b6c5d-x${n}k4j`,
  (a: string, b: string, n: number): string => `${capital(a)}!${capital(b)}${n}`,
];

describe("a value that looks random", () => {
  it("is at most 1 in 400 of the names, versions, hosts, branches, tables and identifiers used as weak passwords", () => {
    const { below } = createSeededRandom(7);
    const word = (): string => words[below(words.length)] ?? "";
    const made = Array.from({ length: 3000 }, (_, at) => names[at % names.length]?.(word(), word(), below(40)) ?? "");
    expect(made.filter(looksRandom).length).toBeLessThanOrEqual(made.length / 400);
  });

  it.each([
    ..."PASSWORD= node22x! postgres16 staging-2 checkout-v2 hunter2x iPhone15ProMax256GB GalaxyS24Ultra5G".split(" "),
    ..."RTX4090TiX3D utf8mb4_unicode_ci x86_64-unknown-linux-gnu c5.2xlarge i-0abc123def4567890 C++17 Issue#1234".split(
      " ",
    ),
    ..."Page?a=1&b=2 llama3.1:8b-instruct-q4_K_M 1.2.3-0.20260301120000-3f2a9c1d4e5b 2026-03-01 20260301 3f2a9c1d".split(
      " ",
    ),
    "Windows Server 2022 Datacenter",
    "const total = items[0].price2",
  ])("is not %s", (value) => {
    expect(looksRandom(value)).toBe(false);
  });

  it.each([
    ["Hj4!", "routerpw9"],
    ["Zr8!", "kwQp22xv"],
    ["Tr0ub4", "dor&3-xQ9!"],
    ["zK7qW2mX9pL4", "vR8tY1nB6cD3"],
    ["0f8a3c1e-9b7d-4e2a", "-8c6f-1d2e3f4a5b6c"],
  ])("is %s…", (...parts) => {
    expect(looksRandom(parts.join(""))).toBe(true);
  });

  it("is nearly any run of 20 or more random letters and digits", () => {
    const { below } = createSeededRandom(11);
    const signs = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    const made = Array.from({ length: 1000 }, () =>
      Array.from({ length: 20 + below(20) }, () => signs.charAt(below(signs.length))).join(""),
    );
    expect(made.filter(looksRandom).length).toBeGreaterThan(970);
  });
});

function capital(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}
