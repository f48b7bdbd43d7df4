import { Contacts } from "@leadloom/core/internal/port/repository/contact/Contacts"
import { Conversations } from "@leadloom/core/internal/port/repository/conversation/Conversations"
import { Sources } from "@leadloom/core/internal/port/repository/tenant/Sources"
import { StoreUnavailable, Transactions } from "@leadloom/core/internal/port/system/Transactions"
import { Tenants } from "@leadloom/core/internal/port/repository/tenant/Tenants"
import { Usages } from "@leadloom/core/internal/port/repository/tenant/Usages"
import { Deferred, Effect, Layer } from "effect"
import type { Services } from "../../src/http/Routes.ts"

type Change = (services: Layer.Layer<Services, unknown>) => Layer.Layer<Services, unknown>

const outage = Effect.fail(new StoreUnavailable({ reason: "the disk with the password hunter2 is on fire" }))

/** A switch that tests turn on after the setup. */
export interface Switch {
  on: boolean
}

/** Makes reads of tenants fail while the switch is on. */
export const tenantsOut =
  (broken: Switch): Change =>
  (services) =>
    Layer.provideMerge(
      Layer.effect(
        Tenants,
        Effect.map(Tenants, (tenants) => ({
          ...tenants,
          ping: Effect.suspend(() => (broken.on ? outage : tenants.ping)),
          get: (id) => (broken.on ? outage : tenants.get(id))
        }))
      ),
      services
    )

/** Makes all writes fail while the switch is on. */
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

/** Makes reads of source keys fail while the switch is on. */
export const sourcesOut =
  (broken: Switch): Change =>
  (services) =>
    Layer.provideMerge(
      Layer.effect(
        Sources,
        Effect.map(Sources, (sources) => ({
          ...sources,
          findByHash: (hash) => (broken.on ? outage : sources.findByHash(hash)),
          isConfigured: (tenantId, sourceId) => (broken.on ? outage : sources.isConfigured(tenantId, sourceId))
        }))
      ),
      services
    )

/** Makes the contact list die with a secret in its message. */
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

/** Makes the list of conversations hang. `started` and `interrupted` report the progress of a request for it. */
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
        Effect.map(Conversations, (conversations) => ({ ...conversations, walk: () => page }))
      ),
      services
    )
  const wait = (deferred: Deferred.Deferred<void>) => Effect.runPromise(Deferred.await(deferred))
  return { change, started: wait(started), interrupted: wait(interrupted) }
}

/** Makes every use of this kind exceed the monthly cap. */
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
