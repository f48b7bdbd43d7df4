import { inMemoryVoiceProvider, type VoiceRequest } from "../../memory/VoiceProvider.ts"
import { layer } from "@effect/vitest"
import type { CallLegs } from "@leadloom/core/domain/call/CallLegs"
import type { CallReport } from "@leadloom/core/domain/call/CallReport"
import type { CallOrder } from "@leadloom/core/workflow/call/PlaceCall"
import { applyCallReport } from "@leadloom/core/workflow/call/ApplyCallReport"
import { createContact } from "@leadloom/core/workflow/contact/CreateContact"
import { assignNumber } from "@leadloom/core/workflow/tenant/AssignNumber"
import { Messages } from "@leadloom/core/port/repository/conversation/Messages"
import {
  type CallToPlace,
  type PlacedCall,
  type VoiceFailure,
  VoiceGone
} from "@leadloom/core/port/provider/VoiceProvider"
import { defaultVoice } from "@leadloom/core/domain/tenant/TenantConfig"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { around, openTenant, start, type StoreLayer } from "../World.ts"

/** Whom the tenant calls, the number of the tenant, and who speaks for it. */
export const jane = "+12125550100"
export const own = "+15550100001"
export const agent = "+15550100002"

/** Eleven in the morning at Jane's place. */
export const day = start + 7 * 3_600_000

/** What becomes of a call that is to be placed. */
export type Fate = (call: CallToPlace) => PlacedCall | VoiceFailure

export const placed: Fate = ({ callId }) => ({ providerCallId: `leg ${callId}`, left: true })

/** What the provider did, what becomes of the next call, and how a leg stands there. */
export interface There {
  readonly acts: Array<VoiceRequest>
  fate: Fate
  legs: (leg: string) => CallLegs | VoiceFailure
}

/** A tenant with a number, Jane, and a call to her that can be asked for. */
export const open = Effect.fnUntraced(function* () {
  const voice = { ...defaultVoice, forwardTo: agent, record: true }
  const tenant = yield* openTenant("acme", { timeZone: "America/New_York", voice })
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

let reported = 0
/** Something that the provider tells for the first time. */
export const providerEvent = (callId: string) => ({
  tenantId: "acme",
  callId,
  provider: "memory",
  providerEventId: `n${++reported}`
})

/** The provider tells of a leg. */
export const report = (
  callId: string,
  about: CallReport["about"],
  status: CallReport["status"],
  more: Partial<CallReport> = {}
) => applyCallReport(providerEvent(callId), { about, status, legId: null, durationSeconds: null, at: day, ...more })

/** Every call. */
export const all = { contactId: null, status: null, direction: null }

/** What stands in a conversation, in a line each. */
export const bodiesOf = (contactId: string) =>
  Effect.map(
    Effect.flatMap(Messages, (messages) => messages.ofContact("acme", contactId)),
    (messages) => messages.map(({ actor, body, channel }) => `${channel} ${actor}: ${body}`)
  )

/** How something fails. */
export const tagOf = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), ({ _tag }) => _tag)

type Test = (there: There) => Effect.Effect<void, unknown, Layer.Success<typeof around> | Layer.Success<StoreLayer>>

/** Tells stories of calls, each in a fresh store. */
export const callScene =
  (store: StoreLayer) =>
  (title: string, test: Test): void => {
    const unknown = () => new VoiceGone({ reason: "there is no such leg" })
    const there: There = { acts: [], fate: placed, legs: unknown }
    const provider = inMemoryVoiceProvider(
      there.acts,
      (call) => there.fate(call),
      (leg) => there.legs(leg)
    )
    layer(Layer.mergeAll(Layer.fresh(store), around, provider))(title, (it) => it.effect("holds", () => test(there)))
  }
