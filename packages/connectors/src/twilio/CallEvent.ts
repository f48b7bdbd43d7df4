import type { CallReport, LegStatus } from "@leadloom/core/internal/domain/call/CallReport"
import type { RecordingReport } from "@leadloom/core/internal/workflow/call/ApplyCallReport"

/** A form in a Twilio request. Unknown parameters are ignored. */
export type Form = Readonly<Record<string, string>>

/** Reads a form. If a name is repeated, its first value counts. */
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

/** Maps Twilio's status to that of a leg; null for an unknown status. */
export const legStatusOf = (word: string): LegStatus | null => statuses[word] ?? null

/** Parses a number of seconds; null when it is missing or invalid. */
export const secondsOf = (text: string | undefined): number | null =>
  text !== undefined && /^\d{1,7}$/u.test(text) ? Number(text) : null

/** Reads a status callback of a leg; null for unknown content. */
export const readLeg = (form: Form, about: "contact" | "agent", now: number): CallReport | null => {
  const status = legStatusOf(form["CallStatus"] ?? "")
  if (status === null) return null
  return { about, status, legId: form["CallSid"] ?? null, durationSeconds: secondsOf(form["CallDuration"]), at: now }
}

/** Reads the callback at the end of `<Dial>`; null for unknown content. */
export const readDial = (form: Form, about: "dial" | "transfer", now: number): CallReport | null => {
  const said = form["DialCallStatus"] ?? ""
  const status = said === "answered" ? "completed" : legStatusOf(said)
  if (status === null) return null
  return { about, status, legId: null, durationSeconds: secondsOf(form["DialCallDuration"]), at: now }
}

/** Reads the callback of a recording; null for a callback that has no effect. */
export const readRecordingEvent = (form: Form): RecordingReport | null => {
  const { RecordingDuration: duration, RecordingSid: recordingId, RecordingStatus: status } = form
  if (recordingId === undefined || !/^RE[\da-f]{32}$/iu.test(recordingId)) return null
  if (status !== "completed" && status !== "absent") return null
  return { recordingId, state: status === "completed" ? "ready" : "absent", seconds: secondsOf(duration) }
}

/** The numbers that Twilio sends for a hidden caller. They spell words on a phone keypad. */
const words: ReadonlySet<string> = new Set(["+266696687", "+7378742833", "+2562533", "+8656696", "+86282452253"])

/** Returns the caller's number as reported by the network; empty when it is hidden. */
export const identifyCaller = ({ From: from = "" }: Form): string => (words.has(from.trim()) ? "" : from.trim())
