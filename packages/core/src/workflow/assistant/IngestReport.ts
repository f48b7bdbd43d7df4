import { Clock, Effect } from "effect"
import { finishCall } from "../call/FinishCall.ts"
import { newCall } from "../../domain/call/NewCall.ts"
import { parsePhoneMemoized } from "../../domain/address/Phone.ts"
import { Calls } from "../../port/repository/conversation/Calls.ts"
import { Ids } from "../../port/system/Ids.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import type { AssistantReport } from "../../domain/assistant/ToolCall.ts"
import { identifyCaller, resolveCaller } from "../contact/ResolveCaller.ts"
import { withSpan } from "../WithSpan.ts"

const beginCall = Effect.fnUntraced(function* (tenant: Tenant, report: AssistantReport, now: number) {
  const { call, endedAt, ownNumber, startedAt } = report
  const { config, tenantId } = tenant
  const caller = yield* identifyCaller(tenant, call, {})
  const { contactId } = yield* resolveCaller(tenantId, caller, now)
  const own = ownNumber === null ? null : parsePhoneMemoized(ownNumber, config.defaultCountry)
  const ends = Math.min(endedAt ?? now, now)
  const begins = Math.min(startedAt ?? ends, ends)
  const inbound = call.direction === "inbound"
  const whose = caller.profile.phone
  const begun = newCall({
    callId: yield* (yield* Ids).next("call"),
    tenantId,
    contactId,
    provider: call.platform,
    providerCallId: call.callId,
    direction: call.direction,
    fromNumber: inbound ? whose : own,
    toNumber: inbound ? own : whose,
    status: "completed",
    startedAt: begins,
    answeredAt: begins,
    endedAt: ends,
    durationSeconds: Math.round((ends - begins) / 1_000),
    updatedAt: now
  })
  yield* (yield* Calls).insert(begun)
  return begun
})

/**
 * Stores a finished call of a voice assistant with its transcript, as a call and as a message of the conversation. A
 * repeated report has no effect.
 */
export const ingestReport = Effect.fnUntraced(function* (tenant: Tenant, report: AssistantReport) {
  const { callId, platform } = report.call
  const calls = yield* Calls
  yield* (yield* Transactions).atomically(
    tenant.tenantId,
    Effect.gen(function* () {
      if ((yield* calls.ofProvider(tenant.tenantId, platform, callId)) !== null) return
      const now = yield* Clock.currentTimeMillis
      yield* finishCall(tenant, yield* beginCall(tenant, report, now), now, report)
    })
  )
}, withSpan("ingestReport"))
