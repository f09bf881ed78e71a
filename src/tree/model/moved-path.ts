/** Where what was moved out of raw logs is recorded; docs/formats/audit.md, "Shortened notes". */
export const movedPath = "memory/archive/moved.json";
