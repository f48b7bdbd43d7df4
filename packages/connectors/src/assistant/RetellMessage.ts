import {
  type AssistantCall,
  type AssistantMessage,
  maxIdLength,
  oneLine
} from "@leadloom/core/internal/domain/assistant/ToolCall"
import { Option, Schema } from "effect"
import { createHash } from "node:crypto"
import { maybe } from "../provider/Lenient.ts"

const Call = Schema.Struct({
  call_id: maybe(Schema.String),
  direction: maybe(Schema.String),
  from_number: maybe(Schema.String),
  to_number: maybe(Schema.String),
  start_timestamp: maybe(Schema.Finite),
  end_timestamp: maybe(Schema.Finite),
  transcript: maybe(Schema.String),
  call_analysis: maybe(Schema.Struct({ call_summary: maybe(Schema.String) }))
})

/** A custom function call or a webhook event. Retell signs both in the same way. */
const Body = Schema.Struct({
  name: maybe(Schema.String),
  args: maybe(Schema.Record(Schema.String, Schema.Unknown)),
  event: maybe(Schema.String),
  call: maybe(Call)
})

type CallJson = typeof Call.Type

/** Returns a time in whole milliseconds, or null for a missing or invalid time. */
const timeOf = (millis: number | null | undefined): number | null => {
  const time = new Date(millis ?? Number.NaN).getTime()
  return Number.isNaN(time) ? null : time
}

const callOf = (call: CallJson | null | undefined): AssistantCall => {
  const outbound = call?.direction === "outbound"
  return {
    platform: "retell",
    callId: call?.call_id?.slice(0, maxIdLength) ?? null,
    direction: outbound ? "outbound" : "inbound",
    number: (outbound ? call?.to_number : call?.from_number) ?? null
  }
}

/**
 * Retell sends no request id. The id therefore consists of the call, the function and its arguments, so that a
 * repetition in the same call has the same id. Nested arguments are left out: no tool reads them, and deep nesting
 * could overflow the stack in `JSON.stringify`.
 */
const answerIdOf = (callId: string, name: string, args: Readonly<Record<string, unknown>>): string => {
  const plain = Object.fromEntries(Object.entries(args).filter(([, value]) => typeof value !== "object"))
  return `retell:${createHash("sha256")
    .update(JSON.stringify([callId, name, plain]))
    .digest("hex")}`
}

/** Reads a message of Retell. Returns null for any other content. Never throws. */
export const readRetell = (json: unknown): AssistantMessage | null => {
  const body = Option.getOrNull(Schema.decodeUnknownOption(Body)(json))
  if (body === null) return null
  const { args, event, name } = body
  const call = callOf(body.call)
  const callId = call.callId ?? ""
  if (event) {
    if (event !== "call_ended" || callId === "") return { _tag: "Ignored", type: oneLine(event).slice(0, 60) }
    const { call_analysis, end_timestamp, start_timestamp, transcript } = body.call ?? {}
    const own = call.direction === "outbound" ? body.call?.from_number : body.call?.to_number
    return {
      _tag: "CallEnded",
      report: {
        call: { ...call, callId },
        ownNumber: own ?? null,
        startedAt: timeOf(start_timestamp),
        endedAt: timeOf(end_timestamp),
        transcript: transcript ?? "",
        summary: call_analysis?.call_summary ?? null
      }
    }
  }
  if (!name) return null
  return {
    _tag: "ToolCalls",
    call,
    tools: [{ answerId: answerIdOf(callId, name, args ?? {}), name, args: args ?? {} }]
  }
}
