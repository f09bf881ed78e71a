import type {
  Client,
  TranscriptItem,
  TranscriptPosition,
  Transcripts,
  TranscriptSource,
} from "../agents/transcripts/transcripts.ts";
import { describeCases, endingOf, type Case, type Expect, type Suite, type TestFunctions } from "./test-functions.ts";

/** A transcript of a client with at least two messages, to which nobody else writes. */
export interface TranscriptsHarness {
  readonly transcripts: Transcripts;
  readonly client: Client;
  /** The file or database, absolute. */
  readonly path: string;
  /** Adds a message of the person to the session that was changed last. */
  say(text: string): Promise<void>;
  close(): Promise<void>;
}

/** What every `Transcripts` must do for a client, in whatever shape that writes. */
export function describeTranscripts(suite: Suite<TranscriptsHarness>, runner: TestFunctions): void {
  describeCases({ ...suite, cases }, runner);
}

const cases: readonly Case<TranscriptsHarness>[] = [
  {
    says: "a transcript that is named is found, and no more of them than are asked for",
    proves: async ({ transcripts, client, path }, expect) => {
      const found = await transcripts.find({ client, path });
      expect(found.length > 0).toBe(true);
      expect(found.map((source) => source.path)).toEqual(found.map(() => path));
      expect((await transcripts.find({ client, path, most: 1 })).length).toBe(1);
    },
  },
  {
    says: "a path at which nothing stands is not_found",
    proves: async ({ transcripts, client, path }, expect) => {
      expect(await endingOf(transcripts.find({ client, path: `${path}-nothing` }))).toBe("not_found");
    },
  },
  {
    says: "a reading begins with its beginning, and no message stands before its session",
    proves: async (harness, expect) => {
      const items = await itemsOf(harness);
      expect(items[0]).toEqual({ kind: "begin", at: "start" });
      const kinds = items.map(({ kind }) => kind);
      expect(kinds.indexOf("session") > 0 && kinds.indexOf("session") < kinds.indexOf("message")).toBe(true);
      expect(messagesOf(items).length >= 2).toBe(true);
    },
  },
  {
    says: "messages have ids of their own, roles and words",
    proves: async (harness, expect) => {
      const messages = messagesOf(await itemsOf(harness));
      expect(new Set(messages.map(({ id }) => id)).size).toBe(messages.length);
      expect(messages.filter(({ text }) => text.trim() === "")).toEqual([]);
      expect(messages.filter(({ role }) => role !== "user" && role !== "assistant")).toEqual([]);
    },
  },
  {
    says: "the same transcript gives the same items again",
    proves: async (harness, expect) => {
      expect(await itemsOf(harness)).toEqual(await itemsOf(harness));
    },
  },
  {
    says: "what was read is not read again from a position, and what came after it is",
    proves: async (harness, expect) => {
      const position = await lastPosition(harness, expect);
      expect(messagesOf(await itemsOf(harness, position))).toEqual([]);
      await harness.say("The ferry leaves at nine");
      const items = await itemsOf(harness, position);
      expect(items[0]).toEqual({ kind: "begin", at: "cursor" });
      expect(messagesOf(items).map(({ role, text }) => [role, text])).toEqual([["user", "The ferry leaves at nine"]]);
    },
  },
  {
    says: "a position that does not fit is passed over",
    proves: async (harness, expect) => {
      const { at, check } = await lastPosition(harness, expect);
      const whole = await itemsOf(harness);
      const others = [
        { at, check: `0${check.slice(1)}x` },
        { at: at + 100_000, check },
        { at: -1, check },
        { at: 0.5, check },
      ];
      for (const other of others) expect(await itemsOf(harness, other)).toEqual(whole);
    },
  },
  {
    says: "reading ends when its signal says so",
    proves: async (harness, expect) => {
      const reason = Object.assign(new Error("enough"), { code: "enough" });
      expect(await endingOf(itemsOf(harness, undefined, AbortSignal.abort(reason)))).toBe("enough");
    },
  },
];

async function newestOf({ transcripts, client, path }: TranscriptsHarness): Promise<TranscriptSource> {
  const [source] = await transcripts.find({ client, path, most: 1 });
  if (source === undefined) throw new Error(`no transcript of ${client} was found at ${path}`);
  return source;
}

async function itemsOf(
  harness: TranscriptsHarness,
  from?: TranscriptPosition,
  signal?: AbortSignal,
): Promise<readonly TranscriptItem[]> {
  const items: TranscriptItem[] = [];
  const options = { ...(from === undefined ? {} : { from }), ...(signal === undefined ? {} : { signal }) };
  for await (const item of harness.transcripts.read(await newestOf(harness), options)) items.push(item);
  return items;
}

function messagesOf(items: readonly TranscriptItem[]) {
  return items.flatMap((item) => (item.kind === "message" ? [item.message] : []));
}

async function lastPosition(harness: TranscriptsHarness, expect: Expect): Promise<TranscriptPosition> {
  const last = (await itemsOf(harness)).findLast((item) => item.kind === "position");
  expect(last?.kind).toBe("position");
  return last?.position ?? { at: 0, check: "" };
}
