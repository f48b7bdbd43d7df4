/** The suite of facts about the conversation, the consent, the place of the lead and the office hours. */
import { assert, describe } from "@effect/vitest"
import type { Condition } from "@leadloom/core/internal/domain/rule/Condition"
import type { Rule } from "@leadloom/core/internal/domain/rule/Rule"
import { Contacts } from "@leadloom/core/internal/port/repository/contact/Contacts"
import { Tenants } from "@leadloom/core/internal/port/repository/tenant/Tenants"
import { consentOf } from "@leadloom/core/internal/workflow/consent/ReadConsent"
import { recordConsent } from "@leadloom/core/internal/workflow/consent/RecordConsent"
import { updateConversation } from "@leadloom/core/internal/workflow/conversation/UpdateConversation"
import { dryRun } from "@leadloom/core/internal/workflow/pipeline/DryRun"
import { explainRun } from "@leadloom/core/internal/workflow/pipeline/ExplainRun"
import { replayRun } from "@leadloom/core/internal/workflow/pipeline/ReplayRun"
import { runBacktest } from "@leadloom/core/internal/workflow/pipeline/RunBacktest"
import { saveConfig } from "@leadloom/core/internal/workflow/tenant/SaveConfig"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { acme, present, request, scenesOn } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"
import { answer, begin, chase, later, listed, reply, setRules } from "./TriggerWorld.ts"

/** The facts about messages, in the order of `numbersOf`. */
const counted = [
  "conversation.inbound_count",
  "conversation.outbound_count",
  "conversation.inbound_count.email",
  "conversation.outbound_count.sms",
  "conversation.attempts",
  "conversation.last_direction",
  "conversation.last_channel",
  "conversation.hours_since_last",
  "conversation.hours_since_inbound",
  "conversation.hours_since_outbound"
]

const inbox = [
  "contact.language",
  "contact.email_opted_out",
  "contact.phone_opted_out",
  "lead.pipeline_id",
  "lead.stage_id",
  "lead.assignee_id",
  "conversation.state",
  "conversation.priority",
  "conversation.tags",
  "time.is_open",
  "time.is_holiday"
]

/** A rule that reads facts and never matches. */
const reading = (facts: ReadonlyArray<string>, id = "reading"): Rule => ({
  id,
  name: `Rule ${id}`,
  priority: 1,
  when: { all: facts.flatMap((fact): ReadonlyArray<Condition> => [exists(fact, true), exists(fact, false)]) },
  actions: [{ type: "tag", tag: id }]
})

const exists = (fact: string, value: boolean): Condition => ({ fact, op: "exists", value })

const valuesOf = (facts: object, names: ReadonlyArray<string>) => {
  const values = new Map<string, unknown>(Object.entries(facts))
  return names.map((name) => values.get(name))
}

const currentTenant = Effect.flatMap(Tenants, (tenants) => tenants.get("acme"))

/** Returns the named facts of a run, and checks that a replay gives the same result. */
const factsOfRun = Effect.fnUntraced(function* (signalId: string | null, names: ReadonlyArray<string>) {
  const tenant = yield* currentTenant
  const { facts } = yield* explainRun(tenant, present(signalId))
  assert.deepStrictEqual((yield* replayRun(tenant, present(signalId))).replay.differences, [])
  return valuesOf(present(facts), names)
})

