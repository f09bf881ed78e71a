// What each step and signal of recall is worth: texts of the sources replaced while the program is bundled, because the product has no switches for
// this. Each text must stand exactly once in its file (bench/root-ablations.mjs).

/** The variants of bench/recall.md. */
export const variants = [];
