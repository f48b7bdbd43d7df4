import type { Transactions as Port } from "@leadloom/core/port/system/Transactions"
import { Context, Effect } from "effect"

/** Something to be counted. */
type Increment = () => void

/** What the unit of work that is running would have counted; null outside of one. */
const PendingIncrements = Context.Reference<Array<Increment> | null>("server/metrics/CountOnCommit/PendingIncrements", {
  defaultValue: () => null
})

/** Counts now, or within a unit of work when that is committed: what is undone or run again counts as often as it is there. */
export const countOnCommit = (increment: Increment): Effect.Effect<void> =>
  Effect.map(PendingIncrements, (pending) => {
    if (pending === null) increment()
    else pending.push(increment)
  })

/** Units of work that count what was noted in them when they are done, and nothing of those that fail. */
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
