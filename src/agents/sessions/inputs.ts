import { object, optional, text, whole, type ValueOf } from "../../base/schema.ts";

export const replayInput = () =>
  object({
    session: text("SESSION", "a session from `heartwood sessions`, or the end of its id", { place: "argument" }),
    number: optional(whole(1, 1_000_000, "only this text, without a title")),
  });
export type ReplayInput = ValueOf<ReturnType<typeof replayInput>>;
