import { cutBytes, rotationSummary } from "../../tree/model/shortened-note.ts";
import type { Edit } from "../model/edit.ts";

/** The bytes that an edit makes of the bytes that it was made for. `part`: where a rotated log moves to. */
export function bytesAfter(edit: Edit, bytes: Uint8Array, part: string): Uint8Array {
  return edit.change.kind === "rotate"
    ? rotationSummary({ path: edit.path, bytes, part })
    : cutBytes(bytes, edit.change.spans);
}
