import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { change, reported } from "../changes.tsx";
import { hrefOf, useAnswer } from "../live.ts";
import { Chip, counted, Shown } from "../parts.tsx";

const acts = {
  "recall.pin": { title: "Pin", done: "comes first now, if it matches the message at all" },
  "recall.never": { title: "Never recall", done: "is in no recall any more; search still finds it" },
  "recall.unpin": { title: "Unpin", done: "is treated like everything else again" },
} as const;
type Act = keyof typeof acts;

/** Changes how recall treats a place. Everything here can be taken back. */
export function PinButton({ act, place }: { readonly act: Act; readonly place: string }): JSX.Element {
  const [state, setState] = useState<"idle" | "doing">("idle");
  const { title, done } = acts[act];
  const run = async (): Promise<void> => {
    setState("doing");
    await reported(change(act, { place }, `${place} ${done}.`));
    setState("idle");
  };
  return (
    <button type="button" class="plain" disabled={state === "doing"} onClick={() => void run()}>
      {state === "doing" ? "Working…" : title}
    </button>
  );
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
                    <PinButton act="recall.unpin" place={place} />
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
