/**
 * Whether a name is one of the temporary files that a batch of changes leaves when it is interrupted: `.hw-`, at least 20 hexadecimal digits, `.tmp`. Who
 * removes leftovers removes these and nothing else, so the form is narrow.
 */
export function isTemporaryName(name: string): boolean {
  return /^\.hw-[0-9a-f]{20,}\.tmp$/u.test(name);
}
