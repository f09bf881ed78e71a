import { spawn, spawnSync, type ChildProcess, type StdioOptions } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import postgres from "postgres";

/** Where PostgreSQL's programs are; `undefined` where they are not, and then the tests say that they were skipped. */
export const programs = programsFolder();
if (programs === undefined) console.log("NOT RUN: the tests of PostgreSQL; install postgresql");

function programsFolder(): string | undefined {
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian) ? readdirSync(debian).map((version) => join(debian, version, "bin")) : [];
  const folders = [...versions.toReversed(), ...(process.env["PATH"] ?? "").split(delimiter)];
  return folders.find((folder) => ["initdb", "pg_ctl", "postgres"].every((name) => existsSync(join(folder, name))));
}

/** `undefined` where PgBouncer is not installed. */
export const pgbouncer = ["/usr/sbin", ...(process.env["PATH"] ?? "").split(delimiter)]
  .map((folder) => join(folder, "pgbouncer"))
  .find((path) => existsSync(path));
if (pgbouncer === undefined) console.log("NOT RUN: the tests of PgBouncer; install pgbouncer");

/** PostgreSQL and PgBouncer refuse to run as root. */
function otherUser(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (flag: string): number => Number(spawnSync("id", [flag, "postgres"], { encoding: "utf8" }).stdout);
  return { uid: idOf("-u"), gid: idOf("-g") };
}

export interface Server {
  /** The address of a database for a user, over a Unix socket. */
  url(user: string, database?: string): string;
  /** A new database that belongs to `owner`, who may create roles. */
  createDatabase(): Promise<string>;
  /** Statements of the superuser, in one database. */
  admin(database: string): postgres.Sql;
  /** Ends the server as a power cut would, without a last checkpoint, and starts it again. */
  crash(): Promise<void>;
  /** Starts PgBouncer in transaction mode, with fewer connections than clients. Returns the address for a user, and how to end it. */
  startPooler(user: string, database: string): Promise<{ readonly url: string; stop(): Promise<void> }>;
  stop(): Promise<void>;
}

/** A server of its own in a temporary folder, with every write synced. Users connect without a password. */
export async function startServer(): Promise<Server> {
  if (programs === undefined) throw new Error("PostgreSQL is not installed");
  const user = otherUser();
  const folder = mkdtempSync(join(tmpdir(), "hw-pg-"));
  if (user !== undefined) chownSync(folder, user.uid, user.gid);
  const data = join(folder, "data");
  run("initdb", ["-D", data, "-U", "postgres", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync"]);
  let child = await start();
  const admins = new Map<string, postgres.Sql>();
  const url = (name: string, database = "postgres") => `postgres://${name}@localhost/${database}?host=${folder}`;
  const admin = (database: string): postgres.Sql => {
    const opened =
      admins.get(database) ??
      postgres({ path: join(folder, ".s.PGSQL.5432"), user: "postgres", database, max: 1, onnotice: () => undefined });
    admins.set(database, opened);
    return opened;
  };
  let databases = 0;
  await admin("postgres").unsafe("CREATE ROLE owner LOGIN CREATEROLE");
  return {
    url,
    admin,
    createDatabase: async () => {
      const name = `db${(databases += 1)}`;
      await admin("postgres").unsafe(`CREATE DATABASE ${name} OWNER owner`);
      return name;
    },
    crash: async () => {
      run("pg_ctl", ["-D", data, "-m", "immediate", "-w", "stop"]);
      child = await start();
    },
    startPooler: async (name, database) => {
      const own = mkdtempSync(join(tmpdir(), "hw-pool-"));
      writeFileSync(join(own, "users"), `"${name}" ""\n`);
      const settings = {
        unix_socket_dir: own,
        listen_port: 6432,
        auth_type: "trust",
        auth_file: join(own, "users"),
        pool_mode: "transaction",
        default_pool_size: 3,
        max_client_conn: 100,
      };
      const lines = Object.entries(settings).map(([key, value]) => `${key} = ${value}`);
      writeFileSync(join(own, "ini"), `[databases]\n* = host=${folder}\n[pgbouncer]\n${lines.join("\n")}\n`);
      if (user !== undefined)
        for (const path of [own, join(own, "ini"), join(own, "users")]) chownSync(path, user.uid, user.gid);
      const pooler = await started(spawn(pgbouncer ?? "", [join(own, "ini")], { ...user, stdio }), "process up");
      return {
        url: `postgres://${name}@localhost:6432/${database}?host=${own}`,
        stop: async () => {
          await ended(pooler, "SIGKILL");
          rmSync(own, { recursive: true, force: true });
        },
      };
    },
    stop: async () => {
      await Promise.all([...admins.values()].map((sql) => sql.end({ timeout: 1 })));
      await ended(child, "SIGQUIT");
      rmSync(folder, { recursive: true, force: true });
    },
  };

  function run(program: string, args: readonly string[]): void {
    const { status, stdout, stderr } = spawnSync(join(programs ?? "", program), args, { ...user, encoding: "utf8" });
    if (status !== 0) throw new Error(`${program} ended with ${status}: ${stdout}${stderr}`);
  }

  function start(): Promise<ChildProcess> {
    const settings = ["listen_addresses=", "max_connections=300", "fsync=on", "log_min_messages=log"];
    const args = ["-D", data, "-k", folder, ...settings.flatMap((setting) => ["-c", setting])];
    return started(spawn(join(programs ?? "", "postgres"), args, { ...user, stdio }), "ready to accept connections");
  }
}

const stdio: StdioOptions = ["ignore", "ignore", "pipe"];

/** Resolves when the process says that it takes connections. */
async function started(child: ChildProcess, ready: string): Promise<ChildProcess> {
  let said = "";
  await new Promise<void>((resolve, reject) => {
    child.stderr?.on("data", (chunk: Buffer) => {
      said = `${said}${chunk.toString("utf8")}`.slice(-5000);
      if (said.includes(ready)) resolve();
    });
    child.once("error", reject);
    child.once("close", (status) => reject(new Error(`${child.spawnfile} ended with ${status}: ${said}`)));
  });
  return child;
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const closed = new Promise((resolve) => child.once("close", resolve));
  child.kill(signal);
  await closed;
}

/** A server with a migrated database, and a user `app` who is a member of the application role. */
export async function startMigrated(): Promise<{
  readonly server: Server;
  readonly database: string;
  readonly url: string;
}> {
  const { migrate } = await import("../../src/postgres/index.ts");
  const server = await startServer();
  const database = await server.createDatabase();
  await migrate({ url: server.url("owner", database) });
  await server.admin(database).unsafe("CREATE ROLE app LOGIN IN ROLE heartwood_app");
  return { server, database, url: server.url("app", database) };
}
