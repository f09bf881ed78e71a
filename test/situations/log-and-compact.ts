import { runCompact } from "../../src/tree/run/compact.ts";
import { appendEntry } from "../../src/tree/logs/log-add.ts";
import { openMemory } from "../../src/open.ts";

/** One of several processes: logs an entry and compacts in each round. Arguments: folder, its number, rounds. */
const [dir = ".", index = "0", rounds = "1"] = process.argv.slice(2);
const memory = await openMemory({ dir });
for (let round = 0; round < Number(rounds); round++) {
  await appendEntry(memory, {
    topic: `Process ${index}`,
    body: `- process ${index} in round ${round} was here.`,
    id: `p${index}-r${round}`,
  });
  await runCompact(memory, {}, {});
}
