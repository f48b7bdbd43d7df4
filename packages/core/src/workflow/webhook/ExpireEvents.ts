import { Clock, Duration, Effect } from "effect"
import { Events } from "../../port/repository/webhook/Events.ts"
import { withSpan } from "../WithSpan.ts"

/** The maximum number of rows that one statement deletes, so that other writes do not wait long. */
const batch = 500

/** The number of tenants per read. */
const tenantsAtOnce = 200

/** The pause between two batches, in which the database can do other work. */
const pause = Duration.millis(50)

/** Deletes the events of one tenant from before a time. */
const expireTenant = Effect.fnUntraced(function* (tenantId: string, before: number) {
  const events = yield* Events
  let removed = 0
  for (;;) {
    const gone = yield* events.expire(tenantId, before, batch)
    removed += gone
    if (gone < batch) return removed
    yield* Effect.sleep(pause)
  }
})

/** Deletes outbound events that are older than `days`, in small batches. Returns the number of deleted events. */
export const expireEvents = Effect.fnUntraced(function* (days: number) {
  const before = (yield* Clock.currentTimeMillis) - days * 86_400_000
  const events = yield* Events
  let removed = 0
  let after = ""
  for (;;) {
    const tenants = yield* events.tenants(after, tenantsAtOnce)
    for (const tenantId of tenants) removed += yield* expireTenant(tenantId, before)
    const last = tenants.at(-1)
    if (last === undefined) return removed
    after = last
  }
}, withSpan("expireEvents"))
