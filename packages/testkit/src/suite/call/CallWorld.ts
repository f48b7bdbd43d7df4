import { kindOf } from "../../FailureKind.ts"
import * as ProviderFailure from "@leadloom/core/domain/provider/ProviderFailure"
import { inMemoryVoiceProvider, type VoiceRequest } from "../../memory/VoiceProvider.ts"
import { layer } from "@effect/vitest"
import type { CallLegs } from "@leadloom/core/domain/call/CallLegs"
import type { CallReport } from "@leadloom/core/domain/call/CallReport"
import type { CallOrder } from "@leadloom/core/workflow/call/PlaceCall"
import { applyCallReport } from "@leadloom/core/workflow/call/ApplyCallReport"
import { createContact } from "@leadloom/core/workflow/contact/CreateContact"
import { assignNumber } from "@leadloom/core/workflow/tenant/AssignNumber"
import { Messages } from "@leadloom/core/port/repository/conversation/Messages"
import type { CallToPlace, PlacedCall } from "@leadloom/core/port/provider/VoiceProvider"
import { defaultVoice } from "@leadloom/core/domain/tenant/TenantConfig"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { around } from "../Doubles.ts"
import { start, acme } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"

/** The numbers of the contact, of the tenant and of the agent. */
export const jane = "+12125550100"
export const own = "+15550100001"
export const agent = "+15550100002"

/** 11:00 in Jane's time zone. */
export const day = start + 7 * 3_600_000

/** Decides the result of a call that is placed. */
export type Fate = (call: CallToPlace) => PlacedCall | ProviderFailure.ProviderFailure

export const placed: Fate = ({ callId }) => ({ providerCallId: `leg ${callId}`, left: true })

/** The in-memory voice provider: its requests, the result of the next call, and the state of its legs. */
export interface There {
  readonly acts: Array<VoiceRequest>
  fate: Fate
  legs: (leg: string) => CallLegs | ProviderFailure.ProviderFailure
}

/** Creates a tenant with a number and the contact Jane. Returns an order for a call to Jane. */
export const open = Effect.fnUntraced(function* () {
  const voice = { ...defaultVoice, forwardTo: agent, record: true }
  const tenant = yield* acme.open({ timeZone: "America/New_York", voice })
  yield* assignNumber("acme", own, true)
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
  Effect.map(
    Effect.flatMap(Messages, (messages) => messages.ofContact("acme", contactId)),
    (messages) => messages.map(({ actor, body, channel }) => `${channel} ${actor}: ${body}`)
  )

/** Returns the tag of an effect's error. */

export const tagOf = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), kindOf)

type Test = (there: There) => Effect.Effect<void, unknown, Layer.Success<typeof around> | Layer.Success<StoreLayer>>

/** Runs a test of calls on a fresh store. */
export const callScene =
  (store: StoreLayer) =>
  (title: string, test: Test): void => {
    const unknown = () => ProviderFailure.gone("voice", "object", "no such leg")
    const there: There = { acts: [], fate: placed, legs: unknown }
    const provider = inMemoryVoiceProvider(
      there.acts,
      (call) => there.fate(call),
      (leg) => there.legs(leg)
    )
    layer(Layer.mergeAll(Layer.fresh(store), around, provider))("on a fresh store", (it) =>
      it.effect(title, () => test(there))
    )
  }
