import { assert, layer } from "@effect/vitest"
import type { Lead } from "@leadloom/core/internal/domain/lead/Lead"
import { Leads } from "@leadloom/core/internal/port/repository/lead/Leads"
import { Effect, Exit } from "effect"
import type { StoreLayer } from "../StoreLayer.ts"
import { freshTenant, idOf, leadRecord, noon } from "../Records.ts"

/** Tests the port `Leads` on a store. */
export const leadsSuite = (name: string, store: StoreLayer): void =>
  layer(store)(`Leads on ${name}`, (it) => {
    it.effect("returns a lead as stored or updated, to its tenant only", () =>
      Effect.gen(function* () {
        const leads = yield* Leads
        const [one, other] = [freshTenant(), freshTenant()]
        const lead = leadRecord(one, 1)
        yield* leads.insert(lead)
        assert.deepStrictEqual(yield* leads.get(one, lead.leadId), lead)
        const scored: Lead = {
          ...lead,
          threadId: idOf("thr", 1),
          subject: "Dächer",
          state: "engaged",
          score: 71,
          tier: "hot",
          factors: [{ name: "pricing", points: 71 }],
          classification: {
            intent: "pricing",
            urgency: "high",
            sentiment: "neutral",
            summary: "Wants „it“.",
            confidence: 0.25
          },
          assignee: "kim",
          updatedAt: noon + 9
        }
        yield* leads.update(scored)
        assert.deepStrictEqual(yield* leads.get(one, lead.leadId), scored)
        assert.strictEqual((yield* Effect.flip(leads.get(other, lead.leadId)))._tag, "LeadNotFound")
        yield* leads.update(leadRecord(other, 1))
        assert.strictEqual((yield* Effect.flip(leads.get(other, lead.leadId)))._tag, "LeadNotFound")
        assert.isTrue(Exit.hasDies(yield* Effect.exit(leads.insert(lead))))
      })
    )
    it.effect("finds a contact's newest lead that is neither won nor merged, of any channel and age", () =>
      Effect.gen(function* () {
        const leads = yield* Leads
        const [tenantId, other] = [freshTenant(), freshTenant()]
        const find = Effect.map(leads.newestNotWon(tenantId, idOf("con", 1)), (lead) => lead?.leadId ?? null)
        assert.isNull(yield* find)
        yield* leads.insert(leadRecord(tenantId, 1))
        for (const [index, state] of (["qualified", "lost", "archived"] as const).entries()) {
          yield* leads.insert(leadRecord(tenantId, 2 + index, { state, channel: index === 0 ? "email" : "sms" }))
          assert.strictEqual(yield* find, idOf("lead", 2 + index))
        }
        yield* leads.insert(leadRecord(tenantId, 6, { state: "won" }))
        yield* leads.insert(leadRecord(tenantId, 7, { contactId: idOf("con", 2) }))
        yield* leads.insert(leadRecord(tenantId, 8, { mergedInto: idOf("lead", 1) }))
        yield* leads.insert(leadRecord(other, 9))
        assert.strictEqual(yield* find, idOf("lead", 4))
        // An older lead counts as the newest one after a new message.
        yield* leads.update(leadRecord(tenantId, 1, { lastMessageAt: noon + 100 }))
        assert.strictEqual(yield* find, idOf("lead", 1))
      })
    )
    it.effect("marks leads as merged, of one tenant only", () =>
      Effect.gen(function* () {
        const leads = yield* Leads
        const [one, other] = [freshTenant(), freshTenant()]
        for (const tenantId of [one, other]) {
          yield* Effect.forEach([1, 2, 3], (number) => leads.insert(leadRecord(tenantId, number)))
        }
        yield* leads.markMerged(one, idOf("lead", 1), [idOf("lead", 2), idOf("lead", 3)], noon + 50)
        const merged = { mergedInto: idOf("lead", 1), updatedAt: noon + 50 }
        assert.deepStrictEqual(yield* leads.get(one, idOf("lead", 3)), leadRecord(one, 3, merged))
        assert.deepStrictEqual(yield* leads.get(one, idOf("lead", 1)), leadRecord(one, 1))
        assert.deepStrictEqual(yield* leads.get(other, idOf("lead", 2)), leadRecord(other, 2))
      })
    )
  })
