import { createPostgresThreads, openPostgres } from "../../src/postgres/index.ts";
import { MemoryError } from "../../src/base/errors.ts";

/**
 * A separate process that appends to one thread: `node writer.ts URL THREAD NAME COUNT WAIT_MS`. Prints each acknowledged message as `CONTENT SEQ`. Waits for a
 * line on its input before it begins, so that all writers begin together.
 */
const [url = "", thread_id = "", name = "", count = "0", waitMs = "10000"] = process.argv.slice(2);
const database = openPostgres({ url, poolSize: 1, waitMs: Number(waitMs) });
const store = createPostgresThreads({ database });
await store.head(thread_id);
process.stdout.write("ready\n");
await new Promise((resolve) => process.stdin.once("data", resolve));
for (let at = 0; at < Number(count); at += 1) {
  const content = `${name}-${at}`;
  const payload = { actor_id: "user", origin: "test", content };
  const frame = { id: crypto.randomUUID(), timestamp_ms: 1, type: "continuity_message_appended", payload } as const;
  try {
    const { appended } = await store.append({ thread_id, frames: [frame] });
    process.stdout.write(`${content} ${appended[0]?.seq}\n`);
  } catch (error) {
    process.stderr.write(
      `${content}: ${error instanceof MemoryError ? `${error.code} ${error.message}` : String(error)}\n`,
    );
    process.exitCode = 1;
  }
}
await store.close();
process.exit();
