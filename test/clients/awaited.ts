import { test } from "vitest";

/** The one switch: whether the build has the behaviour that some tests await. `HEARTWOOD_CLIENTS_AWAITED=yes` also turns it on. */
const isBuilt: boolean = false;

const isOn = isBuilt || process.env["HEARTWOOD_CLIENTS_AWAITED"] === "yes";

/** A test of awaited behaviour. */
export const awaited = test.runIf(isOn);

/** A test that an awaited one replaces. */
export const untilThen = test.skipIf(isOn);
