import type { Transactions as Port } from "@leadloom/core/internal/port/system/Transactions"
import { Context, Effect } from "effect"

type Increment = () => void

/** The increments that the current unit of work has collected; null outside a unit. */
const PendingIncrements = Context.Reference<Array<Increment> | null>("server/metrics/CountOnCommit/PendingIncrements", {
  defaultValue: () => null
})

/**
 * Counts when the current unit of work commits; outside a unit, immediately. A unit that is rolled back therefore does
 * not count, and a unit that runs again counts once.
 */
export const countOnCommit = (increment: Increment): Effect.Effect<void> =>
  Effect.map(PendingIncrements, (pending) => {
    if (pending === null) increment()
    else pending.push(increment)
  })

/**
 * Wraps units of work so that their increments count after the commit. The increments of a failed unit do not count.
 */
export const countingOnCommit = ({ atomically }: Port["Service"]): Port["Service"] => ({
  atomically: (tenantId, unit, reads) =>
    Effect.flatMap(PendingIncrements, (around) => {
      let pending: Array<Increment> = []
      const begun = Effect.suspend(() => {
        pending = []
        return Effect.provideService(unit, PendingIncrements, pending)
      })
      return Effect.map(atomically(tenantId, begun, reads), (result) => {
        if (around === null) for (const increment of pending) increment()
        else around.push(...pending)
        return result
      })
    })
})
