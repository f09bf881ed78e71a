import type { SourceContent } from "./search-index.ts";
import type { LeftOut } from "./left-out.ts";

/** A source as read. `unchanged`: its bytes are those that were indexed. */
export type SourceRead =
  | { readonly is: "gone" }
  | { readonly is: "unchanged"; readonly stamp: string }
  | { readonly is: "read"; readonly content: SourceContent; readonly left: LeftOut };
