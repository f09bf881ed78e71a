import type { JSX } from "preact";
import type { Place } from "../live.ts";

export function TreeView({ place }: { readonly place: Place }): JSX.Element {
  return <p>{place.view}</p>;
}
