import type { CallReport, LegStatus } from "@leadloom/core/domain/call/CallReport"
import type { RecordingReport } from "@leadloom/core/workflow/call/ApplyCallReport"

/** A form as Twilio sends it. Parameters that nobody knows come and go. */
export type Form = Readonly<Record<string, string>>

/** Reads a form; of a name that comes twice the first value. */
export const readForm = (body: Uint8Array): Form => {
  const form = new URLSearchParams(new TextDecoder().decode(body))
  return Object.fromEntries([...form].toReversed())
}

const statuses: Readonly<Record<string, LegStatus>> = {
  queued: "queued",
  initiated: "queued",
  ringing: "ringing",
  "in-progress": "answered",
  answered: "answered",
  completed: "completed",
  busy: "busy",
  "no-answer": "no_answer",
  canceled: "canceled",
  failed: "failed"
}

/** How a leg stands, in a word of Twilio's; null: one that is not known. */
export const legStatusOf = (word: string): LegStatus | null => statuses[word] ?? null

/** A number of seconds as Twilio writes it; null: none. */
export const secondsOf = (text: string | undefined): number | null =>
  text !== undefined && /^\d{1,7}$/u.test(text) ? Number(text) : null

/** What a status callback says of a leg; null: nothing that is known. */
export const readLeg = (form: Form, about: "contact" | "agent", now: number): CallReport | null => {
  const status = legStatusOf(form["CallStatus"] ?? "")
  if (status === null) return null
  return { about, status, legId: form["CallSid"] ?? null, durationSeconds: secondsOf(form["CallDuration"]), at: now }
}

/** What is told when `<Dial>` is over; null: nothing that is known. */
export const readDial = (form: Form, about: "dial" | "transfer", now: number): CallReport | null => {
  const said = form["DialCallStatus"] ?? ""
  const status = said === "answered" ? "completed" : legStatusOf(said)
  if (status === null) return null
  return { about, status, legId: null, durationSeconds: secondsOf(form["DialCallDuration"]), at: now }
}

/** What is told of a recording; null: nothing that matters yet. */
export const readRecordingEvent = (form: Form): RecordingReport | null => {
  const { RecordingDuration: duration, RecordingSid: recordingId, RecordingStatus: status } = form
  if (recordingId === undefined || !/^RE[\da-f]{32}$/iu.test(recordingId)) return null
  if (status !== "completed" && status !== "absent") return null
  return { recordingId, state: status === "completed" ? "ready" : "absent", seconds: secondsOf(duration) }
}

/** Numbers that stand for a caller who hides the own one: letters of words on a keypad. */
const words: ReadonlySet<string> = new Set(["+266696687", "+7378742833", "+2562533", "+8656696", "+86282452253"])

/** Who calls, as the network says; empty where it is hidden. */
export const identifyCaller = ({ From: from = "" }: Form): string => (words.has(from.trim()) ? "" : from.trim())
