import { Clock, Effect } from "effect"
import { contactChangeEvent } from "../../domain/contact/ContactEvent.ts"
import type { Contact } from "../../domain/contact/Contact.ts"
import { maxCallResponseBytes, maxCallsPerHour } from "../../domain/rule/action/CallWebhook.ts"
import { callLeaseMillis, callWindowMillis, type WebhookCall } from "../../domain/rule/action/WebhookCall.ts"
import type { RunAction } from "../../domain/run/Run.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { retryAfterMillis } from "../../domain/time/Retry.ts"
import { DeliveryPolicy, retryWaits, waitAfter } from "../../domain/webhook/Schedule.ts"
import { Contacts } from "../../port/repository/contact/Contacts.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Subscriptions } from "../../port/repository/webhook/Subscriptions.ts"
import { WebhookCalls } from "../../port/repository/webhook/WebhookCalls.ts"
import { Egress, egressTimeoutMillis } from "../../port/system/Egress.ts"
import { RateLimits } from "../../port/system/RateLimits.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { ChangesAreCauses } from "../cause/StoreChanges.ts"
import { resolveMergedContact } from "../contact/ResolveMergedContact.ts"
import { setCustomFields } from "../field/SetCustomFields.ts"
import { signedHeaders } from "../webhook/DeliveryRequest.ts"
import { recordEvents } from "../webhook/Outbox.ts"
import { randomFraction } from "../webhook/RecordAttempts.ts"
import { openSigners, signersAt } from "../webhook/Signers.ts"
import { defaults, type Queue, workOnce } from "../worker/Worker.ts"
import { withSpan } from "../WithSpan.ts"
import { done, skipped } from "./AssignAction.ts"
import { callBody, callType } from "./CallRequest.ts"
import { concludeAction } from "./ConcludeAction.ts"
import { type FoundValue, readCallResponse } from "./ReadCallResponse.ts"

type Outcome = Pick<RunAction, "outcome" | "reason">

const hourMillis = 3_600_000

const failed = (reason: string): Outcome => ({ outcome: "failed", reason })

/** A request that has failed. `status` is null without a response. */
interface Failure {
  readonly reason: string
  readonly status: number | null
  readonly retryAfterMillis: number | null
}

/** Ends a call with an outcome, which is computed in the same unit of work. Has no effect if another worker has claimed the call. */
const end = Effect.fnUntraced(function* <E, R>(call: WebhookCall, outcome: Effect.Effect<Outcome, E, R>) {
  const { request, tenantId } = call
  const unit = Effect.gen(function* () {
    if (!(yield* (yield* WebhookCalls).finish(call))) return
    yield* concludeAction({ tenantId, ...request }, yield* outcome)
  })
  yield* (yield* Transactions).atomically(tenantId, unit)
})

/** Moves a call to a later time, and shows the reason in its run. */
const postpone = Effect.fnUntraced(function* (call: WebhookCall, dueAt: number, tries: number, reason: string) {
  const { request, tenantId } = call
  const unit = Effect.gen(function* () {
    if (!(yield* (yield* WebhookCalls).release(call, dueAt, tries))) return
    const until = new Date(dueAt).toISOString()
    yield* concludeAction({ tenantId, ...request }, done(`queued until ${until}: ${reason}`))
  })
  yield* (yield* Transactions).atomically(tenantId, unit)
})

/** Sets the found values, each for itself: one that does not suit its field prevents no other. */
const setFields = Effect.fnUntraced(function* (contact: Contact, found: ReadonlyArray<FoundValue>) {
  let changed = contact
  const stored: Array<string> = []
  const problems: Array<string> = []
  for (const each of found) {
    if ("problem" in each) {
      problems.push(`${each.field}: ${each.problem}`)
      continue
    }
    const { field, value } = each
    const reason = yield* setCustomFields(changed, "contact", { [field]: value }).pipe(
      Effect.map((after) => {
        changed = after
        return null
      }),
      Effect.catchTag("FieldValueInvalid", (invalid) => Effect.succeed(invalid.reason))
    )
    if (reason === null) stored.push(field)
    else problems.push(`${field}: ${reason}`)
  }
  return { contact: changed, stored, problems }
})

/** Stores the values of a response, and returns the outcome of the action. Runs inside a unit of work. */
const storeValues = Effect.fnUntraced(function* (call: WebhookCall, status: number, found: ReadonlyArray<FoundValue>) {
  const now = yield* Clock.currentTimeMillis
  const contact = yield* resolveMergedContact(call.tenantId, call.request.contactId)
  if (contact === null) return skipped(`called: status ${status}; the contact no longer exists`)
  const { contact: changed, problems, stored } = yield* setFields(contact, found)
  if (JSON.stringify(changed.customFields) !== JSON.stringify(contact.customFields)) {
    const after = { ...changed, updatedAt: now }
    yield* (yield* Contacts).update(after)
    yield* recordEvents([contactChangeEvent(contact, after)], now)
  }
  const called = [`called: status ${status}`, ...(stored.length === 0 ? [] : [`stored ${stored.join(", ")}`])]
  const result = [...called, ...problems.map((problem) => `not stored: ${problem}`)].join("; ").slice(0, 500)
  return problems.length === 0 ? done(result) : failed(result)
})

