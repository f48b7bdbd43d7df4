/**
 * Places, receives and transfers telephone calls, and follows them until they end. The rules for the status of a call
 * do not belong here (`domain/call`). Requests to the provider use the port `VoiceProvider`. Tests:
 * `packages/testkit/src/suite/call`, `packages/core/test/domain/call`.
 */
import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"
import { Clock, Effect } from "effect"
import { requireUnmergedContact } from "../contact/ResolveMergedContact.ts"
import { parsePhoneMemoized } from "../../domain/address/Phone.ts"
import { resolveCaller } from "../contact/ResolveCaller.ts"
import { IdempotencyConflict, IdempotencyInProgress, sendKeyMillis } from "../../domain/sending/Reservation.ts"
import type { Clearance } from "../../domain/consent/Clearance.ts"
import { describeReason } from "../../domain/reason/Reason.ts"
import { maySend } from "../../domain/consent/MaySend.ts"
import { readCallSendContext } from "../sending/NumberSendContext.ts"
import { Calls } from "../../port/repository/conversation/Calls.ts"
import { Ids } from "../../port/system/Ids.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { type CallToPlace, VoiceProvider } from "../../port/provider/VoiceProvider.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { type Call, CallNotAllowed, CallRequestInvalid, CallTooEarly } from "../../domain/call/Call.ts"
import { refused } from "../../domain/provider/ProviderFailure.ts"
import { handOverCall } from "./HandOverCall.ts"
import { newCall } from "../../domain/call/NewCall.ts"
import { scheduleSettleCall } from "./SettleCall.ts"
import { withSpan } from "../WithSpan.ts"

/** A request for an outbound call. */
export interface CallOrder {
  readonly tenant: Tenant
  /** The person to call: a contact, who is called at its own number, or a number, whose contact is found or created. */
  readonly whom: { readonly contactId: string } | { readonly phone: string }
  /** The phone of the agent; null selects `voice.forward_to` of the configuration. */
  readonly agentPhone: string | null
  /** True to record the call. Null selects the tenant's setting. */
  readonly record: boolean | null
  readonly requestedBy: string
  /** The client's idempotency key with the principal as prefix. Null when the request has none. */
  readonly idempotencyKey: string | null
}

/** The time after which a placed call without a response from the provider becomes `unknown`. */
export const settleMillis = 120_000

/**
 * FROZEN as long as idempotency keys with such fingerprints are valid. Returns the fingerprint of a request for a call.
 */
const fingerprintOf = ({ agentPhone, record, whom }: CallOrder): string =>
  bytesToHex(sha256(utf8ToBytes(JSON.stringify({ whom, agentPhone, record }))))

/** Returns the earlier call with this idempotency key. If the key has expired, releases it and returns null. */
const earlier = Effect.fnUntraced(function* (order: CallOrder, key: string | null, now: number) {
  const calls = yield* Calls
  const found = key === null ? null : yield* calls.ofKey(order.tenant.tenantId, key)
  if (found === null) return null
  if (found.startedAt <= now - sendKeyMillis) {
    yield* calls.update({ ...found, requestKey: null })
    return null
  }
  if (found.fingerprint !== fingerprintOf(order)) return yield* new IdempotencyConflict()
  const handed = found.status === "queued" && found.providerCallId === null
  if (handed && now - found.startedAt < settleMillis) return yield* new IdempotencyInProgress()
  return found
})

const numberIn = ({ config }: Tenant, field: string, text: string) => {
  const number = parsePhoneMemoized(text, config.defaultCountry)
  return number === null
    ? Effect.fail(
        new CallRequestInvalid({
          field,
          message: "Invalid phone number. Send it in E.164 format, such as +15551234567."
        })
      )
    : Effect.succeed(number)
}

/** Returns the contact to call, and the number. */
const calledBy = Effect.fnUntraced(function* ({ tenant, whom }: CallOrder, now: number) {
  const { tenantId } = tenant
  if ("contactId" in whom) return { contact: yield* requireUnmergedContact(tenantId, whom.contactId) }
  const phone = yield* numberIn(tenant, "phone", whom.phone)
  const profile = { name: null, email: null, company: null, phone }
  const contact = yield* resolveCaller(tenantId, { identities: [{ kind: "phone", value: phone }], profile }, now)
  return { contact, recipient: phone }
})

