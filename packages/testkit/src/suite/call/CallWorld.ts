import { kindOf } from "../../FailureKind.ts"
import type { CallReport } from "@leadloom/core/internal/domain/call/CallReport"
import type { CallOrder } from "@leadloom/core/internal/workflow/call/PlaceCall"
import { applyCallReport } from "@leadloom/core/internal/workflow/call/ApplyCallReport"
import { createContact } from "@leadloom/core/internal/workflow/contact/CreateContact"
import { defaultVoice } from "@leadloom/core/internal/domain/tenant/TenantConfig"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { acme, jane, start } from "../Scene.ts"

/** The number of the agent. */
export const agent = "+15550100002"

/** 11:00 in Jane's time zone. */
export const day = start + 7 * 3_600_000

/** Creates a tenant with a number and the contact Jane. Returns an order for a call to Jane. */
export const open = Effect.fnUntraced(function* () {
  const voice = { ...defaultVoice, forwardTo: agent, record: true }
  const tenant = yield* acme.open({ timeZone: "America/New_York", voice })
  yield* acme.connectPhone
  const contact = yield* createContact("acme", { name: "Jane", phone: jane })
  yield* TestClock.setTime(day)
  const order: CallOrder = {
    tenant,
    whom: { contactId: contact.contactId },
    agentPhone: null,
    record: null,
    requestedBy: "kim",
    idempotencyKey: null
  }
  return { tenant, contact, order }
})

let eventCount = 0
/** A provider event that was not received before. */
export const providerEvent = (callId: string) => ({
  tenantId: "acme",
  callId,
  provider: "memory",
  providerEventId: `n${++eventCount}`
})

/** Reports the state of a leg, as the provider does. */
export const report = (
  callId: string,
  about: CallReport["about"],
  status: CallReport["status"],
  more: Partial<CallReport> = {}
) => applyCallReport(providerEvent(callId), { about, status, legId: null, durationSeconds: null, at: day, ...more })

/** A query for all calls. */
export const all = { contactId: null, status: null, direction: null }

/** Returns the text of each message in a conversation. */
export const bodiesOf = (contactId: string) =>
  Effect.map(acme.messagesOf(contactId), (messages) =>
    messages.map(({ actor, body, channel }) => `${channel} ${actor}: ${body}`)
  )

/** Returns the tag of an effect's error. */

export const tagOf = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), kindOf)
