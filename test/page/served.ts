import { afterAll, beforeAll } from "vitest";
import type { Desk } from "../fixtures/built-program.ts";
import { closeBrowser, makeMemory, serve, type Served } from "./browser.ts";

/** Serves a memory to the tests of a `describe`, from before the first until after the last, and then closes the browser. */
export function serveToTests(make: () => Promise<Desk> = makeMemory): Served {
  let served: Served | undefined;
  const now = (): Served => {
    if (served === undefined) throw new Error("The memory is served when the tests run, not before.");
    return served;
  };
  beforeAll(async () => {
    served = await serve(await make());
  });
  afterAll(async () => {
    await closeBrowser();
    await served?.close();
  });
  return {
    get desk() {
      return now().desk;
    },
    get origin() {
      return now().origin;
    },
    call: (operation, input) => now().call(operation, input),
    close: () => now().close(),
  };
}
