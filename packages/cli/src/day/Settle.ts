import { setTimeout as pause } from "node:timers/promises"
import type { Store, World } from "./World.ts"

/** The maximum time for the server to finish all due work, in milliseconds of real time. */
const timeoutMillis = 60_000
const lookEveryMs = 4

/**
 * The lengths of the leases of workers and of jobs, plus one second. A worker moves the due time of an item to the end
 * of its lease. An item that is due within a lease may therefore be in progress, and counts as open. A job counts only
 * if it has attempts, because a job without attempts is scheduled for later.
 */
const [leaseMs, jobLeaseMs] = [31_000, 121_000]

const counting = `SELECT
  (SELECT count(*) FROM signals WHERE state = 'queued' AND due_at <= ?) AS signals,
  (SELECT count(*) FROM sends WHERE state = 'handed_over' OR (state = 'reserved' AND due_at <= ?)) AS sends,
  (SELECT count(*) FROM jobs WHERE due_at <= ? OR (attempts > 0 AND due_at <= ?)) AS jobs,
  (SELECT count(*) FROM webhook_subscriptions s WHERE s."position" <
    (SELECT coalesce(max(e.sequence), 0) FROM events e WHERE e.tenant_id = s.tenant_id)) AS deliveries`

const countsOf = (store: Store, now: number): ReadonlyArray<readonly [string, number]> =>
  Object.entries(store.all(counting, now + leaseMs, now + leaseMs, now, now + jobLeaseMs)[0] ?? {}).map(
    ([name, count]) => [name, Number(count)]
  )

const waitUntilNothingIs = async ({ now, store, twilio }: World, open: (what: string) => boolean): Promise<void> => {
  const deadline = performance.now() + timeoutMillis
  for (;;) {
    const all = [...countsOf(store, now()), ["callbacks", twilio.open()] as const]
    const left = all.filter(([what, count]) => count > 0 && open(what))
    if (left.length === 0) return
    if (performance.now() > deadline) {
      const what = left.map(([name, count]) => `${count} ${name}`).join(", ")
      throw new Error(`The server did not finish its due work within ${timeoutMillis / 1_000} s: ${what}.`)
    }
    await pause(lookEveryMs)
  }
}

/** Waits until the server has no work that is due at the current simulated time. Only then may the clock advance. */
export const settle = (world: World): Promise<void> => waitUntilNothingIs(world, () => true)

/** Waits until the server has processed all inbound messages. Deliveries of events may still be pending. */
export const settleInbound = (world: World): Promise<void> => waitUntilNothingIs(world, (what) => what !== "deliveries")

const waiting = `SELECT (SELECT count(*) FROM sends WHERE state IN ('reserved', 'handed_over'))
  + (SELECT count(*) FROM signals WHERE state = 'queued') AS open`

/**
 * Returns whether some work waits for a later time, such as a text deferred to the morning, or a message in its wait
 * window.
 */
export const hasDeferredWork = ({ store }: World): boolean => Number(store.all(waiting)[0]?.["open"]) > 0
