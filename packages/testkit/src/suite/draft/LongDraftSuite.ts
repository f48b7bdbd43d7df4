import { assert, describe } from "@effect/vitest"
import { approveDraft } from "@leadloom/core/internal/workflow/draft/ApproveDraft"
import { maxTextSteps } from "@leadloom/core/internal/domain/guardrail/EvaluateGuardrails"
import type { Guardrail } from "@leadloom/core/internal/domain/guardrail/Guardrail"
import { unitLimits } from "@leadloom/core/internal/domain/budget/Budget"
import { GuardEvaluations } from "@leadloom/core/internal/port/repository/pipeline/GuardEvaluations"
import { Effect } from "effect"
import { acme, scenesOn, thanks } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"

const phrases = Array.from({ length: 199 }, (_, index) => `a full refund ${index}`)
const guardrail: Guardrail = {
  id: "promises",
  kind: "blocked_phrases",
  outcome: "block",
  phrases: ["we promise", ...phrases]
}
const long = "You get a full answer soon. ".repeat(300)

/** Tests drafts whose checks take longer than one unit of work allows, on a store. */
export const longDraftSuite = (name: string, store: StoreLayer): void => {
  const scene = scenesOn(store)
  describe(`a long draft: ${name}`, () => {
    scene("is checked before it is sent, and its evaluations are stored once", ({ mail: { outbox } }) =>
      Effect.gen(function* () {
        const tenant = yield* acme.open({ rules: [thanks], replyMode: "draft", guardrails: [guardrail] })
        yield* acme.connectMail()
        const { contactId } = yield* acme.handleMail()
        assert.isAbove(maxTextSteps([guardrail], long), unitLimits.steps)
        const approve = (body: string) =>
          approveDraft(tenant, contactId, { draftId: null, contentHash: null, headMessageId: null, body })
        const blocked = yield* Effect.flip(approve(`${long} We promise.`))
        assert.strictEqual(blocked._tag, "GuardrailBlocked")
        assert.lengthOf(outbox, 0)
        yield* approve(long)
        assert.lengthOf(outbox, 1)
        const filter = { guardrailId: null, outcome: null, contactId }
        const kept = yield* (yield* GuardEvaluations).page("acme", filter, 10, null)
        assert.deepStrictEqual(
          kept.filter(({ stage }) => stage === "approval").map(({ outcome }) => outcome),
          ["allow", "block"]
        )
      })
    )
  })
}
