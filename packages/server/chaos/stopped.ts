/**
 * Runs servers on one Postgres under a load of events and requests, and stops Postgres several times. Every request
 * without acknowledgement is repeated with its idempotency key.
 */
import { setTimeout as sleep } from "node:timers/promises"
import { type Bench, type BenchResult, numberAt } from "@leadloom/testkit/bench/Bench"
import { startOwnPostgres } from "@leadloom/testkit/postgres/TestPostgres"
import { temporaryFolder } from "../test/world/ServerProcess.ts"
import { adminKey } from "../test/world/TestServer.ts"
import { openTenants, startLoad, tallyLoad } from "./Load.ts"
import { type Servers, startServers } from "./Servers.ts"
import { drained, handlingOf, openPostgres } from "./Stored.ts"
import { chaosResult, runChecks } from "./Tally.ts"

interface Plan {
  readonly secondsAway: number
  readonly stops: number
  readonly servers: number
}

/** The answers to reads, by status. */
type Answers = Map<string, number>

/** Reads from every server until the signal. */
const read = async (servers: Servers, index: number, signal: AbortSignal, answers: Answers): Promise<void> => {
  const path = "/tenants/acme/conversations"
  while (!signal.aborted) {
    const answer = await servers.send(index, { method: "GET", path, as: adminKey }).catch(() => null)
    const text = answer === null ? "none" : String(answer.status)
    const retry = answer?.status === 503 && answer.retryAfter === null ? " without Retry-After" : ""
    answers.set(text + retry, (answers.get(text + retry) ?? 0) + 1)
    await sleep(100)
  }
}

const run = async (plan: Plan): Promise<BenchResult> => {
  const folder = temporaryFolder()
  const postgres = await startOwnPostgres()
  const servers = await startServers(plan.servers, (index) => ({
    LEADLOOM_DATA_DIR: `${folder.path}/${index}`,
    LEADLOOM_DATABASE_URL: postgres.url,
    LEADLOOM_SECRET_KEY: "one-secret-for-all-of-the-servers-here",
    LEADLOOM_LIMIT_ADMIN: "1000000",
    LEADLOOM_LIMIT_WEBHOOK: "1000000"
  }))
  try {
    const keys = await openTenants(servers, ["acme"])
    const load = startLoad(servers, keys, { eventSenders: 3 * plan.servers, requestSenders: 3, pauseMillis: 5 })
    const reading = new AbortController()
    const answers: Answers = new Map()
    const readers = servers.ports.map((_, index) => read(servers, index, reading.signal, answers))
    const millisToAccept: Array<number> = []
    for (let stop = 0; stop < plan.stops; stop++) {
      await sleep(1_000)
      await postgres.halt()
      await sleep(plan.secondsAway * 1_000)
      const before = load.events.size
      await postgres.resume()
      const resumed = performance.now()
      while (load.events.size === before) await sleep(10)
      millisToAccept.push(Math.round(performance.now() - resumed))
    }
    await sleep(1_000)
    reading.abort()
    await load.stop()
    await Promise.all(readers)
    const stored = await openPostgres(postgres.url)
    const drainSeconds = await drained(stored)
    const tally = await tallyLoad(load, stored)
    const handling = await handlingOf(stored)
    await stored.close()
    const figures = {
      ...plan,
      millisToAccept,
      drainSeconds,
      retries: load.retries(),
      handling,
      reads: Object.fromEntries(answers)
    }
    return chaosResult(tally, figures, {
      ...runChecks(handling),
      "an unavailable answer has Retry-After": !answers.has("503 without Retry-After")
    })
  } finally {
    await servers.stop()
    await postgres.stop()
    folder.remove()
  }
}

export const bench: Bench = {
  name: "stopped",
  purpose: "Servers whose Postgres is stopped and started again several times under events and requests.",
  usage: "[seconds that Postgres is away] [stops] [servers]",
  sizes: { smallest: [1, 1, 1], small: [5, 2, 2], full: [20, 3, 3] },
  run: (args) => run({ secondsAway: numberAt(args, 0), stops: numberAt(args, 1), servers: numberAt(args, 2) })
}
