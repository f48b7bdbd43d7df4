import { Effect, Option, Stream } from "effect"
import { Secrets } from "../../domain/access/Secrets.ts"
import { CursorInvalid, type CursorScope, decodeCursor, encodeCursor } from "../../domain/conversation/Cursor.ts"
import { GuardEvaluations, type GuardFilter } from "../../port/repository/pipeline/GuardEvaluations.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"

/** Returns a page of guard evaluations of a tenant's replies, newest first. */
export const listGuardEvaluations = Effect.fn("listGuardEvaluations")(function* (
  tenantId: string,
  filter: GuardFilter,
  page: { readonly limit: number; readonly cursor: string | null }
) {
  yield* (yield* Tenants).get(tenantId)
  const { pepper } = yield* Secrets
  const scope: CursorScope = { tenantId, list: "guard_evaluations", filters: { ...filter } }
  let after: string | null = null
  if (page.cursor !== null) {
    const [evaluationId] = decodeCursor(page.cursor, scope, pepper) ?? []
    if (typeof evaluationId !== "string") return yield* new CursorInvalid()
    after = evaluationId
  }
  const found = yield* (yield* GuardEvaluations).page(tenantId, filter, page.limit + 1, after)
  const evaluations = found.slice(0, page.limit)
  const last = evaluations.at(-1)
  const more = found.length > page.limit && last !== undefined
  return { evaluations, nextCursor: more ? encodeCursor(scope, [last.evaluationId], pepper) : null }
})

/** The start of a walk, before the newest entry. */
const beginning = (): string | null => null

/** The number of lines per read. */
const exportPage = 500

/** Streams all guard evaluations, newest first, one page at a time on demand. */
export const exportGuardEvaluations = Effect.fn("exportGuardEvaluations")(function* (
  tenantId: string,
  filter: GuardFilter
) {
  yield* (yield* Tenants).get(tenantId)
  const { page } = yield* GuardEvaluations
  return Stream.paginate(beginning(), (after) =>
    Effect.map(page(tenantId, filter, exportPage, after), (found) => {
      const last = found.at(-1)
      const next = last === undefined || found.length < exportPage ? Option.none() : Option.some(last.evaluationId)
      return [found, next] as const
    })
  )
})
