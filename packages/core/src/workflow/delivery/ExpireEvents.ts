import { Clock, Effect } from "effect"
import { Events } from "../../port/repository/webhook/Events.ts"

/** Events that one statement removes, so that nobody waits for it. */
const batch = 500

/** Tenants that are looked up at once. */
const tenantsAtOnce = 200

/** How long to leave the database to others between two batches. */
const pauseMillis = 50

/** Removes what is older than so many days of one tenant. */
const expireTenant = Effect.fnUntraced(function* (tenantId: string, before: number) {
  const events = yield* Events
  let removed = 0
  for (;;) {
    const gone = yield* events.expire(tenantId, before, batch)
    removed += gone
    if (gone < batch) return removed
    yield* Effect.sleep(pauseMillis)
  }
})

/** Removes outbound events that are older than so many days, in small batches; answers how many. */
export const expireEvents = Effect.fn("expireEvents")(function* (days: number) {
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
})
