import { createHash } from "node:crypto";
import { describeCases, endingOf, type Cases, type Suite, type TestFunctions } from "./test-functions.ts";
import type { ArtifactStore } from "../platform/file-artifacts.ts";

/** An empty store, and hands that reach into it past the adapter. */
export interface ArtifactStoreHarness {
  readonly store: ArtifactStore;
  /** Another opening of the same store. */
  readonly other: ArtifactStore;
  /** Replaces the stored bytes of an artifact that was put. */
  spoil(id: string, bytes: Uint8Array): Promise<void>;
  /** All bytes that the store keeps for an id, moved aside or not. */
  kept(id: string): Promise<readonly Uint8Array[]>;
  close(): Promise<void>;
}

/** What every `ArtifactStore` must do. That an artifact survives a power cut, test the adapter with faults. */
export function describeArtifactStore(suite: Suite<ArtifactStoreHarness>, runner: TestFunctions): void {
  describeCases({ ...suite, cases }, runner);
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const idOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
const shown = (bytes: Uint8Array | undefined): string | undefined =>
  bytes === undefined ? undefined : Buffer.from(bytes).toString("latin1");

const samples: readonly Uint8Array[] = [
  bytesOf('{"schema":"rip.compaction_summary.v1"}'),
  new Uint8Array(0),
  bytesOf("\u0000\r\n\ufeff漢字 שלום 🦀"),
  Uint8Array.from({ length: 256 }, (_, index) => index),
  new Uint8Array(300_000).fill(7),
];

const cases: Cases<ArtifactStoreHarness> = {
  "the id is the SHA-256 of the bytes, and gives the bytes back, also to another opening": async (
    { store, other },
    expect,
  ) => {
    for (const bytes of samples) {
      const id = await store.put(bytes);
      expect(id).toBe(idOf(bytes));
      expect(shown(await store.get(id))).toBe(shown(bytes));
      expect(shown(await other.get(id))).toBe(shown(bytes));
    }
  },
  "putAll gives the ids in the order of the bytes, also when some are the same or known": async ({ store }, expect) => {
    await store.put(samples[2] ?? new Uint8Array(0));
    const all = [...samples, ...samples.toReversed()];
    expect(await store.putAll(all)).toEqual(all.map(idOf));
    for (const bytes of samples) expect(shown(await store.get(idOf(bytes)))).toBe(shown(bytes));
    expect(await store.putAll([])).toEqual([]);
  },
  "what was never put is undefined": async ({ store }, expect) => {
    const id = idOf(bytesOf("nobody put this"));
    expect(await store.get(id)).toBe(undefined);
    await store.put(bytesOf("another"));
    expect(await store.get(id)).toBe(undefined);
  },
  "what is not an id is invalid_artifact": async ({ store }, expect) => {
    const id = await store.put(bytesOf("x"));
    const wrong = ["", id.slice(1), `${id}0`, id.toUpperCase(), `../${id.slice(3)}`, `${id.slice(0, 63)}g`, `${id}\n`];
    for (const one of wrong) expect(await endingOf(store.get(one))).toBe("invalid_artifact");
  },
  "the same bytes put by many at once are there once": async ({ store, other }, expect) => {
    const bytes = bytesOf("the same");
    const ids = await Promise.all(Array.from({ length: 8 }, (_, at) => (at % 2 === 0 ? store : other).put(bytes)));
    expect(new Set(ids)).toEqual(new Set([idOf(bytes)]));
    expect((await store.putAll([bytes, bytes])).length).toBe(2);
    expect((await other.get(idOf(bytes)))?.length).toBe(bytes.length);
    expect((await store.get(idOf(bytes)))?.length).toBe(bytes.length);
  },
  "bytes that are not those of the id are artifact_damaged, kept, and then absent": async (harness, expect) => {
    const id = await harness.store.put(bytesOf("right"));
    for (const wrong of ["wrong", "", "right "]) {
      await harness.spoil(id, bytesOf(wrong));
      expect(await endingOf(harness.store.get(id))).toBe("artifact_damaged");
      expect((await harness.kept(id)).map(shown).includes(wrong)).toBe(true);
      expect(await harness.other.get(id)).toBe(undefined);
      await harness.store.put(bytesOf("right"));
    }
    expect((await harness.kept(id)).map(shown).toSorted()).toEqual(["", "right", "right ", "wrong"]);
  },
  "a put over damaged bytes keeps them and stores the right ones": async (harness, expect) => {
    const id = await harness.store.put(bytesOf("right"));
    await harness.spoil(id, bytesOf("wrong"));
    expect(await harness.other.put(bytesOf("right"))).toBe(id);
    expect(shown(await harness.store.get(id))).toBe("right");
    expect((await harness.kept(id)).map(shown).toSorted()).toEqual(["right", "wrong"]);
  },
};
