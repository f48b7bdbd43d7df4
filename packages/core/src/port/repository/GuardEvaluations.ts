import { Context, Effect, Layer } from "effect"
import type { GuardCount, GuardRecord } from "../../domain/guardrail/GuardRecord.ts"
import { guardDay } from "../../domain/guardrail/GuardRecord.ts"
import { type GuardOutcome, type GuardrailKind, guardOutcomes } from "../../domain/guardrail/Guardrail.ts"
import { by, keyOf, MemoryState, ofTenant } from "../../memory/MemoryState.ts"
import type { StoreUnavailable } from "../system/StoreUnavailable.ts"

/** Which evaluations; null is all of them. */
export interface GuardFilter {
  readonly guardrailId: string | null
  readonly outcome: GuardOutcome | null
  readonly contactId: string | null
}

/** What guardrails said of replies, one line for each guardrail that was asked, and daily counts of it. */
export class GuardEvaluations extends Context.Service<
  GuardEvaluations,
  {
    /** Adds lines of a tenant and counts them to their days. */
    readonly insert: (tenantId: string, records: ReadonlyArray<GuardRecord>) => Effect.Effect<void, StoreUnavailable>
    /** Newest first, after the line with the id `after`. */
    readonly page: (
      tenantId: string,
      filter: GuardFilter,
      limit: number,
      after: string | null
    ) => Effect.Effect<ReadonlyArray<GuardRecord>, StoreUnavailable>
    /** Counts of the days (`YYYY-MM-DD`, UTC) from `first` to `last`, both included; by guardrail, kind and outcome. */
    readonly counts: (
      tenantId: string,
      first: string,
      last: string
    ) => Effect.Effect<ReadonlyArray<GuardCount>, StoreUnavailable>
  }
>()("core/port/repository/GuardEvaluations") {
  static readonly layerMemory: Layer.Layer<GuardEvaluations> = Layer.effect(
    GuardEvaluations,
    Effect.map(MemoryState, ({ guardCounts, guardEvaluations }) =>
      GuardEvaluations.of({
        insert: (tenantId, records) =>
          Effect.sync(() => {
            for (const record of records) {
              guardEvaluations.set(keyOf(tenantId, record.evaluationId), record)
              const key = keyOf(tenantId, guardDay(record.createdAt), record.guardrailId, record.kind, record.outcome)
              guardCounts.set(key, (guardCounts.get(key) ?? 0) + 1)
            }
          }),
        page: (tenantId, filter, limit, after) =>
          Effect.sync(() =>
            ofTenant(guardEvaluations, tenantId)
              .filter((one) => after === null || one.evaluationId < after)
              .filter((one) => filter.guardrailId === null || one.guardrailId === filter.guardrailId)
              .filter((one) => filter.outcome === null || one.outcome === filter.outcome)
              .filter((one) => filter.contactId === null || one.contactId === filter.contactId)
              .toSorted((one, other) => (one.evaluationId < other.evaluationId ? 1 : -1))
              .slice(0, limit)
          ),
        counts: (tenantId, first, last) =>
          Effect.sync(() => {
            const found = new Map<string, GuardCount>()
            for (const [place, count] of guardCounts) {
              const [owner, day = "", guardrailId = "", kind, outcome]: CountKey = JSON.parse(place)
              if (owner !== tenantId || day < first || day > last) continue
              const key = keyOf(guardrailId, kind, outcome)
              found.set(key, { guardrailId, kind, outcome, count: (found.get(key)?.count ?? 0) + count })
            }
            return [...found.values()].toSorted(inOrder)
          })
      })
    )
  ).pipe(Layer.provide(MemoryState.layer))
}

type CountKey = readonly [tenant: string, day: string, guardrailId: string, GuardrailKind, GuardOutcome]

/** How counts are listed: by guardrail, then by kind, then by outcome, mildest first. */
const inOrder = by<GuardCount>(
  ({ guardrailId }) => guardrailId,
  ({ kind }) => kind,
  ({ outcome }) => guardOutcomes.indexOf(outcome)
)