/** Tests facts of conversations on a store. */
export const conversationFactSuite = (name: string, store: StoreLayer): void => {
  const scene = scenesOn(store)

  describe(`facts of conversations on ${name}`, () => {
    scene("describe the messages before the message of a run, also when it is explained and replayed later", () =>
      Effect.gen(function* () {
        yield* begin([reading(counted)], false)
        yield* TestClock.setTime(Date.parse("2026-03-02T10:00:00Z"))
        yield* answer
        yield* answer
        const second = yield* reply("second", "Mon, 02 Mar 2026 10:00:30 +0000")
        const facts = yield* factsOfRun(second.signalId, counted)
        // The mail was written at 08:55 and the answers at 10:00. The run takes place at 10:01.
        const [sinceLast, sinceInbound, sinceOutbound] = facts.slice(7).map(Number)
        assert.deepStrictEqual(facts.slice(0, 7), [1, 2, 1, 0, 2, "outbound", "email"])
        assert.deepStrictEqual([sinceInbound, sinceLast], [1.1, 1 / 60])
        assert.strictEqual(sinceOutbound, sinceLast)
        yield* later("1 day")
        assert.deepStrictEqual(yield* factsOfRun(second.signalId, counted), facts)
        const dry = yield* dryRun({ tenant: yield* currentTenant, request })
        assert.deepStrictEqual(valuesOf(dry.facts, counted).slice(0, 7), [2, 2, 2, 0, 0, "inbound", "email"])
      })
    )

    scene("are missing or zero for the first message, and automatic and failed mail does not count", () =>
      Effect.gen(function* () {
        yield* begin([reading(counted)], false)
        const before = yield* acme.handleMail({ id: "one@new.example", from: "Ann <ann@new.example>" })
        assert.deepStrictEqual(yield* factsOfRun(before.signalId, counted), [0, 0, 0, 0, 0, ...Array(5).fill(null)])
        const away = { from: "Ann <ann@new.example>", more: ["Auto-Submitted: auto-replied"] }
        yield* acme.handleMail({ ...away, id: "away@new.example", date: "Mon, 02 Mar 2026 09:02:00 +0000" })
        const after = yield* acme.handleMail({
          id: "two@new.example",
          from: "Ann <ann@new.example>",
          date: "Mon, 02 Mar 2026 09:03:00 +0000"
        })
        assert.deepStrictEqual((yield* factsOfRun(after.signalId, counted)).slice(0, 5), [1, 0, 1, 0, 0])
      })
    )

    scene("decide rules with other triggers, from the facts when they run", () =>
      Effect.gen(function* () {
        const twice: Rule = {
          ...chase,
          when: {
            all: [
              { fact: "conversation.attempts", op: "gte", value: 2 },
              { fact: "conversation.hours_since_inbound", op: "gt", value: 2 },
              { fact: "conversation.last_direction", op: "eq", value: "outbound" }
            ]
          }
        }
        yield* begin([twice], true)
        yield* later("2 hours")
        yield* answer
        yield* later("2 hours")
        const runs = (yield* listed()).toReversed()
        assert.deepStrictEqual(
          runs.map(({ reason, state }) => [state, reason]),
          [
            ["not_matched", "conversation.attempts gte 2: it is 1"],
            [
              "ran",
              'conversation.attempts gte 2: it is 2; conversation.hours_since_inbound gt 2: it is 4.1; conversation.last_direction eq "outbound": it is "outbound"'
            ]
          ]
        )
      })
    )

    scene("describe consent, the place of the lead, the inbox and the office hours", () =>
      Effect.gen(function* () {
        yield* begin([reading(inbox)], false)
        const { config } = yield* currentTenant
        yield* setRules(reading(inbox))
        const first = yield* reply("second", "Mon, 02 Mar 2026 09:02:00 +0000")
        assert.deepStrictEqual(yield* factsOfRun(first.signalId, inbox), [
          null,
          false,
          null,
          "pip_default",
          "stg_open",
          null,
          "open",
          "normal",
          [],
          true,
          false
        ])
        const contact = yield* acme.contactOf(first.contactId)
        yield* (yield* Contacts).update({ ...contact, attributes: { locale: "de-AT" } })
        const [mail] = yield* consentOf(contact)
        yield* recordConsent("acme", first.contactId, {
          identityId: present(mail).identity.identityId,
          optedOut: true,
          source: "call",
          proof: "She asked on the phone",
          recordedBy: "Kim",
          isManager: true
        })
        yield* updateConversation("acme", first.contactId, { priority: "high", tags: ["roof"] }, null)
        yield* saveConfig("acme", { ...config, holidays: ["03-02"], rules: [reading(inbox)] })
        const second = yield* reply("third", "Mon, 02 Mar 2026 09:03:00 +0000")
        assert.deepStrictEqual(yield* factsOfRun(second.signalId, inbox), [
          "de",
          true,
          null,
          "pip_default",
          "stg_open",
          null,
          "open",
          "high",
          ["roof"],
          false,
          true
        ])
      })
    )

    scene("are read only if a rule needs them, so a back-test skips runs that have not read them", () =>
      Effect.gen(function* () {
        yield* begin([reading(["conversation.hours_since_last"])], false)
        const test = { config: null, guardrails: null, since: 0, limit: 10, examples: 1 }
        const other = yield* runBacktest("acme", { ...test, rules: [reading(["conversation.attempts"])] })
        assert.deepStrictEqual([other.examined, other.skipped.withoutInputs], [0, 1])
        const same = yield* runBacktest("acme", { ...test, rules: [reading(["conversation.hours_since_last"], "new")] })
        assert.deepStrictEqual([same.examined, same.skipped.withoutInputs], [1, 0])
      })
    )
  })
}
