import { Effect } from "effect"
import { acceptMessage } from "../intake/AcceptMessage.ts"
import { plainInbound } from "../intake/Inbound.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { identifyCaller } from "../contact/ResolveCaller.ts"
import { argument, type AssistantCall, said, type ToolCall, ToolRefused } from "../../domain/assistant/ToolCall.ts"

/** Returns further information from the arguments of a tool call. It is stored as metadata of the message. */
const detailsOf = ({ args }: ToolCall): Readonly<Record<string, string>> => {
  const names = ["name", "email", "phone", "company", "urgency", "budget", "location"]
  const found = names.flatMap((name) => {
    const value = argument(args, name)
    return value === null ? [] : [[name, value.slice(0, 500)] as const]
  })
  return Object.fromEntries(found)
}

/**
 * Stores the caller's request as a message from the caller, and queues it for the pipeline. The message joins a recent
 * open lead or opens a new one. Runs inside a unit of work.
 */
export const ingestRequest = Effect.fnUntraced(function* (
  tenant: Tenant,
  call: AssistantCall,
  tool: ToolCall,
  now: number
) {
  const { args } = tool
  const body = argument(args, "message", "summary", "request", "notes", "reason", "description")
  if (body === null) return yield* new ToolRefused({ reason: "Say in `message` what the caller wants." })
  const caller = yield* identifyCaller(tenant, call, args)
  if (caller.identities.length === 0)
    return yield* new ToolRefused({ reason: "The caller's number is hidden: ask for a phone number or an email." })
  const ingested = yield* acceptMessage(
    {
      ...plainInbound,
      tenant,
      channel: "voice",
      source: call.platform,
      actor: "contact",
      ...caller,
      body,
      subject: argument(args, "subject", "topic")?.slice(0, 200) ?? null,
      metadata: { assistant: { call_id: call.callId, tool: tool.name, ...detailsOf(tool) } },
      timestamp: now,
      dedupKeys: [`assistant:${tool.answerId}`],
      pipeline: "queue"
    },
    now
  )
  return said("The request has been noted. Somebody will get back to the caller.", { lead_id: ingested.leadId })
})
