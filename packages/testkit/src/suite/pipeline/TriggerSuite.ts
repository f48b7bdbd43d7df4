import { assert, describe } from "@effect/vitest"
import { maxQueuedRules, type Rule } from "@leadloom/core/internal/domain/rule/Rule"
import type { TriggerRun } from "@leadloom/core/internal/domain/run/TriggerRun"
import { sendLeaseMillis } from "@leadloom/core/internal/domain/sending/Reservation"
import { TriggerRuns } from "@leadloom/core/internal/port/repository/pipeline/TriggerRuns"
import { Tenants } from "@leadloom/core/internal/port/repository/tenant/Tenants"
import { createContact } from "@leadloom/core/internal/workflow/contact/CreateContact"
import { mergeContacts } from "@leadloom/core/internal/workflow/contact/MergeContacts"
import { eraseContact } from "@leadloom/core/internal/workflow/privacy/EraseContact"
import type { MessageId } from "@leadloom/core/internal/domain/Id"
import { createUser } from "@leadloom/core/internal/workflow/user/Users"
import { changeDelivery } from "@leadloom/core/internal/workflow/provider/ChangeDelivery"
import { Transactions } from "@leadloom/core/internal/port/system/Transactions"
import { runTrigger } from "@leadloom/core/internal/workflow/trigger/RunTrigger"
import { Clock, Effect } from "effect"
import { TestClock } from "effect/testing"
import { acme, drain, drainSends, inTenant, present, scenesOn } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"
import { chase, late, work, later, listed, states, titles, setRules, begin, answer, reply } from "./TriggerWorld.ts"