/** Sends one request. Fails with the reason if no response with a status 2xx arrives. */
const post = Effect.fnUntraced(function* (call: WebhookCall, tenant: Tenant, contact: Contact) {
  const { callId, request, tenantId } = call
  const subscription = yield* (yield* Subscriptions).get(tenantId, request.webhook_id)
  const signers = yield* openSigners(subscription)
  const body = yield* callBody(call, tenant, contact)
  const at = yield* Clock.currentTimeMillis
  const answer = yield* (yield* Egress).post({
    url: request.url,
    headers: signedHeaders(signersAt(signers, at), { id: callId, deliveryId: callId, type: callType, body }, at),
    body,
    timeoutMillis: egressTimeoutMillis,
    maxResponseBytes: maxCallResponseBytes + 1
  })
  return { answer, at }
})

/** Retries a failed request by the schedule of deliveries, or ends the call. */
const retry = Effect.fnUntraced(function* (call: WebhookCall, failure: Failure) {
  const tries = call.tries + 1
  const { mode } = yield* DeliveryPolicy
  const wait = mode === "once" ? null : waitAfter(tries, failure, yield* randomFraction)
  if (wait === null) {
    const next = "Correct the receiver or the rule, then start the rule again or call the receiver yourself."
    return yield* end(call, Effect.succeed(failed(`${failure.reason} Attempts: ${tries}. ${next}`.slice(0, 500))))
  }
  const reason = `attempt ${tries} of ${retryWaits.length + 1} failed: ${failure.reason}`.slice(0, 400)
  yield* postpone(call, (yield* Clock.currentTimeMillis) + wait, tries, reason)
})

const request = Effect.fnUntraced(function* (call: WebhookCall, tenant: Tenant, contact: Contact) {
  const { answer, at } = yield* post(call, tenant, contact)
  const { body, headers, millis, status } = answer
  if (status < 200 || status >= 300) {
    const reason = `The receiver responded with status ${status}.`
    const wanted = retryAfterMillis(headers["retry-after"], at + millis)
    return yield* retry(call, { reason, status, retryAfterMillis: wanted })
  }
  const found = yield* readCallResponse(call.request.store, body)
  // The changes of rules that react to other events than messages cause no runs, so that rules cannot cause each other.
  const storing = Effect.provideService(
    storeValues(call, status, found),
    ChangesAreCauses,
    call.request.signalId !== null
  )
  yield* end(call, storing)
})

/** Returns the time in milliseconds until the hourly limit permits a request; 0 if it does now. */
const limitOf = Effect.fnUntraced(function* ({ tenantId }: WebhookCall, now: number) {
  const rule = { limit: maxCallsPerHour, windowMillis: hourMillis }
  return (yield* (yield* RateLimits).consume(tenantId, "webhook_calls", rule, now)).retryAfterSeconds * 1_000
})

const attempt = Effect.fnUntraced(function* (call: WebhookCall) {
  const { createdAt, tenantId } = call
  const now = yield* Clock.currentTimeMillis
  const tenant = yield* (yield* Tenants).get(tenantId)
  const contact = yield* resolveMergedContact(tenantId, call.request.contactId)
  if (contact === null) return yield* end(call, Effect.succeed(skipped("the contact no longer exists")))
  if ((yield* DeliveryPolicy).mode === "off")
    return yield* end(call, Effect.succeed(skipped("this server sends no webhooks (LEADLOOM_WEBHOOK_DELIVERY=off)")))
  const wait = yield* limitOf(call, now)
  if (wait === 0) return yield* request(call, tenant, contact)
  const reason = `the limit of ${maxCallsPerHour} calls per hour`
  if (now - createdAt >= callWindowMillis) {
    const next = "Use fewer calls, or a narrower condition of the rule."
    return yield* end(call, Effect.succeed(failed(`not called within a day: ${reason}. ${next}`)))
  }
  yield* postpone(call, now + wait, call.tries, reason)
})

const deleted = "The webhook whose secret signs the call was deleted. Name another one in the rule."
const unreadable = "The deployment's secret key cannot decrypt the secret of the webhook. Rotate the secret."

/** Calls the webhook of a claimed call, and stores the result in its run. */
export const runCall = (call: WebhookCall) =>
  attempt(call).pipe(
    Effect.catchTags({
      // The calls of an archived tenant end without an effect.
      TenantNotFound: () => Effect.asVoid(Effect.flatMap(WebhookCalls, (calls) => calls.finish(call))),
      SubscriptionNotFound: () => end(call, Effect.succeed(failed(deleted))),
      UnsealFailed: () => end(call, Effect.succeed(failed(unreadable))),
      EgressRefused: ({ reason }) => end(call, Effect.succeed(failed(`not called: ${reason}`))),
      EgressFailed: ({ reason }) => retry(call, { reason, status: null, retryAfterMillis: null })
    }),
    withSpan("runCall")
  )

/**
 * The queue of calls. It has many slots of its own, so that a slow receiver delays neither other receivers nor jobs. Each
 * tenant gets an even share of a claim.
 */
export const callQueue: Queue<WebhookCall, WebhookCalls | Effect.Services<ReturnType<typeof runCall>>> = {
  ...defaults,
  name: "webhook_calls",
  workers: 1,
  slots: 64,
  batch: 16,
  refill: 1,
  failure: "failed to call a webhook for a rule",
  about: ({ attempts, tenantId }) => ({ tenant: tenantId, attempts }),
  open: Effect.map(WebhookCalls, ({ claim, wait }) => ({
    claim: (limit, now) => claim(limit, now, now + callLeaseMillis),
    run: (call) => Effect.as(runCall(call), null),
    wait
  }))
}

/** Claims due calls and runs them once. Returns the number of these calls. */
export const workDueCalls = () => workOnce(callQueue)
