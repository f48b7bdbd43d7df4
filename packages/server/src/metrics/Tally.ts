import type { Transactions as Port } from "@leadloom/core/port/system/Transactions"
import { Context, Effect } from "effect"

/** Something to be counted. */
type Operation = () => void

/** What the unit of work that is running would have counted; null outside of one. */
const Noted = Context.Reference<Array<Operation> | null>("server/metrics/Tally/Noted", { defaultValue: () => null })

/** Counts now, or within a unit of work when that is committed: what is undone or run again counts as often as it is there. */
export const tally = (operation: Operation): Effect.Effect<void> =>
  Effect.map(Noted, (noted) => {
    if (noted === null) operation()
    else noted.push(operation)
  })

/** Units of work that count what was noted in them when they are done, and nothing of those that fail. */
export const tallying = ({ atomically }: Port["Service"]): Port["Service"] => ({
  atomically: (tenantId, unit) =>
    Effect.flatMap(Noted, (around) => {
      let noted: Array<Operation> = []
      const begun = Effect.suspend(() => {
        noted = []
        return Effect.provideService(unit, Noted, noted)
      })
      const done = Effect.sync(() => {
        if (around === null) for (const operation of noted) operation()
        else around.push(...noted)
      })
      return Effect.tap(atomically(tenantId, begun), () => done)
    })
})
