/**
 * Suites of the pipeline: queue, runs, models and back-tests. Pure decisions are tested in `packages/core/test`.
 */
import { inMemoryEgress } from "../../memory/Egress.ts"
import { assert, describe } from "@effect/vitest"
import { acceptRequest } from "@leadloom/core/internal/workflow/intake/AcceptMessage"
import { dryRun } from "@leadloom/core/internal/workflow/pipeline/DryRun"
import { handleRequest } from "@leadloom/core/internal/workflow/pipeline/HandleRequest"
import { toInbound } from "@leadloom/core/internal/workflow/intake/PipelineInput"
import type { Rule } from "@leadloom/core/internal/domain/rule/Rule"
import { replayRun } from "@leadloom/core/internal/workflow/pipeline/ReplayRun"
import { saveConfig } from "@leadloom/core/internal/workflow/tenant/SaveConfig"
import { runSignal } from "@leadloom/core/internal/workflow/pipeline/RunSignal"
import { scoreContact } from "@leadloom/core/internal/workflow/pipeline/ScoreLead"
import { maxSignalAttempts } from "@leadloom/core/internal/domain/classification/Signal"
import { workDueSignals } from "@leadloom/core/internal/workflow/pipeline/WorkSignals"
import { Contacts } from "@leadloom/core/internal/port/repository/contact/Contacts"
import { Signals } from "@leadloom/core/internal/port/repository/pipeline/Signals"
import { Tenants } from "@leadloom/core/internal/port/repository/tenant/Tenants"
import { createSubscription } from "@leadloom/core/internal/workflow/webhook/Subscriptions"
import { Clock, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { acme, request, scenesOn } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"

const quotes: Rule = {
  id: "rule_quotes",
  name: "Quotes",
  priority: 1,
  when: { fact: "message.text", op: "contains", value: "cost" },
  actions: [
    { type: "tag", tag: "quote" },
    { type: "assign", to: "ann" },
    { type: "transition", state: "engaged" },
    { type: "create_task", task_type: "callback", due_in_minutes: 15 },
    { type: "reply", template: "Hello {{contact.first_name}}, thank you." }
  ]
}

const claimOne = Effect.gen(function* () {
  const now = yield* Clock.currentTimeMillis
  const [signal] = yield* (yield* Signals).claim(1, now, now + 30_000)
  return signal ?? assert.fail("nothing is queued")
})

/** Tests the pipeline on a store. */
export const pipelineSuite = (name: string, store: StoreLayer): void => {
  const scene = scenesOn(store)

  describe(`the pipeline on ${name}`, () => {
    scene("a run scores, routes, acts, drafts, and reports it", () =>
      Effect.gen(function* () {
        yield* acme.open({ classifier: "keywords", rules: [quotes] })
        const { signalId, result } = yield* acme.handleRequest()
        assert.strictEqual(result.classification?.intent, "pricing")
        assert.deepStrictEqual(result.matchedRules, [{ ruleId: "rule_quotes", name: "Quotes" }])
        assert.deepStrictEqual(
          result.actions.map(({ type, outcome }) => [type, outcome]),
          ["tag", "assign", "transition", "create_task", "reply"].map((type) => [type, "done"])
        )
        assert.strictEqual(result.reply?.requiresApproval, true)
        const run = yield* acme.runOf(signalId)
        const lead = yield* acme.leadOf(run.leadId)
        assert.deepStrictEqual([lead.state, lead.assignee, lead.score], ["engaged", "ann", result.score?.score])
        assert.deepStrictEqual((yield* acme.contactOf(run.contactId)).tags, ["quote"])
        const draft = yield* acme.draftOf(run.contactId)
        assert.deepStrictEqual([draft?.text, draft?.headMessageId], ["Hello Jo, thank you.", run.messageId])
        const tasks = yield* acme.tasksOf(run.contactId)
        assert.deepStrictEqual(tasks.map(({ type }) => type).toSorted(), ["callback", "reply_approval"])
        const events = yield* acme.eventTypes()
        assert.includeMembers(events, ["lead.scored", "lead.state_changed", "contact.updated"])
        assert.strictEqual(yield* (yield* Signals).backlog, 0)
      })
    )

    scene("a rule notifies partners once, together with its run, and counts the receivers", () =>
      Effect.gen(function* () {
        const notification: Rule["actions"][0] = {
          type: "notify",
          to: "#on-call",
          message: "{{contact.name}}: {{message.body}}"
        }
        const empty: Rule["actions"][0] = { type: "notify", message: "{{contact.nothing}}" }
        yield* acme.open({ rules: [{ ...quotes, actions: [notification, empty] }] })
        const requesting = acme.handleRequest({ idempotencyKey: "k-1" })
        const { result, signalId } = yield* requesting
        yield* requesting
        yield* createSubscription("acme", {
          url: "https://hooks.customer.com/leadloom",
          events: ["rule.notified"],
          description: null,
          maxInFlight: 1
        }).pipe(Effect.provide(inMemoryEgress(() => Effect.die("nobody sends anything here"))))
        const received = yield* acme.handleRequest()
        assert.deepStrictEqual(
          [...result.actions, ...received.result.actions].map(({ outcome, reason }) => `${outcome}: ${reason}`),
          [
            "done: rule.notified, no webhook receives it now",
            "skipped: its template rendered an empty text",
            "done: rule.notified, received by 1 webhook",
            "skipped: its template rendered an empty text"
          ]
        )
        const events = yield* acme.events()
        const [first, ...others] = events.filter(({ type }) => type === "rule.notified")
        assert.strictEqual(others.length, 1)
        assert.deepInclude(first?.data, {
          rule_id: "rule_quotes",
          to: "#on-call",
          text: `Jo Smith: ${request.message}`,
          signal_id: signalId
        })
      })
    )

    scene("a repeated request with the same key returns the first run and acts once", () =>
      Effect.gen(function* () {
        const tenant = yield* acme.open({ rules: [quotes] })
        const keyed = { ...request, idempotencyKey: "k-1", fingerprint: "one" }
        const again = handleRequest({ tenant, request: keyed })
        const refusals: Array<string> = []
        const repeated = Effect.catchTag(again, "IdempotencyInProgress", ({ _tag }) =>
          Effect.as(
            Effect.sync(() => refusals.push(_tag)),
            null
          )
        )
        const answers = yield* Effect.all([repeated, repeated, repeated], { concurrency: 3 })
        const first = answers.find((answer) => answer?.replayed === false)
        const replayed = yield* again
        assert.deepStrictEqual([replayed.signalId, replayed.replayed], [first?.signalId, true])
        const changed = handleRequest({ tenant, request: { ...keyed, message: "Another roof", fingerprint: "two" } })
        assert.strictEqual((yield* Effect.flip(changed))._tag, "IdempotencyConflict")
        const run = yield* acme.runOf(replayed.signalId)
        assert.strictEqual((yield* acme.tasksOf(run.contactId)).length, 2)
        const other = yield* acme.handleRequest({ idempotencyKey: "k-2" })
        assert.notStrictEqual(other.signalId, run.signalId)
      })
    )

    scene("titles, tags and assignees are rendered on one line within their maximum length", () =>
      Effect.gen(function* () {
        const rendered: Rule = {
          ...quotes,
          actions: [
            { type: "tag", tag: "from {{contact.email}}" },
            { type: "tag", tag: "{{message.body}}" },
            { type: "assign", to: "team of {{ tenant.name }}" },
            { type: "assign", to: "{{contact.nothing}}" },
            { type: "create_task", task_type: "callback", title: "Call {{contact.name}}: {{message.body}}" },
            { type: "create_task", task_type: "review" }
          ]
        }
        yield* acme.open({ rules: [rendered] })
        const contact = { ...request.contact, name: "Jo {{message.body}}" }
        const message = `What would it cost?\n${"very ".repeat(60)}much`
        const { result, signalId } = yield* acme.handleRequest({ contact, message })
        assert.deepStrictEqual(
          result.actions.map(({ outcome, reason }) => `${outcome}: ${reason.slice(0, 60)}`),
          [
            "done: tag from jo@customer.example",
            "skipped: its template rendered more than 64 characters",
            "done: to team of Acme",
            "skipped: its template rendered an empty text",
            "done: Call Jo {{message.body}}: What would it cost? very very very",
            "done: Review for Jo {{message.body}}"
          ].map((line) => line.slice(0, line.indexOf(":") + 62))
        )
        const run = yield* acme.runOf(signalId)
        assert.deepStrictEqual((yield* acme.contactOf(run.contactId)).tags, ["from jo@customer.example"])
        assert.strictEqual((yield* acme.leadOf(run.leadId)).assignee, "team of Acme")
        const titles = (yield* acme.tasksOf(run.contactId)).map(({ title }) => title)
        assert.isTrue(titles.every((title) => title.length <= 200 && !title.includes("\n")))
        assert.include(titles, "Review for Jo {{message.body}}")
      })
    )

    scene("a reply that was not written has no effect, with the reason in the run", () =>
      Effect.gen(function* () {
        const silent: Rule = { ...quotes, actions: [...quotes.actions, { type: "suppress_reply" }] }
        yield* acme.open({ rules: [silent] })
        const { result } = yield* acme.handleRequest()
        const reply = result.actions.find(({ type }) => type === "reply")
        assert.deepStrictEqual(reply, {
          type: "reply",
          ruleId: "rule_quotes",
          outcome: "skipped",
          reason: "rule rule_quotes suppresses the reply"
        })
        assert.strictEqual(result.actions.find(({ type }) => type === "suppress_reply")?.outcome, "done")
      })
    )

    scene("a signal with two concurrent workers acts once", () =>
      Effect.gen(function* () {
        const tenant = yield* acme.open({ rules: [quotes] })
        const accepted = yield* acme.receiveMail()
        const signal = yield* claimOne
        const both = yield* Effect.all([runSignal(tenant, signal), runSignal(tenant, signal)], { concurrency: 2 })
        assert.strictEqual(both.filter((run) => run === null).length, 1)
        const tasks = yield* acme.tasksOf(accepted.contactId)
        assert.strictEqual(tasks.length, 2)
      })
    )

    scene("workers claim and end queued signals", () =>
      Effect.gen(function* () {
        yield* acme.open({ rules: [quotes] })
        const accepted = yield* acme.receiveMail()
        assert.strictEqual(yield* workDueSignals(), 1)
        assert.strictEqual(yield* workDueSignals(), 0)
        assert.strictEqual((yield* acme.runOf(accepted.signalId)).actions.length, 5)
      })
    )

    scene("a signal of a crashed worker returns after its lease, and not before", () =>
      Effect.gen(function* () {
        yield* acme.open()
        yield* acme.receiveMail()
        yield* claimOne
        yield* TestClock.adjust("29 seconds")
        assert.strictEqual(yield* workDueSignals(), 0)
        yield* TestClock.adjust("1 second")
        assert.strictEqual(yield* workDueSignals(), 1)
      })
    )

    scene("a signal that always fails is retried with growing delays, then becomes a task", () =>
      Effect.gen(function* () {
        yield* acme.open()
        const accepted = yield* acme.receiveMail()
        const broken = Layer.succeed(Tenants, {
          ...(yield* Tenants),
          get: () => Effect.die(new Error("the store holds nonsense"))
        })
        for (let attempt = 1; attempt <= maxSignalAttempts; attempt++) {
          assert.strictEqual(yield* workDueSignals().pipe(Effect.provide(broken)), 1, `attempt ${attempt}`)
          assert.strictEqual(yield* workDueSignals().pipe(Effect.provide(broken)), 0, `at once after ${attempt}`)
          yield* TestClock.adjust("10 minutes")
        }
        assert.strictEqual(yield* (yield* Signals).backlog, 0)
        const tasks = yield* acme.tasksOf(accepted.contactId)
        assert.deepStrictEqual(
          tasks.map(({ type }) => type),
          ["review"]
        )
      })
    )

    scene("list mail scores cold and gets no reply", () =>
      Effect.gen(function* () {
        yield* acme.open({ rules: [quotes] })
        const accepted = yield* acme.receiveMail({ more: ["List-Id: <news.customer.example>"] })
        yield* workDueSignals()
        const run = yield* acme.runOf(accepted.signalId)
        assert.deepStrictEqual([run.score?.tier, run.reply], ["cold", null])
        assert.strictEqual(yield* acme.draftOf(accepted.contactId), null)
      })
    )

    scene("only the newest of several messages gets a draft, in any order of processing", () =>
      Effect.gen(function* () {
        yield* acme.open({ rules: [quotes] })
        const first = yield* acme.receiveMail()
        yield* TestClock.adjust("1 minute")
        const second = yield* acme.receiveMail({
          id: "b@x.example",
          inReplyTo: "first@customer.example",
          body: "And what would the gutter cost?"
        })
        yield* TestClock.adjust("1 minute")
        yield* workDueSignals()
        const draft = yield* acme.draftOf(first.contactId)
        assert.strictEqual(draft?.signalId, second.signalId)
        assert.strictEqual((yield* acme.runOf(first.signalId)).reply, null)
      })
    )

    scene("a new message supersedes the pending draft", () =>
      Effect.gen(function* () {
        yield* acme.open({ rules: [quotes] })
        const first = yield* acme.receiveMail()
        yield* workDueSignals()
        assert.isNotNull(yield* acme.draftOf(first.contactId))
        yield* TestClock.adjust("1 minute")
        yield* acme.receiveMail({ id: "b@x.example", inReplyTo: "first@customer.example", body: "Never mind" })
        assert.isNull(yield* acme.draftOf(first.contactId))
      })
    )

    scene("a request in progress cannot be claimed until its lease ends", () =>
      Effect.gen(function* () {
        const tenant = yield* acme.open()
        yield* acceptRequest(toInbound(tenant, request, yield* Clock.currentTimeMillis))
        assert.strictEqual(yield* workDueSignals(), 0)
        yield* TestClock.adjust("30 seconds")
        assert.strictEqual(yield* workDueSignals(), 1)
      })
    )

    scene("a tag is set once, and a change of tier is reported", () =>
      Effect.gen(function* () {
        yield* acme.open({ rules: [quotes] })
        const contact = { ...request.contact, phone: "+14155550123" }
        const chat = { contact, channel: "chat" } as const
        yield* acme.handleRequest({ ...chat, message: "What would a new roof cost? Please call me today." })
        yield* TestClock.adjust("1 minute")
        const second = yield* acme.handleRequest({ ...chat, message: "Unsubscribe. Not cost, not interested." })
        assert.strictEqual(second.result.actions.find(({ type }) => type === "tag")?.outcome, "skipped")
        const events = yield* acme.events()
        const changes = events.filter(({ type }) => type === "lead.tier_changed")
        assert.deepStrictEqual(
          changes.map(({ data }) => [data["previous_tier"], data["tier"]]),
          [["hot", "cold"]]
        )
      })
    )

    scene("an invalid transition is skipped, and the run names the valid ones", () =>
      Effect.gen(function* () {
        const toWon: Rule = { ...quotes, actions: [{ type: "transition", state: "won" }] }
        yield* acme.open({ rules: [toWon] })
        const { result } = yield* acme.handleRequest()
        assert.strictEqual(result.actions[0]?.outcome, "skipped")
        assert.include(result.actions[0]?.reason, "engaged")
      })
    )

    scene("a dry run gives the same result and stores nothing", () =>
      Effect.gen(function* () {
        const tenant = yield* acme.open({ classifier: "keywords", rules: [quotes] })
        const dry = yield* dryRun({ tenant, request })
        assert.strictEqual((yield* acme.events()).length, 0)
        assert.strictEqual((yield* (yield* Contacts).page("acme", 10, null)).length, 0)
        const real = yield* acme.handleRequest()
        assert.deepStrictEqual(dry.result.score, real.result.score)
        assert.deepStrictEqual(dry.result.reply, real.result.reply)
        assert.deepStrictEqual(dry.result.matchedRules, real.result.matchedRules)
      })
    )

    scene("a dry run tries proposed rules, and the rules in use stay the same", () =>
      Effect.gen(function* () {
        const tenant = yield* acme.open({ classifier: "keywords", rules: [quotes] })
        const urgent: Rule = {
          ...quotes,
          id: "rule_urgent",
          when: { fact: "message.text", op: "contains", value: "@" }
        }
        const tried = yield* dryRun({ tenant, request, rules: [urgent, quotes] })
        assert.deepStrictEqual(
          tried.stories.map(({ outcome, ruleId }) => [ruleId, outcome]),
          [
            ["rule_urgent", "not_matched"],
            ["rule_quotes", "matched"]
          ]
        )
        const none = yield* dryRun({ tenant, request, rules: [] })
        assert.deepStrictEqual(none.result.matchedRules, [])
        const used = yield* dryRun({ tenant, request })
        assert.deepStrictEqual(used.result.matchedRules, [{ ruleId: "rule_quotes", name: "Quotes" }])
        const invalid: Rule = { ...quotes, when: { fact: "message.nothing", op: "eq", value: "x" } }
        const refused = yield* Effect.flip(dryRun({ tenant, request, rules: [invalid] }))
        assert.strictEqual(refused._tag, "ConfigInvalid")
      })
    )

    scene("a replay with the current configuration shows what the run would decide today", () =>
      Effect.gen(function* () {
        const tenant = yield* acme.open({ classifier: "keywords", rules: [quotes] })
        const { signalId } = yield* acme.handleRequest()
        const changed = yield* saveConfig("acme", { ...tenant.config, rules: [] })
        const today = yield* replayRun(changed, signalId, "current")
        assert.strictEqual(today.configVersion, changed.configVersion)
        assert.include(
          today.replay.differences.map(({ part }) => part),
          "matchedRules"
        )
        assert.isTrue((yield* replayRun(changed, signalId)).replay.identical)
      })
    )

    scene("the 501st action of a month is refused, and the next month starts at zero", () =>
      Effect.gen(function* () {
        const tenant = yield* acme.open()
        for (let use = 0; use < 500; use++) yield* scoreContact({ tenant, request })
        const refused = yield* Effect.flip(scoreContact({ tenant, request }))
        assert.strictEqual(refused._tag, "UsageCapReached")
        yield* TestClock.adjust("31 days")
        yield* scoreContact({ tenant, request })
      })
    )
  })
}
