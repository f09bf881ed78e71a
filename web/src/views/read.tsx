import type { JSX } from "preact";
import type { Place } from "../live.ts";
import { Empty } from "../parts.tsx";
import { PlaceLines } from "./place-lines.tsx";

/** The lines at a place of the memory, and some around them. */
export function ReadView({ place }: { readonly place: Place }): JSX.Element {
  const asked = place.params.get("place") ?? "";
  if (asked === "")
    return <Empty title="No place is given.">Follow a place, such as memory/2026-03-15.md:12-18.</Empty>;
  return (
    <section class="sheet" aria-label={asked}>
      <p>
        <button type="button" class="small" onClick={() => history.back()}>
          ← Back
        </button>
      </p>
      <PlaceLines place={asked} />
    </section>
  );
}
