import { Effect } from "effect"
import { ingestMessage } from "../intake/AcceptMessage.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { identifyCaller } from "../contact/ResolveCaller.ts"
import { argument, type AssistantCall, said, type ToolCall, ToolRefused } from "../../domain/assistant/ToolCall.ts"

/** What the arguments say beyond the words themselves, kept beside the message. */
const detailsOf = ({ args }: ToolCall): Readonly<Record<string, string>> => {
  const names = ["name", "email", "phone", "company", "urgency", "budget", "location"]
  const found = names.flatMap((name) => {
    const value = argument(args, name)
    return value === null ? [] : [[name, value.slice(0, 500)] as const]
  })
  return Object.fromEntries(found)
}

/**
 * Writes down what a caller wants, as a message of the caller's: it joins the open lead of the last days or opens one,
 * and the pipeline looks at it. Runs inside a unit of work.
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
  const ingested = yield* ingestMessage(
    {
      tenant,
      channel: "voice",
      source: call.platform,
      actor: "contact",
      auto: null,
      delivery: null,
      ...caller,
      body,
      quotedText: null,
      subject: argument(args, "subject", "topic")?.slice(0, 200) ?? null,
      mail: null,
      flags: [],
      metadata: { assistant: { call_id: call.callId, tool: tool.name, ...detailsOf(tool) } },
      timestamp: now,
      dedupKeys: [`assistant:${tool.answerId}`],
      pipeline: "queue",
      detail: null
    },
    now
  )
  return said("The request has been noted. Somebody will get back to the caller.", { lead_id: ingested.leadId })
})
