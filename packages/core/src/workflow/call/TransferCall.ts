import { Clock, Effect } from "effect"
import { parsePhoneMemoized } from "../../domain/address/Phone.ts"
import { describeReason } from "../../domain/reason/Reason.ts"
import { maySend } from "../../domain/consent/MaySend.ts"
import { spellingsOf } from "../sending/NumberSendContext.ts"
import { isOptedOut } from "../../domain/consent/OptOut.ts"
import { senderAmong } from "../../domain/address/PhoneNumber.ts"
import { Blocklist, OptOuts } from "../../port/repository/contact/OptOuts.ts"
import { Calls } from "../../port/repository/conversation/Calls.ts"
import { PhoneNumbers } from "../../port/repository/contact/PhoneNumbers.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { VoiceProvider } from "../../port/provider/VoiceProvider.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import {
  type Call,
  CallNotAllowed,
  CallNotInProgress,
  CallProviderUnavailable,
  CallRequestInvalid
} from "../../domain/call/Call.ts"
import { withSpan } from "../WithSpan.ts"

/** Returns the tenant's number in a call. */
const ownNumber = ({ direction, fromNumber, toNumber }: Call): string | null =>
  direction === "inbound" ? toNumber : fromNumber

/**
 * Decides with `maySend` whether the person who takes over a call may be called. That person is a colleague, so quiet
 * hours do not apply.
 */
const clear = Effect.fnUntraced(function* (tenant: Tenant, call: Call, to: string, now: number) {
  const { hipaa, tenantId } = tenant
  const numbers = yield* (yield* PhoneNumbers).ofTenant(tenantId)
  const sender = ownNumber(call) ?? senderAmong(numbers)
  const spellings = yield* spellingsOf(to)
  const optOuts = yield* (yield* OptOuts).of(tenantId, spellings)
  const verdict = maySend({
    channel: "voice",
    by: "person",
    tenantId,
    hipaa,
    now,
    recipient: to,
    sender,
    optedOut: isOptedOut(optOuts, sender),
    blocked: yield* (yield* Blocklist).holds(tenantId, spellings),
    undeliverable: null,
    override: null,
    quietUntil: null
  })
  if (verdict._tag !== "Allow" || sender === null)
    return yield* new CallNotAllowed({
      reasons: verdict._tag === "Deny" ? verdict.reasons.map((one) => describeReason(one)) : []
    })
  return { clearance: verdict.clearance, from: sender }
})

/**
 * Stores the new agent before the transfer. During the transfer, the former agent's leg ends. If the new agent were not
 * stored, the end of this leg would end the call.
 */
const begin = Effect.fnUntraced(function* (tenant: Tenant, callId: string, text: string) {
  const { config, tenantId } = tenant
  const now = yield* Clock.currentTimeMillis
  const calls = yield* Calls
  const call = yield* calls.get(tenantId, callId)
  const to = parsePhoneMemoized(text, config.defaultCountry)
  if (to === null)
    return yield* new CallRequestInvalid({
      field: "to",
      message: "Invalid phone number. Send it in E.164 format, such as +15551234567."
    })
  const { contactLeg, status } = call
  if (status !== "in_progress" || contactLeg === null) return yield* new CallNotInProgress({ callId, status })
  if (to === (call.direction === "inbound" ? call.fromNumber : call.toNumber))
    return yield* new CallRequestInvalid({
      field: "to",
      message: "This is the contact's own number. Send the number of the new agent."
    })
  const cleared = yield* clear(tenant, call, to, now)
  const passed: Call = { ...call, transferredTo: to, updatedAt: now }
  yield* calls.update(passed)
  return { ...cleared, call, passed, to, leg: contactLeg }
})

/** Restores the former number after a failed transfer, because the former agent is still connected. */
const revertTransfer = Effect.fnUntraced(function* ({ callId, tenantId, transferredTo }: Call, to: string) {
  const calls = yield* Calls
  yield* (yield* Transactions).atomically(
    tenantId,
    calls.get(tenantId, callId).pipe(
      Effect.flatMap((there) => (there.transferredTo === to ? calls.update({ ...there, transferredTo }) : Effect.void)),
      Effect.catchTag("CallNotFound", () => Effect.void)
    )
  )
})

/** Connects the contact of an ongoing call with another person. The former agent leaves the call. */
export const transferCall = Effect.fnUntraced(
  function* (tenant: Tenant, callId: string, text: string) {
    const { tenantId } = tenant
    const { call, clearance, from, leg, passed, to } = yield* (yield* Transactions).atomically(
      tenantId,
      begin(tenant, callId, text)
    )
    const record = call.recording === "wanted"
    const transfer = { tenantId, callId: call.callId, leg, from, to, record }
    return yield* (yield* VoiceProvider).transfer(transfer, clearance).pipe(
      Effect.as(passed),
      // The transfer may have succeeded. The provider's events report the outcome.
      Effect.catchReason("ProviderFailure", "OutcomeUnknown", () => Effect.succeed(passed)),
      Effect.tapError(() => revertTransfer(call, to)),
      Effect.catchReasons("ProviderFailure", {
        Gone: () => Effect.fail(new CallNotInProgress({ callId, status: call.status })),
        Unavailable: ({ detail }) => Effect.fail(new CallProviderUnavailable({ reason: detail }))
      })
    )
  },
  Effect.uninterruptible,
  withSpan("transferCall")
)
