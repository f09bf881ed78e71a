import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Answer } from "../api.ts";
import { change, offerUndo, reported } from "../changes.tsx";
import { hrefOf, useAnswer } from "../live.ts";
import { Chip, counted, notify, Shown } from "../parts.tsx";

const acts = {
  "recall.pin": { title: "Pin", done: "comes first now, if it matches the message at all" },
  "recall.never": { title: "Never recall", done: "is in no recall any more; search still finds it" },
  "recall.unpin": { title: "Unpin", done: "is treated like everything else again" },
} as const;
type Act = keyof typeof acts;
type Mark = Answer<"recall.pins">["pins"][number];

/** Changes how recall treats a place, and offers to undo it. `title`: what the button says, if not its usual word. */
export function PinButton({
  act,
  place,
  title = acts[act].title,
}: {
  readonly act: Act;
  readonly place: string;
  readonly title?: string;
}): JSX.Element {
  const [state, setState] = useState<"idle" | "doing">("idle");
  const run = async (): Promise<void> => {
    const done = `${place} ${acts[act].done}.`;
    const result = await change(act, { place }, undefined);
    const before = "removed" in result ? result.removed : result.replaced;
    if ("removed" in result || result.action === "pinned")
      offerUndo({ done, undo: () => restore(act === "recall.unpin" ? undefined : place, before, done) });
  };
  return (
    <button
      type="button"
      class="plain"
      disabled={state === "doing"}
      onClick={() => {
        setState("doing");
        void reported(run()).then(() => setState("idle"));
      }}
    >
      {state === "doing" ? "Working…" : title}
    </button>
  );
}

/** Takes back the mark at `place`, if there is one, and sets those that were there before. */
async function restore(place: string | undefined, before: readonly Mark[], done: string): Promise<void> {
  if (place !== undefined) await change("recall.unpin", { place }, undefined);
  for (const mark of before)
    await change(mark.use === "first" ? "recall.pin" : "recall.never", { place: mark.place }, undefined);
  notify({ tone: "good", text: `Undone: ${done}` });
}

/** The places that a person pinned or left out. */
export function PinList({ hrefAt }: { readonly hrefAt: Readonly<Record<string, string | number>> }): JSX.Element {
  const list = useAnswer("recall.pins");
  return (
    <Shown of={list}>
      {({ pins }) =>
        pins.length === 0 ? null : (
          <details class="sheet pins">
            <summary>{counted(pins.length, "place is", "places are")} pinned or never recalled</summary>
            <ul class="list" aria-label="Pinned or never recalled">
              {pins.map(({ place, use, text, record }) => (
                <li key={record} class="pin-row">
                  <span class="row spread">
                    <span class="row">
                      <a class="place" href={hrefOf("search", { ...hrefAt, at: place })}>
                        {place}
                      </a>
                      <Chip tone={use === "first" ? "good" : "warn"}>{use === "first" ? "pinned" : "never"}</Chip>
                    </span>
                    <PinButton act="recall.unpin" place={place} title={use === "never" ? "Allow again" : "Unpin"} />
                  </span>
                  <span class="small pin-text" dir="auto">
                    {text}
                  </span>
                </li>
              ))}
            </ul>
          </details>
        )
      }
    </Shown>
  );
}
