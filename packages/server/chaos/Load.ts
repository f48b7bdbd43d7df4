/** The load of chaos commands: events and pipeline requests, each repeated until it is accepted. */
import { setTimeout as sleep } from "node:timers/promises"
import { adminKey, textAt } from "../test/world/TestServer.ts"
import type { Servers } from "./Servers.ts"
import { bodiesOf, type Stored } from "./Stored.ts"
import { sumOf, type Tally, tallyOf } from "./Tally.ts"

/** The accepted items so far. */
export interface Load {
  readonly events: Set<string>
  readonly requests: Set<string>
  readonly retries: () => number
  /** Sends until `stop`. */
  readonly stop: () => Promise<void>
}

/** How much is sent concurrently, and the pause after each accepted item. */
export interface Pace {
  readonly eventSenders: number
  readonly requestSenders: number
  readonly pauseMillis: number
}

/** Creates tenants with a source each. Returns the keys of the sources. */
export const openTenants = async (
  servers: Servers,
  tenants: ReadonlyArray<string>
): Promise<ReadonlyMap<string, string>> => {
  const keys = new Map<string, string>()
  for (const tenant of tenants) {
    const admin = (path: string, body: unknown) => servers.insist({ method: "POST", path, body, as: adminKey })
    await admin("/admin/tenants", { tenant_id: tenant, name: tenant, domain: `${tenant}.example` })
    keys.set(tenant, textAt((await admin(`/admin/tenants/${tenant}/sources`, { source_id: "form" })).json, "key"))
  }
  return keys
}

/** Starts the load. */
export const startLoad = (servers: Servers, keys: ReadonlyMap<string, string>, pace: Pace): Load => {
  const tenants = [...keys.keys()]
  const [events, requests] = [new Set<string>(), new Set<string>()]
  const ending = new AbortController()
  let [next, retries] = [0, 0]
  const onRetry = (): void => void (retries += 1)
  const sendEvent = async (number: number, tenant: string): Promise<void> => {
    const body = {
      entity: { email: `c${number % 200}@customer.example` },
      content: { body: `event ${number}`, channel: "chat" }
    }
    const call = { method: "POST", path: `/events/${tenant}/form`, body, as: keys.get(tenant) ?? "" }
    await servers.insist({ ...call, key: `event-${number}` }, onRetry)
    events.add(`event ${number}`)
  }
  const sendRequest = async (number: number, tenant: string): Promise<void> => {
    const body = {
      message: `request ${number}`,
      channel: "chat",
      contact: { email: `p${number % 50}@customer.example` }
    }
    const call = { method: "POST", path: `/webhook/automation/${tenant}`, body, as: adminKey }
    await servers.insist({ ...call, key: `request-${number}` }, onRetry)
    requests.add(`request ${number}`)
  }
  const loop = async (send: (number: number, tenant: string) => Promise<void>): Promise<void> => {
    while (!ending.signal.aborted) {
      const number = next++
      await send(number, tenants[number % tenants.length] ?? "")
      if (pace.pauseMillis > 0) await sleep(pace.pauseMillis)
    }
  }
  const senders = Promise.all([
    ...Array.from({ length: pace.eventSenders }, () => loop(sendEvent)),
    ...Array.from({ length: pace.requestSenders }, () => loop(sendRequest))
  ])
  // `stop` reports the rejection.
  senders.catch(() => undefined)
  return {
    events,
    requests,
    retries: () => retries,
    stop: async () => {
      ending.abort()
      await senders
    }
  }
}

/** Compares the accepted items with the stored messages. */
export const tallyLoad = async (load: Load, stored: Stored): Promise<Tally> =>
  sumOf([
    tallyOf(load.events, await bodiesOf(stored, "event")),
    tallyOf(load.requests, await bodiesOf(stored, "request"))
  ])
