import { Effect } from "effect"
import { type PageRequest, readPage } from "../../domain/conversation/ReadPage.ts"
import { Leads } from "../../port/repository/lead/Leads.ts"
import { Scores } from "../../port/repository/lead/Scores.ts"

/** A page of the scores that a lead was given, newest first. */
export const listScores = Effect.fn("listScores")(function* (tenantId: string, id: string, page: PageRequest) {
  const { leadId } = yield* (yield* Leads).get(tenantId, id)
  const scores = yield* Scores
  return yield* readPage(
    {
      scope: { tenantId, list: "scores", filters: { leadId } },
      fetch: (limit, before: string | null) => scores.ofLead(tenantId, leadId, limit, before),
      keyOf: ({ scoreId }) => [scoreId],
      readKey: ([scoreId]) => (typeof scoreId === "string" ? scoreId : null)
    },
    page
  )
})
