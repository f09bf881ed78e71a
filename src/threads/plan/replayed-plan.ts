import type { Thread } from "./fold.ts";
import { itemOfKey } from "../model/grown-list.ts";
import { placeAt, type MessagePlace } from "../model/places.ts";

/** Cuts that a plan looks at, from the newest on. */
const NEWEST_CUTS = 1000;
export const CUMULATIVE = "cumulative_v1";

export interface Cut {
  readonly target_message_ordinal: number;
  readonly to_seq: number;
  readonly to_message_id: string;
}

export interface PlanRequest {
  readonly stride: number;
  /** The plan has no more cuts than this. */
  readonly most: number;
  /** Only so many messages count. Default: all. */
  readonly messages?: number;
}

/** The cut points of a thread at a stride, the latest first. A second way to find them, by which verify judges the first. */
export function replayCuts(thread: Thread, { stride, most, messages }: PlanRequest): readonly Cut[] {
  const count = Math.min(messages ?? thread.places.count, thread.places.count);
  const cuts: Cut[] = [];
  for (let ordinal = count - (count % stride); ordinal > 0 && cuts.length < most; ordinal -= stride) {
    const place = placeAt(thread.places, ordinal);
    if (place !== undefined) cuts.push(cutAt(place));
  }
  return cuts;
}

/** Of the newest 1,000 cuts those without a cumulative checkpoint, the latest first. */
export function replayPlan(thread: Thread, request: PlanRequest): readonly Cut[] {
  const list = thread.checkpoints.get(CUMULATIVE);
  return replayCuts(thread, { ...request, most: NEWEST_CUTS })
    .filter(({ to_seq }) => list === undefined || itemOfKey(list, to_seq) === undefined)
    .slice(0, request.most);
}

function cutAt({ ordinal, seq, id }: MessagePlace): Cut {
  return { target_message_ordinal: ordinal, to_seq: seq, to_message_id: id };
}
