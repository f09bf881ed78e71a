/** Temporary files that a batch of changes leaves when it is interrupted: `.hw-<random>.tmp`. */
export function isTemporaryName(name: string): boolean {
  return /^\.hw-[0-9a-z]+\.tmp$/u.test(name);
}
