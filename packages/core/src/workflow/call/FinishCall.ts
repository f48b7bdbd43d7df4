import { Clock, Effect } from "effect"
import { nextCallback } from "../../domain/assistant/CallbackTime.ts"
import { type Call, isOver } from "../../domain/call/Call.ts"
import { afterReport, type CallReport } from "../../domain/call/CallReport.ts"
import { callBody, callLine } from "../../domain/call/CallWords.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { wallClock } from "../../domain/time/WallClock.ts"
import { Calls } from "../../port/repository/conversation/Calls.ts"
import { Ids } from "../../port/system/Ids.ts"
import { acceptMessage } from "../intake/AcceptMessage.ts"
import { plainInbound } from "../intake/Inbound.ts"
import { addTask } from "../task/OpenTask.ts"

/** The transcript of a call and its summary. */
export interface SpokenContent {
  readonly transcript: string
  readonly summary: string | null
}

const nothingSaid: SpokenContent = { transcript: "", summary: null }

const isMissed = ({ direction, status }: Call): boolean => direction === "inbound" && status !== "completed"

/** Creates a task to call back after a missed call, due within the tenant's callback hours. */
const requestCallback = Effect.fnUntraced(function* ({ config, tenantId }: Tenant, call: Call, now: number) {
  const { callbackHours, missedCallTask } = config.voice
  if (!missedCallTask || !isMissed(call) || call.fromNumber === null) return
  yield* addTask({
    taskId: yield* (yield* Ids).next("task"),
    tenantId,
    type: "callback",
    title: `Call back ${call.fromNumber}: missed call`,
    contactId: call.contactId,
    leadId: call.leadId,
    signalId: null,
    dueAt: nextCallback(callbackHours, wallClock(config.timeZone), now) ?? now,
    createdAt: now
  })
})

const identitiesOf = ({ direction, fromNumber, toNumber }: Call) => {
  const number = direction === "inbound" ? fromNumber : toNumber
  return number === null ? [] : [{ kind: "phone" as const, value: number }]
}

/**
 * Writes a finished call into its conversation: a message, a signal for an inbound call, and a task for a missed call.
 * Each is written only once. Runs inside the unit of work that ends the call. Returns the stored call.
 */
export const finishCall = Effect.fnUntraced(function* (tenant: Tenant, over: Call, now: number, said = nothingSaid) {
  const phone = identitiesOf(over)
  const inbound = over.direction === "inbound"
  const accepted = yield* acceptMessage(
    {
      ...plainInbound,
      tenant,
      channel: "voice",
      source: over.provider,
      actor: inbound ? "contact" : "agent",
      contactId: over.contactId,
      identities: phone,
      profile: { name: null, email: null, phone: phone[0]?.value ?? null, company: null },
      body: callBody(over, said.summary, said.transcript),
      metadata: {
        call: { call_id: over.callId, direction: over.direction, status: over.status, line: callLine(over) },
        // Rules compare values, and not the parts of an object.
        call_status: over.status
      },
      timestamp: Math.min(over.startedAt, now),
      dedupKeys: [`call:${over.callId}`],
      pipeline: inbound ? "queue" : "none"
    },
    now
  )
  const kept: Call = {
    ...over,
    contactId: accepted.contactId ?? over.contactId,
    leadId: accepted.leadId ?? over.leadId,
    messageId: accepted.messageId
  }
  yield* (yield* Calls).update(kept)
  yield* requestCallback(tenant, kept, now)
  return kept
})

/**
 * Applies reports of a call in order. When the call ends, also writes its message, its signal and, for a missed call, a
 * task. Runs inside a unit of work. Returns the stored call.
 */
export const applyReports = Effect.fnUntraced(function* (
  tenant: Tenant,
  call: Call,
  reports: ReadonlyArray<CallReport>
) {
  const now = yield* Clock.currentTimeMillis
  const after = reports.reduce((known, report) => afterReport(known, report) ?? known, call)
  if (after === call) return call
  const next: Call = { ...after, updatedAt: now }
  if (isOver(next) && next.messageId === null) return yield* finishCall(tenant, next, now)
  yield* (yield* Calls).update(next)
  return next
})