/** Tests rules that wait for a time, on a store. */
export const triggerSuite = (name: string, store: StoreLayer): void => {
  const scene = scenesOn(store)

  describe(`a rule with the trigger no_answer on ${name}`, () => {
    scene("runs once for each last message of ours, and again after a later one", () =>
      Effect.gen(function* () {
        const { contactId } = yield* begin([chase])
        yield* later("119 minutes")
        assert.deepStrictEqual([yield* titles(contactId), yield* states], [[], ["waiting"]])
        yield* later("1 minute")
        yield* later("1 day")
        assert.deepStrictEqual([yield* titles(contactId), yield* states], [["Call Jo"], ["ran"]])
        yield* answer
        yield* later("1 hour")
        // Our newer message restarts the time.
        yield* acme.sendMail({ body: "Or on Tuesday?" })
        yield* drainSends
        yield* later("1 hour")
        assert.deepStrictEqual(
          [yield* titles(contactId), yield* states],
          [["Call Jo"], ["ran", "prevented", "waiting"]]
        )
        yield* later("1 hour")
        assert.deepStrictEqual(yield* titles(contactId), ["Call Jo", "Call Jo"])
      })
    )

    scene("is prevented by a message of the contact, but not by automatic mail", () =>
      Effect.gen(function* () {
        const { contactId } = yield* begin([chase])
        const more = ["Auto-Submitted: auto-replied"]
        yield* acme.handleMail({ id: "away@customer.example", date: "Mon, 02 Mar 2026 09:03:00 +0000", more })
        yield* later("2 hours")
        assert.deepStrictEqual(yield* titles(contactId), ["Call Jo"])
        yield* answer
        yield* TestClock.adjust("119 minutes")
        yield* reply("yes", "Mon, 02 Mar 2026 13:00:00 +0000")
        yield* later("3 hours")
        const [run] = yield* listed()
        assert.deepStrictEqual([run?.state, run?.reason], ["prevented", "the contact has written since"])
        assert.deepStrictEqual(yield* titles(contactId), ["Call Jo"])
      })
    )

    scene("is run once by several servers, and after a server that stopped after its claim", () =>
      Effect.gen(function* () {
        const { contactId } = yield* begin([chase])
        yield* TestClock.adjust("2 hours")
        const runs = yield* TriggerRuns
        const time = yield* Clock.currentTimeMillis
        const [lost] = yield* runs.claim(8, time, time + sendLeaseMillis)
        yield* work
        assert.deepStrictEqual(yield* titles(contactId), [])
        yield* TestClock.adjust(sendLeaseMillis)
        const [second] = yield* runs.claim(8, time + sendLeaseMillis, time + 2 * sendLeaseMillis)
        // The first server continues after all, together with the one that has claimed the run since.
        const claims = [present(lost), present(second), present(second)]
        yield* Effect.forEach(claims, (claim) => runTrigger(claim), { concurrency: 3 })
        // A clock that is set back and forward again repeats nothing.
        yield* TestClock.setTime(time - 7_200_000)
        yield* work
        yield* TestClock.setTime(time + 7_200_000)
        yield* work
        assert.deepStrictEqual([yield* titles(contactId), yield* states], [["Call Jo"], ["ran"]])
      })
    )

    scene("has no cause before it was saved, while it is disabled, and in old mail", () =>
      Effect.gen(function* () {
        const { contactId } = yield* begin([])
        yield* setRules(chase)
        yield* later("1 day")
        assert.deepStrictEqual(yield* states, [])
        yield* setRules({ ...chase, enabled: false })
        yield* answer
        yield* setRules(chase)
        // A mailbox delivers a mail that a person sent two hours ago.
        const own = { from: "Acme <office@acme.com>", to: "jo@customer.example", id: "own@acme.com" }
        yield* acme.receiveMail({ ...own, date: "Tue, 03 Mar 2026 07:00:00 +0000" }, true)
        yield* later("1 day")
        assert.deepStrictEqual([yield* titles(contactId), yield* states], [[], []])
      })
    )

    scene("follows the current rule", () =>
      Effect.gen(function* () {
        const { contactId } = yield* begin([chase])
        yield* setRules({ ...chase, trigger: { type: "no_answer", after_minutes: 180 } })
        yield* later("2 hours")
        assert.deepStrictEqual(yield* states, ["waiting"])
        yield* setRules({ ...chase, when: { fact: "contact.tags", op: "includes", value: "vip" } })
        yield* later("1 hour")
        yield* answer
        yield* setRules()
        yield* later("1 day")
        assert.deepStrictEqual(
          (yield* listed()).map(({ reason, state }) => [state, reason]),
          [
            ["prevented", "the rule was deleted"],
            ["not_matched", 'contact.tags includes "vip": it is []']
          ]
        )
        assert.deepStrictEqual(yield* titles(contactId), [])
      })
    )

    scene("carries out every permitted action as the system, and starts no other rule", () =>
      Effect.gen(function* () {
        const message: Rule = {
          ...chase,
          id: "message",
          trigger: { type: "message_received" },
          actions: [{ type: "tag", tag: "wrote" }]
        }
        const everyAction: Rule = {
          ...chase,
          when: {
            all: [
              { fact: "lead.state", op: "eq", value: "open" },
              { fact: "contact.email_domain", op: "eq", value: "customer.example" },
              { fact: "time.hour", op: "gte", value: 11 },
              { fact: "score.value", op: "gte", value: 0 }
            ]
          },
          actions: [
            { type: "tag", tag: "silent" },
            { type: "assign", to: "Kim" },
            { type: "transition", state: "engaged" },
            { type: "notify", message: "{{ contact.name }} is silent" },
            { type: "create_task", task_type: "callback" }
          ]
        }
        const { contactId, leadId } = yield* begin([message, everyAction])
        const before = (yield* acme.eventTypes()).length
        yield* later("2 hours")
        const [run] = yield* listed({ ruleId: "chase", contactId })
        assert.deepStrictEqual(
          present(run).actions.map(({ outcome, type }) => `${type} ${outcome}`),
          ["tag done", "assign done", "transition done", "notify done", "create_task done"]
        )
        assert.deepStrictEqual((yield* acme.contactOf(contactId)).tags, ["wrote", "silent"])
        const lead = yield* acme.leadOf(leadId)
        assert.deepStrictEqual([lead.assignee, lead.state, run?.leadId], ["Kim", "engaged", leadId])
        const types = (yield* acme.eventTypes()).slice(before)
        assert.includeMembers(types, ["contact.updated", "lead.state_changed", "rule.notified", "task.created"])
        assert.deepStrictEqual([yield* listed({ ruleId: "none", contactId: null }), yield* states], [[], ["ran"]])
      })
    )

    scene("serves every tenant", () =>
      Effect.gen(function* () {
        const other = inTenant("other")
        yield* begin([chase])
        yield* other.open({ rules: [chase], replyMode: "off" })
        yield* other.connectMail()
        yield* TestClock.setTime(Date.parse("2026-03-02T09:02:00.000Z"))
        for (let index = 0; index < 20; index++)
          yield* acme.sendMail({ to: [{ email: `p${index}@customer.example`, name: null }] })
        yield* other.sendMail()
        yield* drainSends
        yield* TestClock.adjust("2 hours")
        const now = yield* Clock.currentTimeMillis
        const claimed: ReadonlyArray<TriggerRun> = yield* (yield* TriggerRuns).claim(8, now, now + 1)
        assert.deepStrictEqual(new Set(claimed.map(({ tenantId }) => tenantId)), new Set(["acme", "other"]))
      })
    )

    scene("assigns the conversation as the system", () =>
      Effect.gen(function* () {
        yield* begin([], false)
        const { userId } = yield* createUser("acme", { name: "Ann", email: "ann@acme.com" }, {})
        yield* setRules({ ...chase, actions: [{ type: "assign", to: userId }] })
        yield* answer
        const before = (yield* acme.events()).length
        yield* later("2 hours")
        const events = (yield* acme.events()).slice(before)
        const updated = events.find(({ type }) => type === "conversation.updated")
        assert.deepStrictEqual([updated?.data["actor"], updated?.data["changes"]], ["system", ["assignee_id"]])
      })
    )

    scene("waits for a queued message, and not for one that bounced", () =>
      Effect.gen(function* () {
        const { contactId } = yield* begin([chase], false)
        const { atomically } = yield* Transactions
        const change = (messageId: MessageId, delivery: "queued" | "sent" | "bounced") =>
          atomically("acme", changeDelivery("acme", messageId, delivery, null))
        const { messageId: quote } = yield* acme.sendMail()
        yield* change(quote, "queued")
        yield* later("2 hours")
        const [queued] = yield* listed()
        assert.deepStrictEqual([queued?.state, queued?.reason], ["waiting", "our message waits for its provider"])
        yield* change(quote, "sent")
        yield* later("10 minutes")
        assert.deepStrictEqual(yield* titles(contactId), ["Call Jo"])
        const { messageId } = yield* acme.sendMail()
        yield* change(messageId, "bounced")
        yield* later("1 day")
        const [bounced] = yield* listed()
        assert.deepStrictEqual(
          [bounced?.state, bounced?.reason],
          ["prevented", "our message did not reach the contact"]
        )
      })
    )

    scene(
      "has one cause for messages of the same millisecond, and none in an answer older than the contact's message",
      () =>
        Effect.gen(function* () {
          yield* begin([chase], false)
          yield* acme.sendMail()
          yield* acme.sendMail({ body: "Or on Tuesday?" })
          yield* drainSends
          yield* later("2 hours")
          assert.deepStrictEqual(yield* states, ["ran"])
          yield* TestClock.setTime(Date.parse("2026-03-02T12:10:00.000Z"))
          yield* reply("yes", "Mon, 02 Mar 2026 12:10:00 +0000")
          yield* TestClock.adjust("10 minutes")
          const own = { from: "Acme <office@acme.com>", to: "jo@customer.example", id: "own@acme.com" }
          yield* acme.receiveMail({ ...own, date: "Mon, 02 Mar 2026 12:05:00 +0000" }, true)
          yield* later("2 hours")
          const [run] = yield* listed()
          assert.deepStrictEqual([run?.state, run?.reason], ["prevented", "the contact waits for our answer"])
        })
    )

    scene("waits while its tenant is archived", () =>
      Effect.gen(function* () {
        const { contactId } = yield* begin([chase])
        const { archive, restore } = yield* Tenants
        yield* archive("acme", yield* Clock.currentTimeMillis)
        yield* later("2 hours")
        yield* restore("acme")
        assert.deepStrictEqual([yield* titles(contactId), yield* states], [[], ["waiting"]])
        yield* later("1 hour")
        assert.deepStrictEqual([yield* titles(contactId), yield* states], [["Call Jo"], ["ran"]])
      })
    )

    scene("moves with a merge, and is deleted with the contact", () =>
      Effect.gen(function* () {
        const { contactId } = yield* begin([chase])
        const { contactId: primary } = yield* createContact("acme", { name: "Jo Ann", email: "joann@customer.example" })
        yield* TestClock.adjust("1 minute")
        yield* mergeContacts("acme", primary, contactId)
        yield* later("2 hours")
        assert.deepStrictEqual([yield* titles(primary), yield* states], [["Call Jo"], ["ran"]])
        assert.strictEqual((yield* listed({ ruleId: null, contactId: primary })).length, 1)
        yield* answer
        yield* eraseContact({ tenantId: "acme", contactId: primary, confirm: primary, requestedBy: "admin" })
        yield* later("1 day")
        assert.deepStrictEqual(yield* listed(), [])
      })
    )
  })

  describe(`a rule with the trigger unanswered on ${name}`, () => {
    scene("runs once for each wait of the contact", () =>
      Effect.gen(function* () {
        const { contactId } = yield* begin([late], false)
        yield* reply("again", "Mon, 02 Mar 2026 09:10:00 +0000")
        yield* later("2 hours")
        yield* later("1 day")
        assert.deepStrictEqual([yield* titles(contactId), yield* states], [["Answer now"], ["ran"]])
        yield* answer
        yield* reply("thanks", "Tue, 03 Mar 2026 11:02:00 +0000")
        yield* later("30 minutes")
        yield* answer
        yield* later("1 day")
        const [run] = yield* listed()
        assert.deepStrictEqual(
          [run?.state, run?.reason],
          ["prevented", "our side has answered or closed the conversation"]
        )
        assert.deepStrictEqual(yield* titles(contactId), ["Answer now"])
      })
    )

    scene("runs for a message that no server could handle for hours", () =>
      Effect.gen(function* () {
        const { contactId } = yield* begin([late], false)
        yield* answer
        yield* later("1 hour")
        yield* acme.receiveMail({ id: "outage@customer.example", date: "Mon, 02 Mar 2026 10:01:00 +0000" })
        // The servers stop after they have accepted the message.
        yield* TestClock.adjust("5 hours")
        yield* drain
        yield* work
        const [run] = yield* listed()
        assert.deepStrictEqual([run?.state, yield* titles(contactId)], ["ran", ["Answer now"]])
      })
    )
  })

  describe(`the rules of a configuration on ${name}`, () => {
    scene("are refused if they need a message that they do not have", () =>
      Effect.gen(function* () {
        yield* acme.open()
        const wrong: Rule = {
          ...chase,
          when: { fact: "message.text", op: "contains", value: "roof" },
          actions: [{ type: "reply" }, { type: "suppress_reply" }]
        }
        const refused = yield* Effect.flip(setRules(wrong))
        const issues = "issues" in refused ? refused.issues : []
        assert.deepStrictEqual(
          issues.map(({ path }) => path),
          ["rules.0.when", "rules.0.actions.0.type", "rules.0.actions.1.type"]
        )
        const many = Array.from({ length: maxQueuedRules + 1 }, (_, index): Rule => ({
          ...chase,
          id: `chase_${index}`
        }))
        assert.strictEqual((yield* Effect.flip(setRules(...many)))._tag, "ConfigInvalid")
        yield* setRules(...many.slice(1))
      })
    )
  })
}
