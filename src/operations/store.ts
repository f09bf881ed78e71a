import { choice, object } from "../base/schema.ts";
import { nothing } from "../tree/inputs.ts";
import { defineOperation } from "./operation.ts";

const copyInput = () =>
  object({
    to: choice(["postgres", "embedded"], "STORE", "where to: postgres, or embedded for the files of the project"),
  });

/** Operations on where threads are kept. */
export const storeOperations = [
  defineOperation({
    name: "store.status",
    command: ["store", "status"],
    summary: "Show where threads and artifacts are kept, and whether the server is ready",
    description:
      "Shows the store of each part of the memory. If your settings name a PostgreSQL server, connects to it and shows the version of its schema. Never shows the password.",
    exit: "Exit status 1 if the server cannot be used.",
    input: nothing,
    examples: ["heartwood store status"],
    load: async () => (await import("../postgres/manage.ts")).readStoreStatus,
    outcomeOf: ({ server }) => (server === null || server.state === "ready" ? "done" : "findings"),
  }),
  defineOperation({
    name: "store.migrate",
    command: ["store", "migrate"],
    summary: "Create or update the schema of a PostgreSQL server",
    description:
      "Brings the schema heartwood to the version of this program and grants the application role what it needs. Uses the address in DATABASE_URL, which should be that of the owner of the database, else the one in your settings. " +
      "Any number of machines may run it at once; a newer schema is refused.",
    input: nothing,
    examples: ["heartwood store migrate"],
    effect: "writes",
    load: async () => (await import("../postgres/manage.ts")).runStoreMigrate,
  }),
  defineOperation({
    name: "store.copy",
    command: ["store", "copy"],
    summary: "Copy all threads and their artifacts to the server, or back to the files",
    description:
      "Copies the threads of this project, with the artifacts that they name, between its files and the PostgreSQL server in your settings, and compares both sides by digest. Changes nothing where it copies from. " +
      "Can be stopped and run again: it continues where it ended. A thread that differs on the other side is reported and left as it is.",
    exit: "Exit status 1 if a thread differs, or an artifact is damaged.",
    input: copyInput,
    examples: ["heartwood store copy --to postgres", "heartwood store copy --to embedded"],
    effect: "writes",
    load: async () => (await import("../postgres/copy.ts")).runStoreCopy,
    outcomeOf: ({ differing, damaged }) => (differing.length + damaged.length === 0 ? "done" : "findings"),
  }),
] as const;
