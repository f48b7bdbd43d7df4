// Messages of external voice assistants (Vapi, Retell): verification and conversion to `AssistantMessage`. The tools
// themselves are in `core/workflow/assistant`. Tests: `packages/connectors/test/assistant`.
import {
  type AssistantCall,
  type AssistantMessage,
  type AssistantReport,
  maxIdLength,
  oneLine,
  type ToolAnswer,
  type ToolCall
} from "@leadloom/core/internal/domain/assistant/ToolCall"
import { Option, Schema } from "effect"
import { listOf, maybe } from "../provider/Lenient.ts"
import { present } from "../provider/Present.ts"

const Customer = Schema.Struct({ number: maybe(Schema.String) })
const AnyObject = Schema.Record(Schema.String, Schema.Unknown)
/** Vapi's SDK types declare a string, but actual requests contain an object. */
const Arguments = maybe(Schema.Union([Schema.String, AnyObject]))

/** A tool call. Vapi documents the field `function`. Older assistants send `name` and `parameters` instead. */
const Tool = Schema.Struct({
  id: maybe(Schema.String),
  toolCallId: maybe(Schema.String),
  name: maybe(Schema.String),
  parameters: Arguments,
  arguments: Arguments,
  function: maybe(Schema.Struct({ name: maybe(Schema.String), arguments: Arguments, parameters: Arguments }))
})

/** A tool definition with its call. */
const Wrapped = Schema.Struct({ name: maybe(Schema.String), toolCall: maybe(Tool) })

const Message = Schema.Struct({
  type: Schema.String,
  toolCallList: listOf(Tool),
  toolCalls: listOf(Tool),
  toolWithToolCallList: listOf(Wrapped),
  call: maybe(
    Schema.Struct({
      id: maybe(Schema.String),
      type: maybe(Schema.String),
      customer: maybe(Customer),
      phoneNumber: maybe(Customer)
    })
  ),
  customer: maybe(Customer),
  phoneNumber: maybe(Customer),
  startedAt: maybe(Schema.String),
  endedAt: maybe(Schema.String),
  transcript: maybe(Schema.String),
  summary: maybe(Schema.String),
  artifact: maybe(Schema.Struct({ transcript: maybe(Schema.String) })),
  analysis: maybe(Schema.Struct({ summary: maybe(Schema.String) }))
})

const Envelope = Schema.Struct({ message: Message })

type MessageJson = typeof Message.Type
type ToolJson = typeof Tool.Type

const isObject = Schema.is(AnyObject)

/** Returns the arguments from a JSON string or an object. Unreadable arguments count as no arguments. */
const argsOf = (given: string | Readonly<Record<string, unknown>> | null | undefined): ToolCall["args"] => {
  if (typeof given !== "string") return given ?? {}
  try {
    const parsed: unknown = JSON.parse(given)
    return isObject(parsed) ? parsed : {}
  } catch {
    return {}
  }
}

const callOf = ({ call, customer }: MessageJson): AssistantCall => ({
  platform: "vapi",
  callId: call?.id?.slice(0, maxIdLength) ?? null,
  direction: call?.type === "outboundPhoneCall" ? "outbound" : "inbound",
  number: customer?.number ?? call?.customer?.number ?? null
})

/** One tool call, with the id that the result must repeat. */
export interface VapiToolCall extends ToolCall {
  readonly toolCallId: string
}

const toolOf = (callId: string, name: string | null, json: ToolJson): ReadonlyArray<VapiToolCall> => {
  const toolCallId = json.id ?? json.toolCallId ?? ""
  // Vapi matches a result to its tool call by this id.
  if (toolCallId === "") return []
  const { arguments: args, function: called, parameters } = json
  return [
    {
      toolCallId,
      // The language model chooses the id of a tool call. Some models count from one in every telephone call, so the id
      // of the telephone call is added.
      answerId: `vapi:${callId}:${toolCallId.slice(0, maxIdLength)}`,
      name: called?.name ?? json.name ?? name ?? "",
      args: argsOf(called?.arguments ?? called?.parameters ?? args ?? parameters)
    }
  ]
}

/** Returns each tool call of a message once. Several lists of a message may contain the same call. */
const toolsOf = (message: MessageJson): ReadonlyArray<VapiToolCall> => {
  const callId = callOf(message).callId ?? ""
  const listed = [...present(message.toolCallList), ...present(message.toolCalls)]
  const plain = listed.flatMap((json) => toolOf(callId, null, json))
  const wrapped = present(message.toolWithToolCallList).flatMap(({ name, toolCall }) =>
    toolCall === null || toolCall === undefined ? [] : toolOf(callId, name ?? null, toolCall)
  )
  const byId = new Map<string, VapiToolCall>()
  for (const tool of [...plain, ...wrapped]) if (!byId.has(tool.toolCallId)) byId.set(tool.toolCallId, tool)
  return [...byId.values()].slice(0, 20)
}

const timeOf = (text: string | null | undefined): number | null => {
  const millis = Date.parse(text ?? "")
  return Number.isNaN(millis) ? null : millis
}

const reportOf = (message: MessageJson, callId: string): AssistantReport => ({
  call: { ...callOf(message), callId },
  ownNumber: message.phoneNumber?.number ?? message.call?.phoneNumber?.number ?? null,
  startedAt: timeOf(message.startedAt),
  endedAt: timeOf(message.endedAt),
  transcript: message.artifact?.transcript ?? message.transcript ?? "",
  summary: message.analysis?.summary ?? message.summary ?? null
})

/** A message to Vapi's server URL. Each tool call has the id that its result must repeat. */
export type VapiMessage =
  | Exclude<AssistantMessage, { readonly _tag: "ToolCalls" }>
  | { readonly _tag: "ToolCalls"; readonly call: AssistantCall; readonly tools: ReadonlyArray<VapiToolCall> }

/** Reads a message of Vapi. Returns null for any other content. Never throws. */
export const readVapi = (json: unknown): VapiMessage | null => {
  const envelope = Option.getOrNull(Schema.decodeUnknownOption(Envelope)(json))
  if (envelope === null) return null
  const { message } = envelope
  if (message.type === "tool-calls") return { _tag: "ToolCalls", call: callOf(message), tools: toolsOf(message) }
  const callId = callOf(message).callId ?? ""
  return message.type === "end-of-call-report" && callId !== ""
    ? { _tag: "CallEnded", report: reportOf(message, callId) }
    : { _tag: "Ignored", type: oneLine(message.type).slice(0, 60) }
}

/** Returns the result of one tool call on a single line, as Vapi expects. The language model reads an error as text. */
export const vapiResult = (
  { name, toolCallId }: VapiToolCall,
  answer: ToolAnswer | { readonly error: string }
): Readonly<Record<string, string>> =>
  "error" in answer ? { toolCallId, name, error: oneLine(answer.error) } : { toolCallId, name, result: answer.text }
