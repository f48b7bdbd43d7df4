import { Crm } from "@leadloom/core/internal/port/provider/Crm"
import type { CrmShape } from "@leadloom/core/internal/port/repository/crm/CrmShape"
import { Effect } from "effect"

/**
 * Simulates a process that crashes after certain calls. The CRM has carried out these calls. `restart` starts the next
 * process.
 */
export const crashing = (real: CrmShape, deaths: ReadonlyArray<number>) => {
  let [calls, dead] = [0, false]
  const through = <A, E>(call: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.flatMap(call, (answer) => {
      calls++
      if (deaths.includes(calls)) dead = true
      return dead ? Effect.die("the process dies") : Effect.succeed(answer)
    })
  const crm = Crm.of({
    ...real,
    contacts: (...requested) => through(real.contacts(...requested)),
    contact: (...requested) => through(real.contact(...requested)),
    findContact: (...requested) => through(real.findContact(...requested)),
    upsertContact: (...requested) => through(real.upsertContact(...requested)),
    updateContact: (...requested) => through(real.updateContact(...requested)),
    addTags: (...requested) => through(real.addTags(...requested))
  })
  return {
    crm,
    isDead: () => dead,
    restart: () => {
      dead = false
    }
  }
}
