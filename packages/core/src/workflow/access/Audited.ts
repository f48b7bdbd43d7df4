import { Clock, Context, Effect, Exit, Ref } from "effect"
import { AuditTrail } from "../../port/repository/tenant/AuditTrail.ts"
import { Ids } from "../../port/system/Ids.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import type { AuditChange, AuditEntry } from "../../domain/access/AuditEntry.ts"

/** A privileged action that is under way. */
export interface PrivilegedAction extends Pick<AuditEntry, "actor" | "action" | "target" | "address" | "requestId"> {
  /** Tenants and credentials come and go with it: the deployment has an entry of it too, which names the tenant. */
  readonly concernsDeployment?: true
}

/** A privileged action that is under way, for parts of it that are told apart. */
interface UnderWay {
  readonly acting: PrivilegedAction
  readonly transactions: Transactions["Service"]
  readonly trail: AuditTrail["Service"]
  readonly ids: Ids["Service"]
  /** A part has an entry, so that the action needs none. */
  readonly reported: Effect.Effect<void>
}

/** The action that somebody audits; null: nobody does. */
const Current = Context.Reference<UnderWay | null>("core/audit/Current", { defaultValue: () => null })

/** What a workflow said of what it does. */
interface Noted {
  readonly change: AuditChange
  /** Where no path and no unit of work says whose it is. */
  readonly tenantId: string | null
}

/** Where a workflow notes what it changes; null: nobody is listening. */
const Notes = Context.Reference<Ref.Ref<Noted | null> | null>("core/audit/Notes", { defaultValue: () => null })

/**
 * Notes what a privileged action changes, from within its unit of work. Secrets and what is known of contacts stay out.
 * Of several notes the first `before` and the last `after` are kept. What writes nothing, and so has no unit of work, says
 * whose it is. Without somebody who audits nothing happens.
 */
export const recordAuditChange = (change: AuditChange, tenantId: string | null = null): Effect.Effect<void> =>
  Effect.flatMap(Notes, (notes) =>
    notes === null
      ? Effect.void
      : Ref.update(notes, (noted) => ({
          change: noted === null ? change : { before: noted.change.before, after: change.after },
          tenantId
        }))
  )

/**
 * Carries out a privileged action so that its entry is written in the same unit of work as what it does, in the first one
 * where it has several. An action that writes outside of units gets its entry, under `tenantId`, right after it.
 */
export const audited = Effect.fnUntraced(function* <A, E, R>(
  acting: PrivilegedAction,
  tenantId: string | null,
  action: Effect.Effect<A, E, R>
) {
  const base = yield* Transactions
  const trail = yield* AuditTrail
  const ids = yield* Ids
  const auditId = yield* ids.next("aud")
  const notes = yield* Ref.make<Noted | null>(null)
  const entry = yield* Ref.make<"none" | "on its way" | "written">("none")
  const append = Effect.fnUntraced(function* (of: string) {
    const at = yield* Clock.currentTimeMillis
    const { concernsDeployment = false, ...reported } = acting
    const change = (yield* Ref.get(notes))?.change ?? null
    yield* trail.append({ ...reported, auditId, tenantId: of, at, change })
    if (!concernsDeployment || of === "") return
    const target = { tenant_id: of, ...reported.target }
    yield* trail.append({ ...reported, auditId, tenantId: "", target, at, change })
  })
  const begin = Ref.modify(entry, (now) => (now === "none" ? [true, "on its way" as const] : [false, now]))
  const watched = Transactions.of({
    atomically: (of, unit) =>
      Effect.gen(function* () {
        // Units of one action may run beside each other: the first one has the entry, unless it fails.
        if (!(yield* begin)) return yield* base.atomically(of, unit)
        return yield* Effect.onExit(
          base.atomically(
            of,
            Effect.tap(unit, () => append(of))
          ),
          (exit) => Ref.set(entry, Exit.isSuccess(exit) ? "written" : "none")
        )
      })
  })
  const reported = Ref.set(entry, "written")
  const done = yield* action.pipe(
    Effect.provideService(Transactions, watched),
    Effect.provideService(Notes, notes),
    Effect.provideService(Current, { acting, transactions: base, trail, ids, reported })
  )
  if ((yield* Ref.get(entry)) === "written") return done
  // What is done is done: that nobody could write it down is for the log, not for the caller.
  const of = tenantId ?? (yield* Ref.get(notes))?.tenantId ?? ""
  yield* base
    .atomically(of, append(of))
    .pipe(
      Effect.catchTag("StoreUnavailable", ({ reason }) => Effect.logError("An action went unaudited", acting, reason))
    )
  return done
})

/**
 * Carries out what a privileged action does to one of several tenants, with an entry of its own among that tenant's: in
 * the part's first unit of work, or right after a part that has none. The action as a whole then has no other entry.
 * Without somebody who audits it is the part alone.
 */
export const auditedPart = Effect.fnUntraced(function* <A, E, R>(tenantId: string, part: Effect.Effect<A, E, R>) {
  const current = yield* Current
  if (current === null) return yield* part
  const { acting, ids, reported, trail, transactions } = current
  const done = yield* audited(acting, tenantId, part).pipe(
    Effect.provideService(Transactions, transactions),
    Effect.provideService(AuditTrail, trail),
    Effect.provideService(Ids, ids)
  )
  yield* reported
  return done
})
