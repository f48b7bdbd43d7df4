import { assert, layer } from "@effect/vitest"
import { Scores } from "@leadloom/core/internal/port/repository/lead/Leads"
import { Effect, Exit } from "effect"
import type { StoreLayer } from "../StoreLayer.ts"
import { freshTenant, idOf, scoreRecord } from "../Records.ts"

/** Tests the port `Scores` on a store. */
export const scoresSuite = (name: string, store: StoreLayer): void =>
  layer(store)(`Scores on ${name}`, (it) => {
    it.effect("returns the scores of a lead as stored, newest first, in pages, to its tenant only", () =>
      Effect.gen(function* () {
        const scores = yield* Scores
        const [one, other] = [freshTenant(), freshTenant()]
        const withoutMessage = scoreRecord(one, 3, {
          messageId: null,
          signalId: null,
          classification: null,
          factors: []
        })
        yield* Effect.forEach(
          [scoreRecord(one, 1), withoutMessage, scoreRecord(one, 2), scoreRecord(one, 4, { leadId: idOf("lead", 2) })],
          scores.insert
        )
        yield* scores.insert(scoreRecord(other, 5))
        const ofLead = (limit: number, before: string | null) => scores.ofLead(one, idOf("lead", 1), limit, before)
        assert.deepStrictEqual(yield* ofLead(2, null), [withoutMessage, scoreRecord(one, 2)])
        assert.deepStrictEqual(yield* ofLead(2, idOf("scr", 2)), [scoreRecord(one, 1)])
        assert.deepStrictEqual(yield* ofLead(2, idOf("scr", 1)), [])
        assert.deepStrictEqual(yield* scores.ofLead(freshTenant(), idOf("lead", 1), 9, null), [])
        assert.isTrue(Exit.hasDies(yield* Effect.exit(scores.insert(withoutMessage))))
      })
    )
  })