const agentOf = Effect.fnUntraced(function* ({ agentPhone, tenant }: CallOrder) {
  if (agentPhone !== null) return yield* numberIn(tenant, "agent_phone", agentPhone)
  const message = "The agent's phone is missing. Send `agent_phone`, or set `voice.forward_to` in the configuration."
  return tenant.config.voice.forwardTo ?? (yield* new CallRequestInvalid({ field: "agent_phone", message }))
})

/** Decides with `maySend` whether the call is allowed, and returns its numbers. */
const clear = Effect.fnUntraced(function* (order: CallOrder, now: number) {
  const { tenant } = order
  const who = yield* calledBy(order, now)
  const sendContext = yield* readCallSendContext({ tenant, by: "person", now, ...who })
  const verdict = maySend(sendContext)
  if (verdict._tag === "Defer")
    return yield* new CallTooEarly({ until: verdict.until, reason: describeReason(verdict.reason) })
  const { recipient, sender } = sendContext
  if (verdict._tag === "Deny" || recipient === null || sender === null)
    return yield* new CallNotAllowed({
      reasons: verdict._tag === "Deny" ? verdict.reasons.map((one) => describeReason(one)) : []
    })
  const agentPhone = yield* agentOf(order)
  if (agentPhone === recipient)
    return yield* new CallRequestInvalid({
      field: "agent_phone",
      message: "This is the contact's own number. Send the number of the agent."
    })
  return { contact: who.contact, to: recipient, from: sender, agentPhone, clearance: verdict.clearance }
})

/** The result of the unit of work that precedes the call. */
interface Reserved {
  readonly call: Call
  /** The request to the provider. Null when an earlier request with the same key has already placed the call. */
  readonly placing: { readonly order: CallToPlace; readonly clearance: Clearance } | null
}

const reserve = Effect.fnUntraced(function* (order: CallOrder) {
  const { record, requestedBy, tenant } = order
  const { tenantId } = tenant
  const now = yield* Clock.currentTimeMillis
  const requestKey = order.idempotencyKey
  const before = yield* earlier(order, requestKey, now)
  if (before !== null) return { call: before, placing: null } satisfies Reserved
  const { agentPhone, clearance, contact, from, to } = yield* clear(order, now)
  const recorded = record ?? tenant.config.voice.record
  const call = newCall({
    callId: yield* (yield* Ids).next("call"),
    tenantId,
    contactId: contact.contactId,
    provider: (yield* VoiceProvider).name,
    direction: "outbound",
    fromNumber: from,
    toNumber: to,
    agentPhone,
    status: "queued",
    startedAt: now,
    recording: recorded ? "wanted" : "none",
    requestedBy,
    requestKey,
    fingerprint: requestKey === null ? null : fingerprintOf(order)
  })
  yield* (yield* Calls).insert(call)
  yield* scheduleSettleCall(call, now + settleMillis)
  const { callId } = call
  const placing = { order: { tenantId, callId, from, agentPhone, to, record: recorded }, clearance }
  return { call, placing } satisfies Reserved
})

/**
 * Calls a contact: the agent's phone rings first, then the contact's. The call is stored before a telephone rings, and
 * it is dialled only once. If the provider's response is lost, the call becomes `unknown` and is not dialled again.
 * Requests with the same key return the same call.
 */
export const placeCall = Effect.fnUntraced(
  function* (order: CallOrder) {
    const reserved: Reserved = yield* (yield* Transactions).atomically(order.tenant.tenantId, reserve(order))
    const { call, placing } = reserved
    if (placing !== null) return { call: yield* handOverCall(call, placing.order, placing.clearance), replayed: false }
    if (call.status === "failed" && call.providerCallId === null) return yield* refused("voice", call.reason ?? "")
    return { call, replayed: true }
  },
  Effect.uninterruptible,
  withSpan("placeCall")
)
