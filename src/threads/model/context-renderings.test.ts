import { parseBundle } from "../../../test/fixtures/parse-bundle.ts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { printBundle, type Bundle } from "./context-renderings.ts";

const id = fc.string();
const seq = fc.nat();
const items = fc.oneof(
  fc.record({
    type: fc.constant("message" as const),
    role: fc.constantFrom("user", "assistant", "system", "tool"),
    content: fc.string({ unit: "binary" }),
    actor_id: id,
    origin: id,
    thread_seq: seq,
    thread_event_id: id,
  }),
  fc.record(
    {
      type: fc.constant("summary_ref" as const),
      artifact_id: id,
      note: id,
      thread_id: id,
      from_seq: seq,
      to_seq: seq,
      messages: fc.option(seq),
      lines: seq,
    },
    { requiredKeys: ["type", "artifact_id"] },
  ),
  fc.record({
    type: fc.constant("uncovered" as const),
    thread_id: id,
    from_seq: seq,
    to_seq: seq,
    messages: fc.option(seq),
  }),
  fc.record({ type: fc.constant("handoff" as const), thread_id: id, to_seq: seq, summary_markdown: id }),
);
const bundles = fc.record({
  schema: fc.constant("rip.context_bundle.v1" as const),
  compiler: fc.record({ id, strategy: id }),
  source: fc.record({ thread_id: id, from_seq: seq, from_message_id: fc.option(id) }),
  provenance: fc.record({ run_session_id: id, actor_id: id, origin: id }),
  items: fc.array(items),
}) as fc.Arbitrary<Bundle>;

describe("the bytes of a bundle", () => {
  test("are read back as they were printed", () => {
    fc.assert(
      fc.property(bundles, (bundle) => {
        expect(parseBundle(printBundle(bundle))).toEqual(bundle);
      }),
    );
  });

  test("do not depend on the order in which fields were given", () => {
    const shuffled = (bundle: Bundle): Bundle =>
      Object.fromEntries(
        Object.entries({
          ...bundle,
          items: bundle.items.map((item) => Object.fromEntries(Object.entries(item).toReversed())),
        }).toReversed(),
      ) as unknown as Bundle;
    fc.assert(
      fc.property(bundles, (bundle) => {
        expect(printBundle(shuffled(bundle))).toEqual(printBundle(bundle));
      }),
    );
  });

  test("have the order of the format and no line end", () => {
    const bundle: Bundle = {
      schema: "rip.context_bundle.v1",
      compiler: { id: "c", strategy: "s" },
      source: { thread_id: "t", from_seq: 3, from_message_id: null },
      provenance: { run_session_id: "run_1", actor_id: "user", origin: "cli" },
      items: [{ type: "uncovered", thread_id: "t", from_seq: 1, to_seq: 2, messages: 2 }],
    };
    expect(new TextDecoder().decode(printBundle(bundle))).toBe(
      '{"schema":"rip.context_bundle.v1","compiler":{"id":"c","strategy":"s"},"source":{"thread_id":"t","from_seq":3,"from_message_id":null},"provenance":{"run_session_id":"run_1","actor_id":"user","origin":"cli"},"items":[{"type":"uncovered","thread_id":"t","from_seq":1,"to_seq":2,"messages":2}]}',
    );
  });

  test.each([
    ["{", "it is no JSON"],
    ["[]", "its schema is not rip.context_bundle.v1"],
    ['{"schema":"rip.context_bundle.v1"}', "its compiler has no id and strategy"],
    [
      '{"schema":"rip.context_bundle.v1","compiler":{"id":"","strategy":""}}',
      "its source has no thread_id and from_seq",
    ],
  ])("%s is none: %s", (text, fault) => {
    expect(parseBundle(new TextEncoder().encode(text))).toEqual({ fault });
  });

  test("an item of an unknown kind is a fault", () => {
    const bundle = {
      schema: "rip.context_bundle.v1",
      compiler: { id: "", strategy: "" },
      source: { thread_id: "", from_seq: 0 },
      provenance: { run_session_id: "", actor_id: "", origin: "" },
      items: [{ type: "toString" }],
    };
    expect(parseBundle(new TextEncoder().encode(JSON.stringify(bundle)))).toEqual({
      fault: "its item 0 is none that is known",
    });
  });
});
