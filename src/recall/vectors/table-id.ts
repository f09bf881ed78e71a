export const headerBytes = 32;

/** Rules by which a text gets its vector from a table; a new version of them is a new id. */
export const rulesVersion = 1;

/** The first 16 hexadecimal digits of the digest that stands in the header of a table. */
export function digestIn(header: Uint8Array): string {
  return Array.from(header.subarray(24, headerBytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The id of the vectors that are made with a table. */
export function staticId(digest: string): string {
  return `static-${rulesVersion}:${digest}`;
}
