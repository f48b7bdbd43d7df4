/**
 * Runs two servers on one Postgres under a load of events and requests, while the clock of the first one jumps: forward
 * by a minute, an hour and a day, back to the real time, and back by an hour.
 */
import { setTimeout as sleep } from "node:timers/promises"
import { type Bench, type BenchResult, numberAt } from "@leadloom/testkit/bench/Bench"
import { startForBenchmarks } from "@leadloom/testkit/postgres/TestPostgres"
import { temporaryFolder } from "../test/world/ServerProcess.ts"
import { makeClock } from "./ShiftableClock.ts"
import { openTenants, startLoad, tallyLoad } from "./Load.ts"
import { startServers } from "./Servers.ts"
import { drained, handlingOf, openPostgres } from "./Stored.ts"
import { chaosResult, runChecks } from "./Tally.ts"

const minute = 60_000
const jumps = [minute, 60 * minute, 0, -60 * minute, 24 * 60 * minute, 0]

const run = async (secondsOfAJump: number): Promise<BenchResult> => {
  const folder = temporaryFolder()
  const postgres = await startForBenchmarks()
  const clock = makeClock(`${folder.path}/clock`)
  const servers = await startServers(2, (index) => ({
    ...(index === 0 ? clock.environment : {}),
    LEADLOOM_DATA_DIR: `${folder.path}/${index}`,
    LEADLOOM_DATABASE_URL: postgres.url,
    LEADLOOM_SECRET_KEY: "one-secret-for-all-of-the-servers-here",
    LEADLOOM_LIMIT_ADMIN: "1000000",
    LEADLOOM_LIMIT_WEBHOOK: "1000000"
  }))
  const stored = await openPostgres(postgres.url)
  try {
    const keys = await openTenants(servers, ["acme", "bolt"])
    const load = startLoad(servers, keys, { eventSenders: 6, requestSenders: 2, pauseMillis: 5 })
    for (const jump of jumps) {
      clock.set(jump, servers.pids().slice(0, 1))
      await sleep(secondsOfAJump * 1_000)
    }
    await load.stop()
    // The signals of a clock that was ahead become due when the real time reaches theirs.
    clock.set(25 * 60 * minute, servers.pids().slice(0, 1))
    const drainSeconds = await drained(stored, 180, clock.now)
    const tally = await tallyLoad(load, stored)
    const handling = await handlingOf(stored)
    const figures = { jumps: jumps.length, secondsOfAJump, drainSeconds, retries: load.retries(), handling }
    return chaosResult(tally, figures, runChecks(handling))
  } finally {
    await servers.stop()
    await stored.close()
    await postgres.stop()
    folder.remove()
  }
}

export const bench: Bench = {
  name: "clock",
  purpose: "Two servers on one Postgres while the clock of one jumps forward and back.",
  usage: "[seconds between two jumps]",
  sizes: { smallest: [0.3], small: [2], full: [10] },
  run: (args) => run(numberAt(args, 0))
}
