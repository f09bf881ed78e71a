import { cutBytes, type Edit } from "../model/edit.ts";
import { rotationSummary } from "./rotation-summary.ts";

/** The bytes that an edit makes of the bytes that it was made for. `part`: where a rotated log moves to. */
export function bytesAfter(edit: Edit, bytes: Uint8Array, part: string): Uint8Array {
  return edit.change.kind === "rotate"
    ? rotationSummary({ path: edit.path, bytes, part })
    : cutBytes(bytes, edit.change.spans);
}
