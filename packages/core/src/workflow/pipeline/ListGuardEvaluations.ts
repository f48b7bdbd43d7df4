import { Effect, Option, Stream } from "effect"
import { type PageRequest, readPage } from "../../domain/conversation/ReadPage.ts"
import { GuardEvaluations, type GuardFilter } from "../../port/repository/pipeline/GuardEvaluations.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { withSpan } from "../WithSpan.ts"

/** Returns a page of guard evaluations of a tenant's replies, newest first. */
export const listGuardEvaluations = Effect.fnUntraced(function* (
  tenantId: string,
  filter: GuardFilter,
  page: PageRequest
) {
  yield* (yield* Tenants).get(tenantId)
  const evaluations = yield* GuardEvaluations
  return yield* readPage(
    {
      scope: { tenantId, list: "guard_evaluations", filters: { ...filter } },
      fetch: (limit, after: string | null) => evaluations.page(tenantId, filter, limit, after),
      keyOf: ({ evaluationId }) => [evaluationId],
      readKey: ([evaluationId]) => (typeof evaluationId === "string" ? evaluationId : null)
    },
    page
  )
}, withSpan("listGuardEvaluations"))

/** Returns the start of a list, before its newest entry. */
const beginning = (): string | null => null

/** The number of entries per read. */
const exportPage = 500

/** Streams all guard evaluations, newest first. The next page is read only when the consumer needs it. */
export const exportGuardEvaluations = Effect.fnUntraced(function* (tenantId: string, filter: GuardFilter) {
  yield* (yield* Tenants).get(tenantId)
  const { page } = yield* GuardEvaluations
  return Stream.paginate(beginning(), (after) =>
    Effect.map(page(tenantId, filter, exportPage, after), (found) => {
      const last = found.at(-1)
      const next = last === undefined || found.length < exportPage ? Option.none() : Option.some(last.evaluationId)
      return [found, next] as const
    })
  )
}, withSpan("exportGuardEvaluations"))
