import { Crm } from "@leadloom/core/port/provider/Crm"
import type { CrmShape } from "@leadloom/core/port/repository/crm/CrmShape"
import { Effect } from "effect"

/** A process that dies at these calls, all of which the CRM has carried out; `restart` is the next process. */
export const mortal = (real: CrmShape, deaths: ReadonlyArray<number>) => {
  let [calls, dead] = [0, false]
  const through = <A, E>(call: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.flatMap(call, (answer) => {
      calls++
      if (deaths.includes(calls)) dead = true
      return dead ? Effect.die("the process dies") : Effect.succeed(answer)
    })
  const crm = Crm.of({
    ...real,
    contacts: (...asked) => through(real.contacts(...asked)),
    contact: (...asked) => through(real.contact(...asked)),
    findContact: (...asked) => through(real.findContact(...asked)),
    upsertContact: (...asked) => through(real.upsertContact(...asked)),
    updateContact: (...asked) => through(real.updateContact(...asked)),
    addTags: (...asked) => through(real.addTags(...asked))
  })
  return {
    crm,
    isDead: () => dead,
    restart: () => {
      dead = false
    }
  }
}
