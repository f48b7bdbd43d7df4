import { type CallLeg, type CallLegs, isUp } from "@leadloom/core/internal/domain/call/CallLegs"
import { Option, Schema } from "effect"
import { listOf, maybe } from "../provider/Lenient.ts"
import { present } from "../provider/Present.ts"
import { legStatusOf, secondsOf } from "./CallEvent.ts"

/** A call in Twilio's API, which is a leg in ours (https://www.twilio.com/docs/voice/api/call-resource). */
const Leg = Schema.Struct({
  sid: maybe(Schema.String),
  parent_call_sid: maybe(Schema.String),
  status: maybe(Schema.String),
  duration: maybe(Schema.String),
  start_time: maybe(Schema.String),
  end_time: maybe(Schema.String),
  date_updated: maybe(Schema.String)
})
const Page = Schema.Struct({ calls: listOf(Leg) })

/** Parses a time in Twilio's format (RFC 2822); null when it is missing or invalid. */
const timeOf = (text: string | null | undefined): number | null => {
  const time = Date.parse(text ?? "")
  return Number.isNaN(time) ? null : time
}

const legOf = ({ date_updated, duration, end_time, sid, start_time, status }: typeof Leg.Type): CallLeg | null => {
  const stands = legStatusOf(status ?? "")
  if (!sid || stands === null) return null
  // A failed leg has no end time. Its last update is the failure.
  const endedAt = isUp(stands) ? null : (timeOf(end_time) ?? timeOf(date_updated))
  const durationSeconds = stands === "completed" ? secondsOf(duration ?? "") : null
  return { legId: sid, status: stands, startedAt: timeOf(start_time), endedAt, durationSeconds }
}

/** Converts a leg and the legs that were dialled for it; null when the response is invalid. */
export const readLegs = (found: unknown, dialed: unknown): CallLegs | null => {
  const one = Option.getOrNull(Schema.decodeUnknownOption(Leg)(found))
  const page = Option.getOrNull(Schema.decodeUnknownOption(Page)(dialed))
  const leg = one === null ? null : legOf(one)
  if (leg === null || page === null) return null
  const children = present(page.calls).filter(({ parent_call_sid }) => parent_call_sid === leg.legId)
  // Twilio lists the newest leg first.
  return { leg, dialed: children.flatMap((child) => legOf(child) ?? []).toReversed() }
}
