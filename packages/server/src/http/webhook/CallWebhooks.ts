import {
  identifyCaller,
  readDial,
  readLeg,
  readRecordingEvent,
  type Form
} from "@leadloom/connectors/internal/twilio/CallEvent"
import {
  answerTwiml,
  emptyTwiml,
  hangUpTwiml,
  rejectTwiml,
  twilioPath
} from "@leadloom/connectors/internal/twilio/CallTwiml"
import { twilio } from "@leadloom/connectors/internal/twilio/TwilioVoice"
import { beginInboundCall } from "@leadloom/core/internal/workflow/call/BeginInboundCall"
import type { CallReport } from "@leadloom/core/internal/domain/call/CallReport"
import { applyCallReport, applyRecordingReport } from "@leadloom/core/internal/workflow/call/ApplyCallReport"
import { Calls } from "@leadloom/core/internal/port/repository/conversation/Calls"
import { PhoneNumbers } from "@leadloom/core/internal/port/repository/contact/PhoneNumbers"
import { Tenants } from "@leadloom/core/internal/port/repository/tenant/Tenants"
import { Clock, Effect } from "effect"
import { HttpRouter } from "effect/http"
import type { Route } from "../middleware/Methods.ts"
import { fromTwilio, twimlResponse, type TwilioRequest } from "./TwilioSigned.ts"

const paths = {
  voice: `${twilioPath}/voice`,
  status: `${twilioPath}/call-status`,
  dialed: `${twilioPath}/dialed`,
  recording: `${twilioPath}/recording`
} as const

/** Routes for calls. They are outside the contract, because the provider defines their formats. */
export const callRoutes: ReadonlyArray<Route> = [
  ["POST", paths.voice, "twilio.call"],
  ["POST", paths.status, "twilio.callStatus"],
  ["POST", paths.dialed, "twilio.dialed"],
  ["POST", paths.recording, "twilio.recording"]
]

const nothing = twimlResponse(emptyTwiml)

/** Returns the tenant of a called number; null if the number is unknown or the tenant is archived. */
const tenantOf = Effect.fnUntraced(function* (number: string) {
  const holder = yield* (yield* PhoneNumbers).find(number)
  if (holder === null) return null
  return yield* (yield* Tenants)
    .get(holder.tenantId)
    .pipe(Effect.catchTag("TenantNotFound", () => Effect.succeed(null)))
})

/**
 * Handles an inbound call and returns the instructions for it. A repeated event for the same call receives the same
 * instructions.
 */
const receiveCall = Effect.fnUntraced(function* ({ form, publicUrl }: TwilioRequest) {
  const { CallSid: providerCallId = "", To: to = "" } = form
  const tenant = yield* tenantOf(to)
  if (tenant === null || providerCallId === "") return twimlResponse(rejectTwiml)
  const call = yield* beginInboundCall(tenant, { provider: twilio, providerCallId, from: identifyCaller(form), to })
  if (call === null) return twimlResponse(rejectTwiml)
  const { forwardTo, greeting } = tenant.config.voice
  const { callId, tenantId } = call
  const place = { publicUrl, tenantId, callId }
  const record = call.recording === "wanted"
  const connection = { place, callerId: to, record, leg: "agent", end: "dial" } as const
  return twimlResponse(answerTwiml(greeting, forwardTo === null ? null : { ...connection, to: forwardTo }))
})

const report = Effect.fnUntraced(function* (tenantId: string, callId: string, reported: CallReport, form: Form) {
  const providerEventId = [callId, reported.about, reported.legId ?? form["CallSid"] ?? "", reported.status].join(":")
  return yield* applyCallReport({ tenantId, callId, provider: twilio, providerEventId }, reported).pipe(
    Effect.catchTag("TenantNotFound", () => Effect.succeed(null))
  )
})

/**
 * Finds the call of a status event by the query. If the callback is configured at Twilio and has no query, finds the
 * call by the called number.
 */
const callMeant = Effect.fnUntraced(function* ({ form, query }: TwilioRequest) {
  const [tenantId, callId] = [query.get("tenant"), query.get("call")]
  if (tenantId !== null && callId !== null)
    return { tenantId, callId, about: query.get("about") === "agent" ? ("agent" as const) : ("contact" as const) }
  const tenant = yield* tenantOf(form["To"] ?? "")
  if (tenant === null) return null
  const call = yield* (yield* Calls).ofProvider(tenant.tenantId, twilio, form["CallSid"] ?? "")
  return call === null ? null : { tenantId: call.tenantId, callId: call.callId, about: "contact" as const }
})

const receiveStatus = Effect.fnUntraced(function* (request: TwilioRequest) {
  const meant = yield* callMeant(request)
  const reported = meant === null ? null : readLeg(request.form, meant.about, yield* Clock.currentTimeMillis)
  if (meant !== null && reported !== null) yield* report(meant.tenantId, meant.callId, reported, request.form)
  return nothing
})

const receiveDialResult = Effect.fnUntraced(function* ({ form, query }: TwilioRequest) {
  const about = query.get("about") === "transfer" ? "transfer" : "dial"
  const reported = readDial(form, about, yield* Clock.currentTimeMillis)
  if (reported !== null) yield* report(query.get("tenant") ?? "", query.get("call") ?? "", reported, form)
  return twimlResponse(hangUpTwiml)
})

const receiveRecording = Effect.fnUntraced(function* ({ form, query }: TwilioRequest) {
  const reported = readRecordingEvent(form)
  const [tenantId, callId] = [query.get("tenant"), query.get("call")]
  if (reported === null || tenantId === null || callId === null) return nothing
  const providerEventId = `${reported.recordingId}:${reported.state}`
  yield* applyRecordingReport({ tenantId, callId, provider: twilio, providerEventId }, reported)
  return nothing
})

/** Routes for Twilio's call events. */
export const layer = HttpRouter.use((router) =>
  Effect.gen(function* () {
    yield* router.add("POST", paths.voice, fromTwilio(receiveCall))
    yield* router.add("POST", paths.status, fromTwilio(receiveStatus))
    yield* router.add("POST", paths.dialed, fromTwilio(receiveDialResult))
    yield* router.add("POST", paths.recording, fromTwilio(receiveRecording))
  })
)
