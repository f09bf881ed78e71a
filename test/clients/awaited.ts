import { test } from "vitest";

/** Tests of behaviour that the build does not have yet are skipped until this is true; `HEARTWOOD_CLIENTS_AWAITED=yes` runs them before. */
const isBuilt: boolean = false;

/** A test of behaviour that is awaited. */
export const awaited = test.runIf(isBuilt || process.env["HEARTWOOD_CLIENTS_AWAITED"] === "yes");
