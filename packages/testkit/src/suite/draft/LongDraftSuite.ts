import { inMemoryEmailTransport } from "../../memory/EmailTransport.ts"
import { assert, layer } from "@effect/vitest"
import { approveDraft } from "@leadloom/core/workflow/draft/ApproveDraft"
import { connectEmail } from "@leadloom/core/workflow/mailbox/ConnectEmail"
import { ingestEmail } from "@leadloom/core/workflow/intake/IngestEmail"
import type { OutgoingMail } from "@leadloom/core/domain/email/OutgoingMail"
import { maxTextSteps } from "@leadloom/core/domain/guardrail/EvaluateGuardrails"
import type { Guardrail } from "@leadloom/core/domain/guardrail/Guardrail"
import { unitLimits } from "@leadloom/core/domain/budget/Budget"
import { workDueSignals } from "@leadloom/core/workflow/pipeline/WorkSignals"
import { GuardEvaluations } from "@leadloom/core/port/repository/pipeline/GuardEvaluations"
import { Effect, Layer } from "effect"
import { around } from "../Doubles.ts"
import { rawMail, acme } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"

const phrases = Array.from({ length: 199 }, (_, index) => `a full refund ${index}`)
const guardrail: Guardrail = {
  id: "promises",
  kind: "blocked_phrases",
  outcome: "block",
  phrases: ["we promise", ...phrases]
}
const thanks = {
  id: "rule_thanks",
  name: "Thanks",
  priority: 1,
  when: { fact: "message.text", op: "contains", value: "roof" },
  actions: [{ type: "reply", template: "Thank you." }]
} as const
const long = "You get a full answer soon. ".repeat(300)

/** Tests drafts whose checks take longer than one unit of work allows, on a store. */
export const longDraftSuite = (name: string, store: StoreLayer): void => {
  const outbox: Array<OutgoingMail> = []
  const relay = inMemoryEmailTransport(outbox, () => ({ left: true, response: "250 ok", refused: [], assigned: null }))
  layer(Layer.fresh(Layer.mergeAll(store, around, relay)))(`a long draft: ${name}`, (it) =>
    it.effect("is checked before it is sent, and its evaluations are stored once", () =>
      Effect.gen(function* () {
        outbox.length = 0
        const tenant = yield* acme.open({ rules: [thanks], replyMode: "draft", guardrails: [guardrail] })
        yield* connectEmail("acme", { provider: "smtp", providerGrantId: null, email: "sales@acme.com", name: null })
        const mail = yield* ingestEmail({ tenant, raw: rawMail({}), source: "smtp", historical: false })
        const contactId = mail.contactId ?? assert.fail("no contact")
        yield* workDueSignals()
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
  )
}
