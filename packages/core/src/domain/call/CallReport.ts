import { type Call, type CallStatus, isOver, rankOf } from "./Call.ts"

/** What became of one leg of a call. `answered` is a leg on which somebody speaks. */
export type LegStatus = "queued" | "ringing" | "answered" | "completed" | "busy" | "no_answer" | "canceled" | "failed"

/**
 * What a provider tells of a call. `contact` and `agent`: of that one's leg; `dial`: how connecting the two ended;
 * `transfer`: how connecting the contact with somebody else ended.
 */
export interface CallReport {
  readonly about: "contact" | "agent" | "dial" | "transfer"
  readonly status: LegStatus
  /** The provider's id of the leg it is about; null where it is told of no leg of its own. */
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

/** The leg that the call began with: it is up before the two speak, and says nothing of that. */
const isFirstLeg = ({ direction }: Call, { about }: CallReport): boolean =>
  about === (direction === "inbound" ? "contact" : "agent")

const statusOf = (call: Call, report: CallReport): CallStatus => {
  const { about, status } = report
  if (status === "queued") return "queued"
  if (status === "ringing") return "ringing"
  if (status === "answered") return isFirstLeg(call, report) ? "ringing" : "in_progress"
  const ending = endings[status] ?? "failed"
  // A first leg that ends before the two spoke was not put through to anybody.
  if (ending === "completed" && isFirstLeg(call, report) && call.answeredAt === null) return "no_answer"
  // They spoke with each other, whichever way the connection ended.
  if (call.answeredAt !== null && ending !== "failed") return "completed"
  return about === "transfer" ? "completed" : ending
}

/** After a transfer the former agent's leg ends, and the call goes on. */
const isReplySuperseded = ({ transferredTo }: Call, { about }: CallReport): boolean =>
  transferredTo !== null && (about === "agent" || about === "dial")

const reasonOf = (call: Call, report: CallReport, status: CallStatus): string | null => {
  if (status === "completed" || rankOf(status) < 3) return call.reason
  const who = report.about === "agent" ? "the agent's phone" : "the contact's phone"
  const said = status.replace("_", " ")
  return call.direction === "inbound" ? `nobody took the call: ${said}` : `${who}: ${said}`
}

const secondsSince = (from: number | null, to: number): number | null =>
  from === null ? null : Math.max(0, Math.round((to - from) / 1_000))

/** A call with the names of its legs, as far as a report tells them. */
const withLeg = (call: Call, report: CallReport): Call => {
  const { about, legId } = report
  if (legId === null) return call
  const contactLeg = about === "contact" ? legId : call.contactLeg
  // A call whose answer was lost is known again by this.
  const providerCallId = isFirstLeg(call, report) ? (call.providerCallId ?? legId) : call.providerCallId
  return contactLeg === call.contactLeg && providerCallId === call.providerCallId
    ? call
    : { ...call, contactLeg, providerCallId }
}

/** A call after what a provider tells of it. Null: it changes nothing; reports come late, twice and in any order. */
export const afterReport = (call: Call, report: CallReport): Call | null => {
  const named = withLeg(call, report)
  const news = named === call ? null : { ...named, updatedAt: report.at }
  if (isOver(call) || isReplySuperseded(call, report)) return news
  const status = statusOf(call, report)
  if (rankOf(status) <= rankOf(call.status)) return news
  const changed: Call = { ...named, status, reason: reasonOf(call, report, status), updatedAt: report.at }
  if (status === "in_progress") return { ...changed, answeredAt: report.at }
  if (rankOf(status) < 3) return changed
  // `completed` without word of an answer: the report of it is late, or is the only one.
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
