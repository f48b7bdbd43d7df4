import type { Transactions as Port } from "@leadloom/core/port/system/Transactions"
import { Context, Effect } from "effect"

type Increment = () => void

/** The increments of the current unit of work; null outside one. */
const PendingIncrements = Context.Reference<Array<Increment> | null>("server/metrics/CountOnCommit/PendingIncrements", {
  defaultValue: () => null
})

/**
 * Counts immediately, or at the commit of the current unit of work. A unit that is rolled back or retried therefore
 * counts only once it commits.
 */
export const countOnCommit = (increment: Increment): Effect.Effect<void> =>
  Effect.map(PendingIncrements, (pending) => {
    if (pending === null) increment()
    else pending.push(increment)
  })

/** Wraps units of work, so that their increments count after the commit and never after a failure. */
export const countingOnCommit = ({ atomically }: Port["Service"]): Port["Service"] => ({
  atomically: (tenantId, unit) =>
    Effect.flatMap(PendingIncrements, (around) => {
      let pending: Array<Increment> = []
      const begun = Effect.suspend(() => {
        pending = []
        return Effect.provideService(unit, PendingIncrements, pending)
      })
      const done = Effect.sync(() => {
        if (around === null) for (const increment of pending) increment()
        else around.push(...pending)
      })
      return Effect.tap(atomically(tenantId, begun), () => done)
    })
})
