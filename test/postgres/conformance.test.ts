import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  createPostgresArtifacts,
  createPostgresThreads,
  openPostgres,
  type PostgresDatabase as Opened,
  type PostgresOptions,
} from "../../src/postgres/index.ts";
import { describeArtifactStore, describeThreadStore } from "../../src/testing/index.ts";
import { pgbouncer, programs, startMigrated, type Server } from "./server.ts";

let server: Server;
let database: string;
let url: string;

describe.skipIf(programs === undefined)("on PostgreSQL", () => {
  beforeAll(async () => {
    ({ server, database, url } = await startMigrated());
  });
  afterAll(() => server.stop());

  /** Each case has a tenant of its own. */
  const openTwice = (options: PostgresOptions = { url }) => {
    const tenant = `t${randomUUID()}`;
    const [one, two] = [1, 2].map(() => openPostgres({ ...options, tenant, poolSize: 4 })) as [Opened, Opened];
    const close = async (): Promise<void> => {
      await one.close();
      await two.close();
    };
    return { tenant, one, two, close };
  };

  const threadsOn = (name: string, options: () => PostgresOptions): void =>
    describeThreadStore(
      {
        name,
        create: async () => {
          let now = 1_800_000_000_000;
          const clock = { now: () => now };
          const { one, two, close } = openTwice(options());
          return {
            store: createPostgresThreads({ database: one, clock }),
            other: createPostgresThreads({ database: two, clock }),
            pass: (ms) => {
              now += ms;
            },
            close,
          };
        },
      },
      { describe, it, expect },
    );
  threadsOn("postgres-threads", () => ({ url }));

  describe.skipIf(pgbouncer === undefined)("through PgBouncer in transaction mode", () => {
    let pooler: Awaited<ReturnType<Server["startPooler"]>>;
    beforeAll(async () => {
      pooler = await server.startPooler("app", database);
    });
    afterAll(() => pooler.stop());
    threadsOn("postgres-threads", () => ({ url: pooler.url, pooler: "transaction" }));
  });

  describeArtifactStore(
    {
      name: "postgres-artifacts",
      create: async () => {
        const { tenant, one, two, close } = openTwice();
        const bytes = (id: string): Buffer => Buffer.from(id, "hex");
        return {
          store: createPostgresArtifacts({ database: one }),
          other: createPostgresArtifacts({ database: two }),
          spoil: async (id, wrong) => {
            await server.admin(
              database,
            )`UPDATE heartwood.artifact SET bytes = ${Buffer.from(wrong)} WHERE tenant = ${tenant} AND id = ${bytes(id)}`;
          },
          kept: async (id) => {
            const rows = await server.admin(database)<{ bytes: Buffer }[]>`
              SELECT bytes FROM heartwood.artifact WHERE tenant = ${tenant} AND id = ${bytes(id)}
              UNION ALL SELECT bytes FROM heartwood.damaged_artifact WHERE tenant = ${tenant} AND id = ${bytes(id)}`;
            return rows.map((row) => row.bytes);
          },
          close,
        };
      },
    },
    { describe, it, expect },
  );
});
