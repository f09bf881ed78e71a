const mostShown = 8;

/** Line numbers for a sentence: `3, 7 and 9`; of many the first ones. */
export function listNumbers(numbers: readonly number[]): string {
  if (numbers.length > mostShown)
    return `${numbers.slice(0, mostShown).join(", ")} and ${numbers.length - mostShown} more`;
  return numbers.length < 2 ? numbers.join("") : `${numbers.slice(0, -1).join(", ")} and ${numbers.at(-1)}`;
}
