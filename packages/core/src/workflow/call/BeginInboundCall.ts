import { Clock, Effect } from "effect"
import { resolveCaller } from "../contact/ResolveCaller.ts"
import { parsePhoneMemoized } from "../../domain/address/Phone.ts"
import { spellingsOf } from "../sending/NumberSendContext.ts"
import { Blocklist } from "../../port/repository/contact/OptOuts.ts"
import { Calls } from "../../port/repository/conversation/Calls.ts"
import { Ids } from "../../port/system/Ids.ts"
import { PhoneNumbers } from "../../port/repository/contact/PhoneNumbers.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { newCall } from "../../domain/call/NewCall.ts"
import { settleAfterMillis, scheduleSettleCall } from "./SettleCall.ts"
import { withSpan } from "../WithSpan.ts"

/** An inbound call as the provider reports it. */
export interface InboundCall {
  readonly provider: string
  readonly providerCallId: string
  /**
   * The caller's number as the network reports it. If the caller hides the number, the text is not a telephone number.
   */
  readonly from: string
  /** The tenant's number in E.164. */
  readonly to: string
}

const begin = Effect.fnUntraced(function* (tenant: Tenant, inbound: InboundCall, from: string | null) {
  const { config, tenantId } = tenant
  const now = yield* Clock.currentTimeMillis
  const identities = from === null ? [] : [{ kind: "phone" as const, value: from }]
  const name = from === null ? "Hidden number" : null
  const profile = { name, email: null, company: null, phone: from }
  const contact = yield* resolveCaller(tenantId, { identities, profile }, now)
  const call = newCall({
    callId: yield* (yield* Ids).next("call"),
    tenantId,
    contactId: contact.contactId,
    provider: inbound.provider,
    providerCallId: inbound.providerCallId,
    contactLeg: inbound.providerCallId,
    direction: "inbound",
    fromNumber: from,
    toNumber: inbound.to,
    agentPhone: config.voice.forwardTo,
    status: "ringing",
    startedAt: now,
    recording: config.voice.record ? "wanted" : "none"
  })
  yield* (yield* Calls).insert(call)
  yield* scheduleSettleCall(call, now + settleAfterMillis)
  return call
})

/**
 * Returns whether a call is rejected. A call is rejected if its number is blocked, or if it comes from one of the
 * tenant's own numbers. Otherwise a call that the server forwards could reach the server again, in a loop.
 */
const isTurnedAway = Effect.fnUntraced(function* (tenantId: string, from: string) {
  if ((yield* (yield* PhoneNumbers).find(from))?.tenantId === tenantId) return true
  return yield* (yield* Blocklist).holds(tenantId, yield* spellingsOf(from))
})

/**
 * Starts an inbound call: finds or creates its contact, and stores the call. A repeated report returns the same call.
 * Returns null, and stores nothing, when the number is blocked or belongs to the tenant.
 */
export const beginInboundCall = Effect.fnUntraced(function* (tenant: Tenant, inbound: InboundCall) {
  const { config, tenantId } = tenant
  const { provider, providerCallId } = inbound
  const from = parsePhoneMemoized(inbound.from, config.defaultCountry)
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const known = yield* (yield* Calls).ofProvider(tenantId, provider, providerCallId)
      if (known !== null) return known
      if (from !== null && (yield* isTurnedAway(tenantId, from))) return null
      return yield* begin(tenant, inbound, from)
    })
  )
}, withSpan("beginInboundCall"))
