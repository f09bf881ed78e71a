import { expect, test } from "vitest";
import { bytesText, aligned, counted, cutTo, durationText, grouped, widthOf } from "./layout.ts";

test("CJK and emoji are two columns wide; marks, joiners and colours have no width", () => {
  expect([
    widthOf("abc"),
    widthOf("記憶"),
    widthOf("한국"),
    widthOf("é"),
    widthOf("e\u0301"),
    widthOf("🌲"),
    widthOf("\u001B[1mx\u001B[22m"),
  ]).toEqual([3, 4, 4, 1, 1, 2, 1]);
});

test("columns align by visible width", () => {
  expect(
    aligned([
      ["記憶", "a"],
      ["xyzab", "b", ""],
    ]),
  ).toEqual(["  記憶   a", "  xyzab  b"]);
});

test("a cut text ends with one sign and never splits a wide character", () => {
  expect(cutTo("short", 10)).toBe("short");
  expect(cutTo("記憶の木", 6)).toBe("記憶…");
  expect(cutTo("two\n lines", 20)).toBe("two lines");
});

test("numbers look the same in every locale", () => {
  expect([grouped(0), grouped(999), grouped(1_000), grouped(1_234_567)]).toEqual(["0", "999", "1,000", "1,234,567"]);
  expect([counted(1, "node"), counted(2, "node")]).toEqual(["1 node", "2 nodes"]);
  expect([bytesText(512), bytesText(43_210), bytesText(15_900_000), bytesText(999_960)]).toEqual([
    "512 B",
    "43.2 kB",
    "15.9 MB",
    "1.0 MB",
  ]);
  expect([durationText(12.4), durationText(412)]).toEqual(["12 ms", "0.4 s"]);
});
