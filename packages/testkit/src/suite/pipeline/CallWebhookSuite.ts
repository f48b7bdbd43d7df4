import { assert, describe } from "@effect/vitest"
import { maxCallResponseBytes, maxCallsPerHour } from "@leadloom/core/internal/domain/rule/action/CallWebhook"
import type { Action, Rule } from "@leadloom/core/internal/domain/rule/Rule"
import { retryWaits } from "@leadloom/core/internal/domain/webhook/Schedule"
import { Tenants } from "@leadloom/core/internal/port/repository/tenant/Tenants"
import { WebhookCalls } from "@leadloom/core/internal/port/repository/webhook/WebhookCalls"
import { RateLimits } from "@leadloom/core/internal/port/system/RateLimits"
import { runCall, workDueCalls } from "@leadloom/core/internal/workflow/action/RunCall"
import { createField } from "@leadloom/core/internal/workflow/field/ChangeFields"
import { createMacro } from "@leadloom/core/internal/workflow/macro/Macros"
import { dryRun } from "@leadloom/core/internal/workflow/pipeline/DryRun"
import { tagContact } from "@leadloom/core/internal/workflow/contact/TagContact"
import { signStandardWebhook } from "@leadloom/core/internal/workflow/webhook/SignWebhook"
import { deleteSubscription } from "@leadloom/core/internal/workflow/webhook/Subscriptions"
import { Clock, Effect } from "effect"
import { TestClock } from "effect/testing"
import { acme, present, request, scenesOn } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"
import { webhooks } from "../webhook/WebhookWorld.ts"
import { everything, listed, setRules, work } from "./TriggerWorld.ts"

const erp = "https://erp.example/leadloom"

type Call = Extract<Action, { readonly type: "call_webhook" }>

const rule = (action: Action, more: Partial<Rule> = {}): Rule => ({
  id: "ask",
  name: "Ask the ERP",
  priority: 1,
  when: everything,
  actions: [action],
  ...more
})

/** The parts of a request that tests read. */
interface SentCall {
  readonly event_id: string
  readonly event_type: string
  readonly tenant_id: string
  readonly data: Readonly<Record<string, unknown>>
}

const readCall = (body: string): SentCall => JSON.parse(body)

const workCalls = Effect.gen(function* () {
  while ((yield* workDueCalls()) > 0);
})

const field = (key: string, type: "number" | "text") => createField("acme", { key, label: key, type })

/** Opens the tenant with two fields and a subscription. Returns the subscription, and an action that is signed for it. */
const open = Effect.gen(function* () {
  yield* acme.open({ replyMode: "off" })
  yield* field("plan", "text")
  yield* field("limit", "number")
  const subscription = yield* webhooks.subscribe()
  const call = (store?: Call["store"]): Call => ({
    type: "call_webhook",
    url: erp,
    webhook_id: subscription.webhookId,
    ...(store !== undefined && { store })
  })
  return { subscription, call }
})

const json = (body: unknown, status = 200) => ({
  status,
  headers: { "content-type": "application/json" },
  body: typeof body === "string" ? body : JSON.stringify(body)
})

/** Returns the outcomes of the actions of a message's run. */
const outcomesOf = (signalId: string | null) =>
  Effect.map(acme.runOf(signalId), ({ actions }) => actions.map(({ outcome, reason }) => `${outcome}: ${reason}`))

/** Receives a mail, and makes all due calls. */
const handle = Effect.fnUntraced(function* (id = "first@customer.example") {
  const accepted = yield* acme.handleMail({ id, body: id })
  yield* workCalls
  return { ...accepted, outcomes: yield* outcomesOf(accepted.signalId) }
})

