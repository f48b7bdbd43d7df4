/** Events for webhook receivers, and the final counts of what arrived. */
import type { BenchResult } from "@leadloom/testkit/bench/Bench"
import type { ReceiverProcess } from "../bench/ReceiverProcess.ts"
import { adminKey, at } from "../test/world/TestServer.ts"
import type { Servers } from "./Servers.ts"
import { chaosResult, sumOf, tallyOfReceiver } from "./Tally.ts"

/** A subscription to create. */
export interface Receiver {
  readonly name: string
  readonly maxInFlight: number
}

/** Creates a subscription of the tenant `acme` per receiver. */
export const subscribe = async (
  servers: Servers,
  { base }: Pick<ReceiverProcess, "base">,
  receivers: ReadonlyArray<Receiver>
): Promise<void> => {
  for (const { maxInFlight, name } of receivers) {
    const body = { url: `${base}/${name}`, max_in_flight: maxInFlight }
    await servers.insist({ method: "POST", path: "/tenants/acme/webhooks", body, as: adminKey, key: name })
  }
}

/** Creates contacts concurrently; each produces one event. Returns the number of accepted ones. */
export const writeEvents = async (servers: Servers, count: number): Promise<number> => {
  let next = 0
  let accepted = 0
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      while (next < count) {
        const number = next++
        const body = { email: `jo${number}@customer.example` }
        const call = { method: "POST", path: "/tenants/acme/contacts", body, as: adminKey }
        await servers.insist({ ...call, key: `contact-${number}` })
        accepted += 1
      }
    })
  )
  return accepted
}

/** Pauses and reactivates subscriptions. An operator does so after an outage, and failed deliveries are then due. */
export const reactivate = async (servers: Servers): Promise<void> => {
  const { json } = await servers.insist({ method: "GET", path: "/tenants/acme/webhooks", as: adminKey })
  const webhooks = at(json, "webhooks")
  for (const webhook of Array.isArray(webhooks) ? webhooks : []) {
    for (const status of ["paused", "active"]) {
      const path = `/tenants/acme/webhooks/${String(at(webhook, "id"))}`
      await servers.insist({ method: "PATCH", path, body: { status }, as: adminKey })
    }
  }
}

/** Compares the arrived events with the accepted ones. Every receiver must have every event. */
export const tallyReceivers = async (
  receivers: ReceiverProcess,
  names: ReadonlyArray<string>,
  accepted: number,
  figures: BenchResult["figures"]
): Promise<BenchResult> => {
  const seen = await receivers.seen()
  const tallies = names.map((name) => tallyOfReceiver(accepted, seen[`/${name}`] ?? []))
  return chaosResult(sumOf(tallies), figures)
}
