/**
 * Many deliveries of webhooks fail because no receiver is reachable, and wait for their retries. Then the receivers come
 * back. Every event must arrive at every receiver once.
 */
import { setTimeout as sleep } from "node:timers/promises"
import { type Bench, type BenchResult, numberAt } from "@leadloom/testkit/bench/Bench"
import { startReceivers } from "../bench/ReceiverProcess.ts"
import { temporaryFolder } from "../test/world/ServerProcess.ts"
import { makeRelay } from "./Relay.ts"
import { openTenants } from "./Load.ts"
import { startServers } from "./Servers.ts"
import { reactivate, subscribe, tallyReceivers, writeEvents } from "./Webhooks.ts"

/** The time within which all events must arrive after the receivers are back. */
const maxSeconds = 600

const run = async (deliveries: number, count: number, secondsAway: number): Promise<BenchResult> => {
  const folder = temporaryFolder()
  const receivers = await startReceivers()
  const relay = await makeRelay(receivers.port)
  const names = Array.from({ length: count }, (_, index) => `good-${index}`)
  const servers = await startServers(1, () => ({
    LEADLOOM_DATA_DIR: folder.path,
    LEADLOOM_WEBHOOK_ALLOW_HOSTS: `127.0.0.1:${relay.port}`,
    LEADLOOM_LIMIT_ADMIN: "1000000"
  }))
  try {
    const base = `http://127.0.0.1:${relay.port}`
    await openTenants(servers, ["acme"])
    await subscribe(
      servers,
      { base },
      names.map((name) => ({ name, maxInFlight: 16 }))
    )
    const accepted = await writeEvents(servers, Math.ceil(deliveries / count))
    await sleep(secondsAway * 1_000)
    await relay.up()
    await reactivate(servers)
    const begun = performance.now()
    const isMissing = async (): Promise<boolean> => {
      const have = await receivers.progress()
      return names.some((name) => (have[`/${name}`] ?? 0) < accepted)
    }
    while ((await isMissing()) && performance.now() - begun < maxSeconds * 1_000) await sleep(100)
    const drainSeconds = Number(((performance.now() - begun) / 1_000).toFixed(1))
    // A second copy of the last events would arrive in this time.
    await sleep(1_000)
    return await tallyReceivers(receivers, names, accepted, { receivers: count, secondsAway, drainSeconds })
  } finally {
    await servers.stop()
    await relay.down()
    receivers.stop()
    folder.remove()
  }
}

export const bench: Bench = {
  name: "retries",
  purpose: "Thousands of failed webhook deliveries that wait for their retries until the receivers come back.",
  usage: "[deliveries] [receivers] [seconds without receivers]",
  sizes: { smallest: [20, 4, 0.3], small: [1_000, 20, 2], full: [10_000, 50, 10] },
  run: (args) => run(numberAt(args, 0), numberAt(args, 1), numberAt(args, 2))
}
