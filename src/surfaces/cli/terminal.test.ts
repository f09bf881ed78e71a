import { expect, test } from "vitest";
import { readText } from "./terminal.ts";
import { createFakeTerminal } from "../../../test/fixtures/fake-terminal.ts";

test("reads all chunks as one UTF-8 text, even if a character is split between chunks", async () => {
  const bytes = new TextEncoder().encode("記憶");
  const terminal = createFakeTerminal({ stdin: { kind: "pipe", chunks: [bytes.slice(0, 2), bytes.slice(2)] } });
  expect(await readText(terminal)).toBe("記憶");
  expect(terminal.err()).toBe("");
});

test("on a terminal, explains on stderr how to end the input", async () => {
  const terminal = createFakeTerminal({ stdin: { kind: "terminal", chunks: ["x\n"] } });
  await readText(terminal);
  expect(terminal.err()).toContain("Ctrl-D");
  expect(terminal.out()).toBe("");
});

test("refuses bytes that are not UTF-8", async () => {
  const terminal = createFakeTerminal({ stdin: { kind: "pipe", chunks: [new Uint8Array([0x66, 0xff])] } });
  await expect(readText(terminal)).rejects.toMatchObject({ code: "invalid_body" });
});

test("refuses endless input before it fills the memory", async () => {
  const chunk = "x".repeat(1024 * 1024);
  const terminal = createFakeTerminal({ stdin: { kind: "pipe", chunks: Array.from({ length: 17 }, () => chunk) } });
  await expect(readText(terminal)).rejects.toMatchObject({ code: "invalid_body" });
});

test("a signal while waiting fails with `aborted`", async () => {
  const terminal = createFakeTerminal({ stdin: { kind: "pipe", chunks: ["half"] }, signal: AbortSignal.abort() });
  await expect(readText(terminal)).rejects.toMatchObject({ code: "aborted" });
});
