const ascii = /^[\0-\x7f]*$/;
const plain = /^[\0-\x7f\u2000-\u206f]*$/;

/** Whether a text is of ASCII alone. Linear. */
export function isAscii(text: string): boolean {
  return ascii.test(text);
}

/**
 * Whether all letters, digits and marks of a text are of ASCII: besides it there are only typographic signs (U+2000 to U+206F, none of which is in L, N or M). A
 * pattern of ASCII then finds the same words as one of Unicode's classes, which takes milliseconds to compile. Linear.
 */
export function isPlain(text: string): boolean {
  return plain.test(text);
}
