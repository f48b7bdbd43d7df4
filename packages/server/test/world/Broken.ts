import { Contacts } from "@leadloom/core/port/repository/contact/Contacts"
import { Conversations } from "@leadloom/core/port/repository/conversation/Conversations"
import { Sources } from "@leadloom/core/port/repository/tenant/Sources"
import { StoreUnavailable, Transactions } from "@leadloom/core/port/system/Transactions"
import { Tenants } from "@leadloom/core/port/repository/tenant/Tenants"
import { Usages } from "@leadloom/core/port/repository/tenant/Usages"
import { Clock, Deferred, Duration, Effect, Layer } from "effect"
import type { Services } from "../../src/http/Routes.ts"

type Change = (services: Layer.Layer<Services, unknown>) => Layer.Layer<Services, unknown>

const outage = Effect.fail(new StoreUnavailable({ reason: "the disk with the password hunter2 is on fire" }))

/** Something the tests switch on once the world is made. */
export interface Switch {
  on: boolean
}

/** Reads of tenants fail while the switch is on. */
export const tenantsOut =
  (broken: Switch): Change =>
  (services) =>
    Layer.provideMerge(
      Layer.effect(
        Tenants,
        Effect.map(Tenants, (tenants) => ({ ...tenants, get: (id) => (broken.on ? outage : tenants.get(id)) }))
      ),
      services
    )

/** Nothing can be written while the switch is on. */
export const writesOut =
  (broken: Switch): Change =>
  (services) =>
    Layer.provideMerge(
      Layer.effect(
        Transactions,
        Effect.map(Transactions, ({ atomically }) => ({
          atomically: (tenantId, unit) => (broken.on ? outage : atomically(tenantId, unit))
        }))
      ),
      services
    )

/** Source keys cannot be looked up while the switch is on. */
export const sourcesOut =
  (broken: Switch): Change =>
  (services) =>
    Layer.provideMerge(
      Layer.effect(
        Sources,
        Effect.map(Sources, (sources) => ({
          ...sources,
          isConfigured: (tenantId, sourceId) => (broken.on ? outage : sources.isConfigured(tenantId, sourceId))
        }))
      ),
      services
    )

/** The list of contacts dies with a secret on its lips. */
export const contactsDefect: Change = (services) =>
  Layer.provideMerge(
    Layer.effect(
      Contacts,
      Effect.map(Contacts, (contacts) => ({
        ...contacts,
        page: () => Effect.die(new Error("the password is hunter2"))
      }))
    ),
    services
  )

/** The list of conversations never comes, and while the switch is on a wait of 30 s or less is over at once. */
export const conversationsStuck =
  (hurry: Switch): Change =>
  (services) =>
    Layer.provideMerge(
      Layer.mergeAll(
        Layer.effect(
          Conversations,
          Effect.map(Conversations, (conversations) => ({ ...conversations, page: () => Effect.never }))
        ),
        Layer.effect(
          Clock.Clock,
          Effect.map(Clock.Clock, (clock) => ({
            ...clock,
            currentTimeMillisUnsafe: () => clock.currentTimeMillisUnsafe(),
            currentTimeNanosUnsafe: () => clock.currentTimeNanosUnsafe(),
            sleep: (duration) => (hurry.on && Duration.toSeconds(duration) <= 30 ? Effect.void : clock.sleep(duration))
          }))
        )
      ),
      services
    )

/** The list of conversations never comes. `started` and `interrupted` tell how far a request for it has got. */
export const conversationsWatched = () => {
  const started = Deferred.makeUnsafe<void>()
  const interrupted = Deferred.makeUnsafe<void>()
  const page = Effect.andThen(Deferred.succeed(started, undefined), Effect.never).pipe(
    Effect.onInterrupt(() => Deferred.succeed(interrupted, undefined))
  )
  const change: Change = (services) =>
    Layer.provideMerge(
      Layer.effect(
        Conversations,
        Effect.map(Conversations, (conversations) => ({ ...conversations, page: () => page }))
      ),
      services
    )
  const wait = (deferred: Deferred.Deferred<void>) => Effect.runPromise(Deferred.await(deferred))
  return { change, started: wait(started), interrupted: wait(interrupted) }
}

/** The month's uses of this kind are spent. */
export const capReached =
  (spent: string): Change =>
  (services) =>
    Layer.provideMerge(
      Layer.effect(
        Usages,
        Effect.map(Usages, (usages) => ({ ...usages, consume: (_, kind) => Effect.succeed(kind !== spent) }))
      ),
      services
    )
