/**
 * Runs one server with SQLite for a long time under a steady load of events and requests, with webhook receivers. The
 * resident memory is measured at regular times; growth between the second and the last quarter indicates a leak.
 */
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { type Bench, type BenchResult, numberAt, progress } from "@leadloom/testkit/bench/Bench"
import { median } from "@leadloom/testkit/bench/Median"
import { missingProc, residentMiB } from "../bench/profiling/ProcessUse.ts"
import { startReceivers } from "../bench/ReceiverProcess.ts"
import { temporaryFolder } from "../test/world/ServerProcess.ts"
import { openTenants, startLoad, tallyLoad } from "./Load.ts"
import { startServers } from "./Servers.ts"
import { countOf, drained, handlingOf, openSqlite, type Stored } from "./Stored.ts"
import { chaosResult, runChecks, sumOf, type Tally, tallyOfReceiver } from "./Tally.ts"
import { subscribe } from "./Webhooks.ts"
import type { ReceiverProcess } from "../bench/ReceiverProcess.ts"

const samples = 40
/** The time within which the last events must arrive. */
const maxSeconds = 120

/** Waits for the last events of `acme`, and compares them with the stored ones. */
const tallyEvents = async (receivers: ReceiverProcess, stored: Stored): Promise<Tally> => {
  const accepted = await countOf(stored, "SELECT count(*) FROM events WHERE tenant_id = 'acme'")
  const numbers = async (): Promise<ReadonlyArray<number>> => (await receivers.seen())["/good"] ?? []
  const limit = performance.now() + maxSeconds * 1_000
  while (new Set(await numbers()).size < accepted && performance.now() < limit) await sleep(200)
  return tallyOfReceiver(accepted, await numbers())
}

const run = async (minutes: number): Promise<BenchResult> => {
  const folder = temporaryFolder()
  const receivers = await startReceivers()
  const servers = await startServers(1, () => ({
    LEADLOOM_DATA_DIR: folder.path,
    LEADLOOM_WEBHOOK_ALLOW_HOSTS: `127.0.0.1:${receivers.port}`,
    LEADLOOM_LIMIT_ADMIN: "1000000",
    LEADLOOM_LIMIT_WEBHOOK: "1000000"
  }))
  try {
    const keys = await openTenants(servers, ["acme", "bolt", "cedar", "dune"])
    await subscribe(servers, receivers, [{ name: "good", maxInFlight: 4 }])
    const load = startLoad(servers, keys, { eventSenders: 4, requestSenders: 2, pauseMillis: 50 })
    const memory: Array<number> = []
    for (let sample = 0; sample < samples; sample++) {
      await sleep((minutes * 60_000) / samples)
      memory.push(residentMiB(servers.pids()[0] ?? 0))
      if (sample % 10 === 9) progress(`${load.events.size} events, ${Math.round(memory.at(-1) ?? 0)} MiB`)
    }
    await load.stop()
    const stored = openSqlite(join(folder.path, "leadloom.db"))
    const drainSeconds = await drained(stored)
    const tallies = { load: await tallyLoad(load, stored), webhooks: await tallyEvents(receivers, stored) }
    const handling = await handlingOf(stored)
    await stored.close()
    const quarter = samples / 4
    const figures = {
      minutes,
      secondQuarterMiB: Math.round(median(memory.slice(quarter, 2 * quarter))),
      lastQuarterMiB: Math.round(median(memory.slice(-quarter))),
      drainSeconds,
      retries: load.retries(),
      handling,
      tallies
    }
    return chaosResult(sumOf(Object.values(tallies)), figures, runChecks(handling))
  } finally {
    await servers.stop()
    receivers.stop()
    folder.remove()
  }
}

export const bench: Bench = {
  name: "soak",
  purpose: "One server under a steady load for a long time: counts and memory.",
  usage: "[minutes]",
  sizes: { smallest: [0.02], small: [0.5], full: [20] },
  missing: missingProc,
  run: (args) => run(numberAt(args, 0))
}
