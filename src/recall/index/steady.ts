import type { SearchIndex } from "./search-index.ts";
import type { Call } from "../../base/operation.ts";

/** Somebody who writes all the time must not keep a query from ending. */
const mostTries = 4;

/** Does it again when the index was written to meanwhile: what was found first may then be another row by the time it is read. */
export async function steadily<T>(index: SearchIndex, call: Call, act: () => Promise<T>): Promise<T> {
  const options = call.signal === undefined ? {} : { signal: call.signal };
  for (let tries = 1; ; tries++) {
    const before = await index.generation(options);
    const result = await act();
    if (tries === mostTries || before === (await index.generation(options))) return result;
  }
}