/** Tests calls of webhooks by rules, on a store. */
export const callWebhookSuite = (name: string, store: StoreLayer): void => {
  const scene = scenesOn(store)

  describe(`a webhook that a rule calls on ${name}`, () => {
    scene("gets a signed request with the records, and its response is stored in fields", ({ receivers }) =>
      Effect.gen(function* () {
        const { call, subscription } = yield* open
        yield* setRules(rule(call({ plan: "/customer/plan", limit: "/limits/0" })))
        receivers.answer(erp, () => json({ customer: { plan: "Gold" }, limits: [2_500], "": 1 }))
        const { contactId, leadId, messageId, outcomes, signalId } = yield* handle()
        assert.deepStrictEqual(outcomes, ["done: called: status 200; stored plan, limit"])
        assert.deepStrictEqual((yield* acme.contactOf(contactId)).customFields, { plan: "Gold", limit: 2_500 })
        const [got, ...more] = receivers.got
        assert.deepStrictEqual(more, [])
        const { body, headers, url } = present(got)
        const id = `${present(signalId)}:0`
        assert.deepStrictEqual([url, headers["webhook-id"], headers["x-webhook-event"]], [erp, id, "rule.webhook_call"])
        const at = Number(headers["webhook-timestamp"])
        assert.strictEqual(headers["webhook-signature"], signStandardWebhook(subscription.shown, id, at, body))
        const { data, ...envelope } = readCall(body)
        assert.deepInclude(envelope, { event_id: id, event_type: "rule.webhook_call", tenant_id: "acme" })
        assert.deepInclude(data, { rule_id: "ask", rule_name: "Ask the ERP", trigger: "message_received" })
        assert.deepInclude(data["contact"], { contact_id: contactId, email: "jo@customer.example" })
        assert.deepInclude(data["lead"], { lead_id: leadId })
        assert.deepInclude(data["message"], {
          message_id: messageId,
          subject: "A roof",
          text: "first@customer.example"
        })
      })
    )

    scene("is called once by two workers, and again with the same id after a crash", ({ receivers }) =>
      Effect.gen(function* () {
        const { call } = yield* open
        yield* setRules(rule(call({ plan: "/plan" })))
        let plans = 0
        receivers.answer(erp, () => json({ plan: `Plan ${++plans}` }))
        const { contactId } = yield* acme.handleMail()
        const { claim } = yield* WebhookCalls
        const now = yield* Clock.currentTimeMillis
        const [lost] = yield* claim(1, now, now + 1)
        yield* Effect.all([workCalls, workCalls], { concurrency: 2 })
        assert.strictEqual(receivers.got.length, 0)
        yield* TestClock.adjust("1 second")
        yield* Effect.all([workCalls, workCalls], { concurrency: 2 })
        // The worker with the expired claim gets a response, which has no effect.
        yield* runCall(present(lost))
        assert.strictEqual(new Set(receivers.got.map(({ headers }) => headers["webhook-id"])).size, 1)
        assert.deepStrictEqual((yield* acme.contactOf(contactId)).customFields, { plan: "Plan 1" })
        assert.strictEqual(yield* workDueCalls(), 0)
      })
    )

    scene("keeps the fields whose values do not suit them, and says why", ({ receivers }) =>
      Effect.gen(function* () {
        const { call } = yield* open
        yield* setRules(rule({ type: "set_field", field: "limit", value: 7 }))
        const { contactId } = yield* handle()
        yield* setRules(rule(call({ limit: "/limit", plan: "/plan" })))
        const outcome = Effect.fnUntraced(function* (id: string, answer: ReturnType<typeof json>) {
          receivers.answer(erp, () => answer)
          const { outcomes } = yield* handle(id)
          return [outcomes.join(), (yield* acme.contactOf(contactId)).customFields] as const
        })
        assert.deepStrictEqual(yield* outcome("one@x.example", json({ limit: "many", plan: "Gold" })), [
          "failed: called: status 200; stored plan; not stored: limit: Expected a number.",
          { limit: 7, plan: "Gold" }
        ])
        const kept = { limit: 7, plan: "Gold" }
        const without = "failed: called: status 200; not stored: limit: "
        assert.deepStrictEqual(yield* outcome("two@x.example", json({ limit: { n: 1 }, plan: null })), [
          "failed: called: status 200; stored plan; not stored: limit: /limit is an object or a list of other values",
          { limit: 7 }
        ])
        yield* outcome("three@x.example", json({ limit: 7, plan: "Gold" }))
        assert.deepStrictEqual(yield* outcome("four@x.example", json("<html>")), [
          `${without}the response is not JSON; not stored: plan: the response is not JSON`,
          kept
        ])
        const long = json({ plan: "x".repeat(maxCallResponseBytes) })
        assert.include((yield* outcome("five@x.example", long))[0], "the response exceeds 64 KiB")
        const inherited = json(`{"__proto__":{"plan":"Free"},"limit":[]}`)
        assert.include((yield* outcome("six@x.example", inherited))[0], "plan: the response has no /plan")
        yield* setRules(rule(call({ plan: "/plan", limit: "/limit" })))
        assert.deepStrictEqual(yield* outcome("seven@x.example", json({ limit: "many", plan: "Silver" })), [
          "failed: called: status 200; stored plan; not stored: limit: Expected a number.",
          // The empty list before has removed the limit, as in other changes of fields.
          { plan: "Silver" }
        ])
      })
    )

    scene("is retried by the schedule of deliveries, and then fails with the next step", ({ receivers }) =>
      Effect.gen(function* () {
        const { call } = yield* open
        yield* setRules(rule(call()))
        receivers.answer(erp, () => 503)
        const { outcomes, signalId } = yield* handle()
        assert.match(
          outcomes.join(),
          /^done: queued until .*: attempt 1 of 7 failed: The receiver responded with status 503\.$/u
        )
        for (const wait of retryWaits) {
          yield* TestClock.adjust(`${Math.ceil(wait * 1.3)} millis`)
          yield* workCalls
        }
        assert.strictEqual(receivers.got.length, retryWaits.length + 1)
        assert.strictEqual(new Set(receivers.got.map(({ headers }) => headers["webhook-id"])).size, 1)
        assert.match(
          (yield* outcomesOf(signalId)).join(),
          /^failed: The receiver responded with status 503\. Attempts: 7\. Correct/u
        )
        receivers.answer(erp, () => "dead")
        assert.include((yield* handle("two@x.example")).outcomes.join(), "attempt 1 of 7 failed: Nobody answers there.")
        receivers.answer(erp, () => 204)
        yield* TestClock.adjust("10 seconds")
        yield* workCalls
        assert.strictEqual(yield* workDueCalls(), 0)
      })
    )

    scene("is not called if its secret is gone, and waits for the limit of the tenant", ({ receivers }) =>
      Effect.gen(function* () {
        const { call, subscription } = yield* open
        yield* setRules(rule(call()))
        const { consume } = yield* RateLimits
        const limit = { limit: maxCallsPerHour, windowMillis: 3_600_000 }
        const now = yield* Clock.currentTimeMillis
        while ((yield* consume("acme", "webhook_calls", limit, now)).allowed);
        const { outcomes, signalId } = yield* handle()
        assert.match(outcomes.join(), /^done: queued until .*: the limit of 1000 calls per hour$/u)
        assert.strictEqual(receivers.got.length, 0)
        yield* TestClock.adjust("1 hour")
        yield* workCalls
        assert.deepStrictEqual(yield* outcomesOf(signalId), ["done: called: status 204"])
        yield* deleteSubscription("acme", subscription.webhookId)
        assert.deepStrictEqual((yield* handle("two@x.example")).outcomes, [
          "failed: The webhook whose secret signs the call was deleted. Name another one in the rule."
        ])
        assert.strictEqual(receivers.got.length, 1)
      })
    )

    scene("of a rule with a trigger stores its response without a loop", ({ receivers }) =>
      Effect.gen(function* () {
        const { call } = yield* open
        const { contactId } = yield* acme.handleMail()
        const watching: Rule = rule(call({ plan: "/plan" }), {
          id: "watch",
          trigger: { type: "field_changed", field: "plan" }
        })
        const tagged: Rule = rule(call({ plan: "/plan" }), { trigger: { type: "tag_added", tag: "vip" } })
        yield* setRules(tagged, watching)
        let plans = 0
        receivers.answer(erp, () => json({ plan: `Plan ${++plans}` }))
        yield* tagContact("acme", contactId, ["vip"])
        yield* Effect.all([work, workCalls, work, workCalls])
        assert.deepStrictEqual((yield* acme.contactOf(contactId)).customFields, { plan: "Plan 1" })
        const [run, ...others] = yield* listed()
        assert.deepStrictEqual(others, [])
        assert.deepStrictEqual(
          present(run).actions.map(({ reason }) => reason),
          ["called: status 200; stored plan"]
        )
        const { data } = readCall(present(receivers.got[0]).body)
        assert.deepInclude(data, { trigger: "tag_added", trigger_run_id: present(run).triggerRunId, message: null })
        assert.deepStrictEqual(data["change"], { field: "tags", from: null, to: "vip" })
      })
    )

    scene("is named and not called in a dry run", ({ receivers }) =>
      Effect.gen(function* () {
        const { call } = yield* open
        yield* setRules(rule(call()))
        const { wanted } = yield* dryRun({ tenant: yield* (yield* Tenants).get("acme"), request })
        assert.deepStrictEqual(
          wanted.map(({ action }) => action),
          [call()]
        )
        yield* workCalls
        assert.deepStrictEqual(receivers.got, [])
      })
    )

    scene("is rejected with a private URL, an unknown field, a wrong pointer, too often, and in macros", () =>
      Effect.gen(function* () {
        const { call } = yield* open
        const pathsOf = (first: Action, ...others: ReadonlyArray<Action>) =>
          Effect.map(Effect.flip(setRules({ ...rule(first), actions: [first, ...others] })), (error) =>
            error._tag === "ConfigInvalid" ? error.issues.map(({ path }) => path) : [error._tag]
          )
        const at = "rules.0.actions.0"
        for (const url of [
          "http://erp.example",
          "https://127.0.0.1/",
          "https://localhost/",
          "https://a:b@erp.example",
          "ftp://x"
        ])
          assert.deepStrictEqual([url, yield* pathsOf({ ...call(), url })], [url, [`${at}.url`]])
        assert.deepStrictEqual(yield* pathsOf(call({ nothing: "/a" })), [`${at}.store.nothing`])
        assert.deepStrictEqual(yield* pathsOf(call({ plan: "a/b" })), [`${at}.store.plan`])
        assert.deepStrictEqual(yield* pathsOf(call(), call(), call(), call()), ["rules.0.actions.3.type"])
        const macro = yield* Effect.flip(createMacro("acme", { name: "Ask", actions: [call()] }))
        assert.strictEqual(macro._tag, "MacroInvalid")
      })
    )
  })
}
