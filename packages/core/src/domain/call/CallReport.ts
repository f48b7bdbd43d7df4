import { type Call, type CallStatus, isOver, rankOf } from "./Call.ts"

/** The status of one leg of a call. `answered`: a person is talking on this leg. */
export type LegStatus = "queued" | "ringing" | "answered" | "completed" | "busy" | "no_answer" | "canceled" | "failed"

/**
 * A provider's report of a call. `contact` and `agent`: the report is about the leg of this party. `dial`: it is the
 * result of connecting both parties. `transfer`: it is the result of connecting the contact to another number.
 */
export interface CallReport {
  readonly about: "contact" | "agent" | "dial" | "transfer"
  readonly status: LegStatus
  /** The provider's id of the leg; null if the report concerns no single leg. */
  readonly legId: string | null
  readonly durationSeconds: number | null
  readonly at: number
}

const endings: Readonly<Record<string, CallStatus>> = {
  completed: "completed",
  busy: "busy",
  no_answer: "no_answer",
  canceled: "canceled",
  failed: "failed"
}

/**
 * Returns whether a report concerns the first leg of the call. The first leg is answered before the other party is
 * connected, so its `answered` does not mean that the parties are talking.
 */
const isFirstLeg = ({ direction }: Call, { about }: CallReport): boolean =>
  about === (direction === "inbound" ? "contact" : "agent")

const statusOf = (call: Call, report: CallReport): CallStatus => {
  const { about, status } = report
  if (status === "queued") return "queued"
  if (status === "ringing") return "ringing"
  if (status === "answered") return isFirstLeg(call, report) ? "ringing" : "in_progress"
  const ending = endings[status] ?? "failed"
  // The first leg ended before the parties talked: the call was not connected.
  if (ending === "completed" && isFirstLeg(call, report) && call.answeredAt === null) return "no_answer"
  // The parties have talked, so the call is complete even if the provider reports a leg as busy, unanswered or
  // canceled.
  if (call.answeredAt !== null && ending !== "failed") return "completed"
  return about === "transfer" ? "completed" : ending
}

/**
 * Returns whether a transfer has made a report irrelevant. After a transfer, the call continues without the former
 * agent's leg.
 */
const isReplySuperseded = ({ transferredTo }: Call, { about }: CallReport): boolean =>
  transferredTo !== null && (about === "agent" || about === "dial")

const reasonOf = (call: Call, report: CallReport, status: CallStatus): string | null => {
  if (status === "completed" || rankOf(status) < 3) return call.reason
  const who = report.about === "agent" ? "the agent's phone" : "the contact's phone"
  const said = status.replace("_", " ")
  return call.direction === "inbound" ? `the call was not answered: ${said}` : `${who}: ${said}`
}

const secondsSince = (from: number | null, to: number): number | null =>
  from === null ? null : Math.max(0, Math.round((to - from) / 1_000))

/** Stores the id of the leg in a report with its party. */
const withLeg = (call: Call, report: CallReport): Call => {
  const { about, legId } = report
  if (legId === null) return call
  const contactLeg = about === "contact" ? legId : call.contactLeg
  // If the provider's response to the creation of the call was lost, this report supplies the id of the first leg.
  const providerCallId = isFirstLeg(call, report) ? (call.providerCallId ?? legId) : call.providerCallId
  return contactLeg === call.contactLeg && providerCallId === call.providerCallId
    ? call
    : { ...call, contactLeg, providerCallId }
}

/**
 * Applies a provider's report to a call. Returns null if nothing changes. The result is correct for late and repeated
 * reports, and for reports in any order.
 */
export const afterReport = (call: Call, report: CallReport): Call | null => {
  const named = withLeg(call, report)
  const news = named === call ? null : { ...named, updatedAt: report.at }
  if (isOver(call) || isReplySuperseded(call, report)) return news
  const status = statusOf(call, report)
  if (rankOf(status) <= rankOf(call.status)) return news
  const changed: Call = { ...named, status, reason: reasonOf(call, report, status), updatedAt: report.at }
  if (status === "in_progress") return { ...changed, answeredAt: report.at }
  if (rankOf(status) < 3) return changed
  // The provider may send `completed` before `answered` or without it.
  const reported = report.durationSeconds ?? 0
  const answeredAt = status === "completed" ? (call.answeredAt ?? report.at - reported * 1_000) : call.answeredAt
  const durationSeconds = status === "completed" ? (isFirstLeg(call, report) ? null : report.durationSeconds) : null
  return {
    ...changed,
    answeredAt,
    endedAt: report.at,
    durationSeconds: durationSeconds ?? secondsSince(answeredAt, report.at)
  }
}
