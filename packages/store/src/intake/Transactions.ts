import { Companies } from "@leadloom/core/internal/port/repository/contact/Companies"
import { Contacts } from "@leadloom/core/internal/port/repository/contact/Contacts"
import { Conversations } from "@leadloom/core/internal/port/repository/conversation/Conversations"
import { Drafts } from "@leadloom/core/internal/port/repository/conversation/Drafts"
import { Messages } from "@leadloom/core/internal/port/repository/conversation/Messages"
import { Threads } from "@leadloom/core/internal/port/repository/conversation/Threads"
import { CrmInstalls } from "@leadloom/core/internal/port/repository/crm/CrmLocations"
import { Leads } from "@leadloom/core/internal/port/repository/lead/Leads"
import { SalesPipelines } from "@leadloom/core/internal/port/repository/lead/SalesPipelines"
import {
  type AcceptanceReads,
  type StoreUnavailable,
  Transactions
} from "@leadloom/core/internal/port/system/Transactions"
import { Context, Deferred, Effect, Exit, Layer } from "effect"
import { Database, type DatabaseShape } from "../Database.ts"
import { dedupKeys } from "../repository/conversation/Messages.ts"
import * as Dispatcher from "../unit/Dispatcher.ts"
import * as Unit from "../unit/Unit.ts"
import { cancel, closing } from "../unit/Writer.ts"
import type { KnownPort, Repositories } from "./KnownPorts.ts"
import { type Arriving, makeRunBatch } from "./RunBatch.ts"

/** Returns whether Postgres can store and compare a key as it is. See `PostgresText`. */
const isStorable = (key: string): boolean => !key.includes("\0") && key.isWellFormed()

const areStorable = ({ dedupKeys, identities, threadIds }: AcceptanceReads): boolean =>
  dedupKeys.every(isStorable) && identities.every(isStorable) && threadIds.every(isStorable)

const arrivingFor = <A, E, R>(
  { currentUnit, sql }: DatabaseShape,
  {
    reads,
    tenantId,
    unit
  }: { readonly tenantId: string; readonly reads: AcceptanceReads; readonly unit: Effect.Effect<A, E, R> },
  context: Context.Context<R>,
  done: Deferred.Deferred<Exit.Exit<A, E | StoreUnavailable> | null>
): Arriving => {
  let outcome: Exit.Exit<A, E | StoreUnavailable> = Exit.fail(closing)
  return {
    tenantId,
    reads,
    state: "waiting",
    running: null,
    start: (running, ports: Context.Context<KnownPort>) => {
      const batch = ports.pipe(
        Context.add(sql.transactionService, running.transaction),
        Context.add(currentUnit, running)
      )
      const fiber = Effect.runForkWith(Context.merge(context, batch))(unit)
      fiber.addObserver((exit) => {
        outcome = Unit.outcomeOf(exit, running)
      })
      return fiber
    },
    settle: (result) =>
      void Deferred.doneUnsafe(
        done,
        Exit.succeed(result === "done" ? outcome : result === "left" ? null : Exit.fail(result))
      )
  }
}

/** Returns the repositories, and whether the services of a caller contain the same ones. */
const repositoriesOf = (database: DatabaseShape, services: Context.Context<KnownPort>) => {
  const repositories: Repositories = {
    companies: Context.get(services, Companies),
    contacts: Context.get(services, Contacts),
    conversations: Context.get(services, Conversations),
    crmInstalls: Context.get(services, CrmInstalls),
    drafts: Context.get(services, Drafts),
    leads: Context.get(services, Leads),
    messages: Context.get(services, Messages),
    salesPipelines: Context.get(services, SalesPipelines),
    threads: Context.get(services, Threads),
    dedupKeys: dedupKeys(database)
  }
  const keys = [Companies, Contacts, Conversations, CrmInstalls, Drafts, Leads, Messages, SalesPipelines, Threads]
  /** A caller may have decorated a port. Its units run alone, because a batch would not call the decoration. */
  const areOwn = (context: Context.Context<never>): boolean =>
    keys.every((key) => {
      const given = context.mapUnsafe.get(key.key)
      return given === undefined || given === services.mapUnsafe.get(key.key)
    })
  return { repositories, areOwn }
}

/** Units of work of which those that accept messages run in batches. Requires the units without batches. */
export const layer: Layer.Layer<Transactions, never, Database | KnownPort | Transactions> = Layer.effect(
  Transactions,
  Effect.gen(function* () {
    const database = yield* Database
    const alone = yield* Transactions
    const { currentUnit, intakeConnections: intake, sql } = database
    if (intake === null) return alone
    const { areOwn, repositories } = repositoriesOf(database, yield* Effect.context<KnownPort>())
    const runBatch = makeRunBatch(database, intake, repositories)
    const dispatcher = yield* Dispatcher.make<Arriving>(intake.count, runBatch, (arriving) => arriving.settle(closing))
    const submit = <A, E, R>(tenantId: string, unit: Effect.Effect<A, E, R>, reads: AcceptanceReads) =>
      Effect.contextWith((context: Context.Context<R>) => {
        const done = Deferred.makeUnsafe<Exit.Exit<A, E | StoreUnavailable> | null>()
        const arriving = arrivingFor(database, { tenantId, unit, reads }, context, done)
        dispatcher.add(arriving)
        return Effect.flatMap(
          Effect.onInterrupt(Deferred.await(done), () => cancel(arriving, done)),
          (outcome): Effect.Effect<A, E | StoreUnavailable, R> => outcome ?? alone.atomically(tenantId, unit)
        )
      })
    return Transactions.of({
      atomically: (tenantId, unit, reads) =>
        Effect.withFiber(({ context }) =>
          reads === undefined ||
          dispatcher.isClosed() ||
          Context.getOrUndefined(context, currentUnit) !== undefined ||
          Context.getOrUndefined(context, sql.transactionService) !== undefined ||
          !areOwn(context) ||
          !areStorable(reads)
            ? alone.atomically(tenantId, unit)
            : submit(tenantId, unit, reads)
        )
    })
  })
)
