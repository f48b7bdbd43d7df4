import { type Call, isOver } from "./Call.ts"

/** The greatest length of a stored transcript, in characters. */
export const maxTranscriptLength = 50_000

const lengthOf = (seconds: number): string => {
  const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60]
  return minutes === 0 ? `${rest} s` : `${minutes} min ${rest} s`
}

const endings: Readonly<Record<string, string>> = {
  completed: "answered",
  busy: "busy",
  no_answer: "not answered",
  canceled: "canceled",
  failed: "failed"
}

/** Describes a call in one line for the conversation: `Call, 3 min 12 s, answered`. */
export const callLine = (call: Call): string => {
  const { direction, durationSeconds, status } = call
  if (status === "completed") return `Call, ${lengthOf(durationSeconds ?? 0)}, answered`
  if (direction === "inbound" && isOver(call)) return "Missed call"
  return `Call, ${endings[status] ?? status}`
}

/** Builds the text of the message about a call: its line, then the summary and the transcript if they are known. */
export const callBody = (call: Call, summary: string | null, transcript: string): string =>
  [callLine(call), summary ?? "", transcript.slice(0, maxTranscriptLength)]
    .map((part) => part.toWellFormed().trim())
    .filter((part) => part !== "")
    .join("\n\n")
