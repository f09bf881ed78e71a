import { localDay } from "../../base/calendar.ts";
import type { LedgerFold } from "../../summarize/answers/ledger.ts";
import type { Memory } from "../memory.ts";
import { appendLedger, readLedgerFile, type LedgerEvent } from "./ledger.ts";
import type { Prepared } from "./prepared.ts";
import type { Spent } from "./results.ts";
import { OverBudget, type AskedEvent } from "./send.ts";
import type { Budgeted } from "./settings.ts";

/** What a run may still spend. Holds while the lock `summaries` is held: nobody else asks meanwhile. */
export class Budget {
  readonly #memory: Memory;
  readonly #settings: Budgeted;
  readonly #fold: LedgerFold;
  #requests: number;

  private constructor(memory: Memory, settings: Budgeted, { fold, sent }: { fold: LedgerFold; sent: number }) {
    this.#memory = memory;
    this.#settings = settings;
    this.#fold = fold;
    this.#requests = sent;
  }

  /** `sent`: requests that this run sent before. */
  static async open(memory: Memory, settings: Budgeted, sent = 0): Promise<Budget> {
    return new Budget(memory, settings, { fold: (await readLedgerFile(memory)).fold, sent });
  }

  /** Of the local day that it is now. */
  spent(): Spent {
    const { requests, tokens } = this.#fold.totals(localDay(this.#memory.clock.now(), this.#memory.clock.zone));
    return { requests, tokens };
  }

  /** Why a request that can cost so many tokens does not go out now; `undefined` when it may. */
  refusal(tokens: number): string | undefined {
    const { maxRequestsPerRun, maxRequestsPerDay, maxTokensPerDay } = this.#settings;
    const spent = this.spent();
    if (this.#requests >= maxRequestsPerRun)
      return `this run sent ${this.#requests} requests; maxRequestsPerRun is ${maxRequestsPerRun}`;
    if (spent.requests >= maxRequestsPerDay)
      return `${spent.requests} requests went out today; maxRequestsPerDay is ${maxRequestsPerDay}`;
    if (spent.tokens + tokens > maxTokensPerDay)
      return `${spent.tokens} tokens went out today and this can cost ${tokens} more; maxTokensPerDay is ${maxTokensPerDay}`;
    return undefined;
  }

  /** A try that is about to go out: on the ledger before it does, and not when it could go over the budget. */
  async ask(event: AskedEvent): Promise<void> {
    const refusal = this.refusal(event.tokens);
    if (refusal !== undefined) throw new OverBudget(refusal);
    await this.note(event);
    this.#requests += 1;
  }

  /** That try did not leave the machine. Of the run it counts all the same, so that a run ends. */
  takeBack(event: Omit<LedgerEvent, "event">): void {
    this.#fold.takeBack(event);
  }

  /** What a dry run would send counts like what goes out, and is not written down. */
  pretend({ subject, digest, tokens }: Prepared): void {
    const { kind, label } = subject;
    const day = localDay(this.#memory.clock.now(), this.#memory.clock.zone);
    this.#fold.add({ at: "", day, event: "asked", tokens, kind, label, digest });
    this.#requests += 1;
  }

  async note(event: LedgerEvent): Promise<void> {
    for (const line of await appendLedger(this.#memory, [event])) this.#fold.add(line);
  }
}
