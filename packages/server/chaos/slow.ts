/**
 * Slow receivers of webhooks beside fast ones. Every event must arrive at every receiver once, and the fast receivers
 * must not wait for the slow ones.
 */
import { setTimeout as sleep } from "node:timers/promises"
import { type Bench, type BenchResult, numberAt } from "@leadloom/testkit/bench/Bench"
import { startReceivers } from "../bench/ReceiverProcess.ts"
import { temporaryFolder } from "../test/world/ServerProcess.ts"
import { openTenants } from "./Load.ts"
import { startServers } from "./Servers.ts"
import { subscribe, tallyReceivers, writeEvents } from "./Webhooks.ts"

/** The time within which all events must arrive. */
const maxSeconds = 900

const run = async (events: number, slowMillis: number, kinds: number): Promise<BenchResult> => {
  const folder = temporaryFolder()
  const receivers = await startReceivers(slowMillis)
  const named = (kind: string) => Array.from({ length: kinds }, (_, index) => `${kind}-${index}`)
  const [fast, slow] = [named("good"), named("slow")]
  const servers = await startServers(1, () => ({
    LEADLOOM_DATA_DIR: folder.path,
    LEADLOOM_WEBHOOK_ALLOW_HOSTS: `127.0.0.1:${receivers.port}`,
    LEADLOOM_LIMIT_ADMIN: "1000000"
  }))
  const isMissing = async (names: ReadonlyArray<string>, count: number): Promise<boolean> => {
    const have = await receivers.progress()
    return names.some((name) => (have[`/${name}`] ?? 0) < count)
  }
  const secondsUntil = async (names: ReadonlyArray<string>, count: number): Promise<number> => {
    const begun = performance.now()
    while ((await isMissing(names, count)) && performance.now() - begun < maxSeconds * 1_000) await sleep(50)
    return Number(((performance.now() - begun) / 1_000).toFixed(1))
  }
  try {
    await openTenants(servers, ["acme"])
    await subscribe(
      servers,
      receivers,
      [...fast, ...slow].map((name) => ({ name, maxInFlight: 4 }))
    )
    const accepted = await writeEvents(servers, events)
    const fastSeconds = await secondsUntil(fast, accepted)
    const slowSeconds = await secondsUntil(slow, accepted)
    const figures = { events, slowMillis, fastSeconds, slowSeconds: Number((fastSeconds + slowSeconds).toFixed(1)) }
    return await tallyReceivers(receivers, [...fast, ...slow], accepted, figures)
  } finally {
    await servers.stop()
    receivers.stop()
    folder.remove()
  }
}

export const bench: Bench = {
  name: "slow",
  purpose: "Slow webhook receivers beside fast ones.",
  usage: "[events] [milliseconds of a slow receiver] [receivers of each kind]",
  sizes: { smallest: [5, 20, 2], small: [100, 200, 5], full: [1_000, 2_000, 10] },
  run: (args) => run(numberAt(args, 0), numberAt(args, 1), numberAt(args, 2))
}
