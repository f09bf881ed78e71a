import type { Memory } from "../../memory.ts";
import type { Call } from "../../operation.ts";
import { type AskedEvent, Budget, type Counter } from "../../summaries/budget.ts";
import { appendLedger } from "../../summaries/ledger.ts";
import type { Budgeted } from "../../summaries/settings.ts";

/** How long a try waits for whoever asks for summaries, in milliseconds. A run of them takes minutes. */
const patience = 250;

/**
 * Counts the requests of one recall on the ledger of summaries. The lock of these is held only while a try is put down at the most that it can cost: so nobody
 * waits for an answer here, and all processes together keep to their budgets.
 */
export class ChoiceCounter {
  readonly #memory: Memory;
  readonly #budgets: Budgeted;
  #sent = 0;

  constructor(memory: Memory, budgets: Budgeted) {
    this.#memory = memory;
    this.#budgets = budgets;
  }

  /** Why a request that can cost so many tokens does not go out now. */
  async refusal(tokens: number): Promise<string | undefined> {
    return (await Budget.open(this.#memory, this.#budgets, this.#sent)).refusal(tokens);
  }

  /** For one message, which stops waiting when its signal says so. */
  of(call: Call): Counter {
    return {
      ask: (event) => this.#ask(event, call),
      // The end on the ledger says so; of the run it counts all the same.
      takeBack: () => {},
      note: async (event) => void (await appendLedger(this.#memory, [event])),
    };
  }

  async #ask(event: AskedEvent, { signal }: Call): Promise<void> {
    const options = { holder: "recall", waitMs: patience, ...(signal === undefined ? {} : { signal }) };
    const lease = await this.#memory.locks.acquire("summaries", options);
    try {
      await (await Budget.open(this.#memory, this.#budgets, this.#sent)).ask(event);
      this.#sent += 1;
    } finally {
      await lease.release();
    }
  }
}
