import { expect, test } from "vitest";
import { SecretValues } from "../../text/redact/known-secrets.ts";
import { SecretScan } from "./secrets.ts";

test.each(["- **letmein**", "- *letmein", "- **Zxqklmwp**:", "1. **hunter", "- value: *ZxQkLmWpRt*", "- hunter2!"])(
  "a password below a heading that announces it is removed, also with emphasis: %s",
  (line) => {
    const clean = new SecretScan(new SecretValues()).add(["## Password", "", line]);
    expect(clean.at(-1)).toContain("[REDACTED:password]");
    expect(clean.at(-1)).not.toMatch(/letmein|Zxqklmwp|hunter|ZxQkLmWpRt/u);
  },
);
