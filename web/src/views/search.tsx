import type { JSX } from "preact";
import type { Place } from "../live.ts";

export function SearchView({ place }: { readonly place: Place }): JSX.Element {
  return <p>{place.view}</p>;
}
