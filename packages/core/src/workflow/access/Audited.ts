import { Clock, Context, Effect, Exit, Ref } from "effect"
import { AuditTrail } from "../../port/repository/tenant/AuditTrail.ts"
import { Ids } from "../../port/system/Ids.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import type { AuditChange, AuditEntry } from "../../domain/access/AuditEntry.ts"
import { actingUserRecord } from "../ActingUser.ts"
import { log } from "../LogEvents.ts"

/** A privileged action while it runs. */
export interface PrivilegedAction extends Pick<AuditEntry, "actor" | "action" | "target" | "address" | "requestId"> {
  /**
   * Set if the action creates or removes tenants or credentials. The audit trail of the deployment then gets an entry
   * too, which names the tenant.
   */
  readonly concernsDeployment?: true
}

/** The running action and the services that its parts need to write their own entries. */
interface UnderWay {
  readonly acting: PrivilegedAction
  readonly transactions: Transactions["Service"]
  readonly trail: AuditTrail["Service"]
  readonly ids: Ids["Service"]
  /** Records that a part has written an entry, so the whole action needs none. */
  readonly reported: Effect.Effect<void>
}

/** The privileged action that is running. Null when the caller does not use `audited`. */
const Current = Context.Reference<UnderWay | null>("core/audit/Current", { defaultValue: () => null })

/** The change that a workflow recorded. */
interface Noted {
  readonly change: AuditChange
  /** The tenant of the change. It is needed when neither the path nor a unit of work names the tenant. */
  readonly tenantId: string | null
}

/** Collects the changes that a workflow records. Null when the caller does not use `audited`. */
const Notes = Context.Reference<Ref.Ref<Noted | null> | null>("core/audit/Notes", { defaultValue: () => null })

/**
 * Records the change that a privileged action makes. Call it inside the unit of work of the change. A workflow without
 * a unit of work passes the tenant. The change must not contain secrets or data of contacts. If it is called several
 * times, the first `before` and the last `after` are kept. Without `audited`, nothing is recorded.
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
 * Runs a privileged action, and writes its audit entry in the same unit of work. If the action has several units of
 * work, the first one contains the entry. If it has none, the entry is written immediately after the action, for
 * `tenantId`.
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
    const common = { ...reported, ...(yield* actingUserRecord), auditId, at, change }
    yield* trail.append({ ...common, tenantId: of })
    if (!concernsDeployment || of === "") return
    const target = { tenant_id: of, ...reported.target }
    yield* trail.append({ ...common, tenantId: "", target })
  })
  const begin = Ref.modify(entry, (now) => (now === "none" ? [true, "on its way" as const] : [false, now]))
  const watched = Transactions.of({
    atomically: (of, unit) =>
      Effect.gen(function* () {
        // Several units of the action may run concurrently. The first one writes the entry; if it fails, a later one
        // does.
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
  // The action is already complete, so a failure to write its entry is logged and not returned to the caller.
  const of = tenantId ?? (yield* Ref.get(notes))?.tenantId ?? ""
  yield* base
    .atomically(of, append(of))
    .pipe(
      Effect.catchTag("StoreUnavailable", ({ reason }) =>
        log("audit.failed", { action: acting.action, tenant: of, reason })
      )
    )
  return done
})

/**
 * Runs the part of a privileged action that concerns one of several tenants, and writes an entry to the audit trail of
 * that tenant. The entry is written in the first unit of work of the part, or immediately after a part without one. The
 * whole action then gets no entry of its own. Without `audited`, only the part runs.
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
