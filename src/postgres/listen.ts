import { setTimeout as pause } from "node:timers/promises";
import { sha256 } from "../base/digest.ts";
import type { Address, PostgresOptions } from "./address.ts";
import { openSession } from "./client.ts";
import { failureOf, isLost } from "./failures.ts";

export interface Listening {
  /** Ends when listening ends; fails if it can never begin, as without rights. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

/** Anyone with a connection may listen to a channel, so its name does not show the tenant's. */
export function channelOf(tenant: string): string {
  return `heartwood_${sha256(tenant).slice(0, 32)}`;
}

const LONGEST_PAUSE_MS = 5_000;

/** Listens on a connection of its own, and connects again when it is lost. */
export function listen(
  {
    address,
    options,
    channel,
  }: { readonly address: Address; readonly options: PostgresOptions; readonly channel: string },
  events: { take(payload: string): void; ready(): void },
): Listening {
  const stopping = new AbortController();
  const { signal } = stopping;
  const stopped = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
  const run = async (): Promise<void> => {
    for (let tries = 0; !signal.aborted; tries += 1) {
      const session = await openSession(address, options, (_channel, payload) => events.take(payload));
      try {
        await session.send(`LISTEN ${channel}`);
        tries = 0;
        if (!signal.aborted) events.ready();
        await Promise.race([session.closed, stopped]);
      } catch (error) {
        if (!isLost(error)) throw failureOf(error, address);
      } finally {
        await session.end();
      }
      const wait = Math.min(LONGEST_PAUSE_MS, 20 * 2 ** tries);
      await pause(wait, undefined, { signal }).catch(() => undefined);
    }
  };
  const ended = run();
  ended.catch(() => undefined);
  return {
    ended,
    stop: async () => {
      stopping.abort();
      await ended.catch(() => undefined);
    },
  };
}
