import { describe, expect, it } from "vitest";
import { Findings } from "./replay.ts";
import { faultOf } from "../plan/judge-frame.ts";

describe("findings of one thread", () => {
  it("are at most a thousand per severity, and the summary of the rest keeps the severity", () => {
    const findings = new Findings("t");
    for (let seq = 0; seq < 1500; seq += 1) findings.add(seq, faultOf("rule_older", "made by another", "info"));
    expect(findings.list().length).toBe(1001);
    expect(findings.list().every(({ severity }) => severity === "info")).toBe(true);
  });

  it("include an error after any number of warnings", () => {
    const findings = new Findings("t");
    for (let seq = 0; seq < 1500; seq += 1) findings.add(seq, faultOf("artifact_missing", "not there", "warning"));
    findings.add(2000, faultOf("plan_mismatch", "nobody plans so"));
    expect(findings.list()).toContainEqual(expect.objectContaining({ seq: 2000, severity: "error" }));
    expect(findings.list().filter(({ severity }) => severity === "error")).toHaveLength(1);
  });
});
