import { expect, test } from "vitest";
import { createFakeTerminal } from "../../../test/fixtures/fake-terminal.ts";
import { MemoryError } from "../../base/errors.ts";
import { reportFailure } from "./run.ts";

test("bad input exits with status 2, a failure with 3", async () => {
  const terminal = createFakeTerminal();
  expect(await reportFailure(new MemoryError("invalid_date", "No."), terminal, "text")).toBe(2);
  expect(await reportFailure(new MemoryError("busy", "No."), terminal, "text")).toBe(3);
});

test("without --json, prints one sentence on stderr and nothing on stdout", async () => {
  const terminal = createFakeTerminal();
  await reportFailure(new MemoryError("busy", "Another\nrun is on.", { pid: 7 }), terminal, "text");
  expect(terminal.err()).toBe("heartwood: Another run is on.\n");
  expect(terminal.out()).toBe("");
});

test("includes the code for a calling program that asks for it", async () => {
  const terminal = createFakeTerminal({ errorCodes: "told" });
  await reportFailure(new MemoryError("busy", "Another\nrun is on."), terminal, "text");
  expect(terminal.err()).toBe("heartwood: error busy: Another run is on.\n");
});

test("with --json, prints one document on stdout, whose code and message no detail can hide", async () => {
  const terminal = createFakeTerminal();
  await reportFailure(new MemoryError("busy", "No.", { pid: 7, code: "x", message: "y" }), terminal, "json");
  expect(JSON.parse(terminal.out())).toEqual({ error: { code: "busy", message: "No.", pid: 7 } });
  expect(terminal.err()).toBe("");
});

test("escapes escape sequences in a message", async () => {
  const terminal = createFakeTerminal();
  await reportFailure(new MemoryError("not_found", "No \u001B[31mred."), terminal, "text");
  expect(terminal.err()).toBe("heartwood: No \\u{1b}[31mred.\n");
});

test("any other error is internal, with status 3 and a stack only for debugging", async () => {
  const terminal = createFakeTerminal();
  expect(await reportFailure(new TypeError("x is undefined"), terminal, "text")).toBe(3);
  expect(terminal.err()).toContain("TypeError: x is undefined");
  expect(terminal.err().trimEnd().split("\n")).toHaveLength(1);
  const debugging = createFakeTerminal({ debugging: "on" });
  await reportFailure(new TypeError("x is undefined"), debugging, "text");
  expect(debugging.err()).toContain("report-failure.test.ts");
});

test("Node's AbortError becomes `aborted`, with our reason if there is one", async () => {
  const terminal = createFakeTerminal();
  const reason = new MemoryError("aborted", "Stopped by SIGINT.");
  await reportFailure(new DOMException("This operation was aborted", "AbortError"), terminal, "text");
  await reportFailure(Object.assign(new Error("x", { cause: reason }), { name: "AbortError" }), terminal, "text");
  expect(terminal.err()).toBe(
    "heartwood: Stopped before the end; run the command again.\nheartwood: Stopped by SIGINT.\n",
  );
});

test("a secret in an argument is not repeated", async () => {
  const terminal = createFakeTerminal();
  const secret = `gh${"p_"}${"a1B2c3D4e5F6".repeat(3)}`;
  await reportFailure(new MemoryError("invalid_type", `The type is "${secret}".`, { type: secret }), terminal, "json");
  await reportFailure(new MemoryError("invalid_type", `The type is "${secret}".`), terminal, "text");
  expect(terminal.out() + terminal.err()).not.toContain(secret);
});
