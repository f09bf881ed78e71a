import { expect, test } from "vitest";
import { createFakeTerminal } from "../../../test/fixtures/fake-terminal.ts";
import { MemoryError } from "../../base/errors.ts";
import { reportFailure } from "./errors.ts";

test("bad input is 2, a failure is 3", async () => {
  const terminal = createFakeTerminal();
  expect(await reportFailure(new MemoryError("invalid_date", "No."), terminal, "text")).toBe(2);
  expect(await reportFailure(new MemoryError("busy", "No."), terminal, "text")).toBe(3);
});

test("without --json it is one sentence on stderr and nothing on stdout", async () => {
  const terminal = createFakeTerminal();
  await reportFailure(new MemoryError("busy", "Another\nrun is on.", { pid: 7 }), terminal, "text");
  expect(terminal.err()).toBe("heartwood: Another run is on.\n");
  expect(terminal.out()).toBe("");
});

test("a program that started this one is told the code as well, where it asks for it", async () => {
  const terminal = createFakeTerminal({ errorCodes: "told" });
  await reportFailure(new MemoryError("busy", "Another\nrun is on."), terminal, "text");
  expect(terminal.err()).toBe("heartwood: error busy: Another run is on.\n");
});

test("with --json it is one document on stdout, whose code and message no detail can hide", async () => {
  const terminal = createFakeTerminal();
  await reportFailure(new MemoryError("busy", "No.", { pid: 7, code: "x", message: "y" }), terminal, "json");
  expect(JSON.parse(terminal.out())).toEqual({ error: { code: "busy", message: "No.", pid: 7 } });
  expect(terminal.err()).toBe("");
});

test("an escape sequence in a sentence is shown, not obeyed", async () => {
  const terminal = createFakeTerminal();
  await reportFailure(new MemoryError("not_found", "No \u001B[31mred."), terminal, "text");
  expect(terminal.err()).toBe("heartwood: No \\u{1b}[31mred.\n");
});

test("anything else is a fault of ours: internal, 3, and a stack only for debugging", async () => {
  const terminal = createFakeTerminal();
  expect(await reportFailure(new TypeError("x is undefined"), terminal, "text")).toBe(3);
  expect(terminal.err()).toContain("TypeError: x is undefined");
  expect(terminal.err().trimEnd().split("\n")).toHaveLength(1);
  const debugging = createFakeTerminal({ debugging: "on" });
  await reportFailure(new TypeError("x is undefined"), debugging, "text");
  expect(debugging.err()).toContain("errors.test.ts");
});

test("an AbortError of Node is `aborted`, with our own reason when it has one", async () => {
  const terminal = createFakeTerminal();
  const reason = new MemoryError("aborted", "Stopped by SIGINT.");
  await reportFailure(new DOMException("This operation was aborted", "AbortError"), terminal, "text");
  await reportFailure(Object.assign(new Error("x", { cause: reason }), { name: "AbortError" }), terminal, "text");
  expect(terminal.err()).toBe("heartwood: Stopped before the end; run it again.\nheartwood: Stopped by SIGINT.\n");
});

test("a secret that was given as an argument is not repeated", async () => {
  const terminal = createFakeTerminal();
  const secret = `gh${"p_"}${"a1B2c3D4e5F6".repeat(3)}`;
  await reportFailure(new MemoryError("invalid_type", `The type is "${secret}".`, { type: secret }), terminal, "json");
  await reportFailure(new MemoryError("invalid_type", `The type is "${secret}".`), terminal, "text");
  expect(terminal.out() + terminal.err()).not.toContain(secret);
});
