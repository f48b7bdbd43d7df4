import { Clock, Effect } from "effect"
import { Assistants } from "../../port/repository/tenant/Assistants.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { bookCallback } from "./BookCallback.ts"
import { lookupContact } from "./LookupContact.ts"
import { ingestRequest } from "./IngestRequest.ts"
import {
  type AssistantCall,
  type ToolCall,
  type ToolName,
  toolNames,
  ToolRefused
} from "../../domain/assistant/ToolCall.ts"

/** For how long the same request gets the same answer. Platforms repeat within minutes. */
export const answerRetentionMillis = 86_400_000

/** Old answers that go with each new one: more go than come, so that they never pile up. */
const forgottenAtOnce = 20

const act = (
  name: Exclude<ToolName, "lookup_contact">,
  tenant: Tenant,
  call: AssistantCall,
  tool: ToolCall,
  now: number
) => (name === "create_lead" ? ingestRequest(tenant, call, tool, now) : bookCallback(tenant, call, tool, now))

/** Does what is asked for once, whoever repeats it, in one unit of work with the answer that is kept. */
const once = Effect.fnUntraced(function* (
  name: Exclude<ToolName, "lookup_contact">,
  tenant: Tenant,
  call: AssistantCall,
  tool: ToolCall
) {
  const { tenantId } = tenant
  const assistants = yield* Assistants
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const before = yield* assistants.answer(tenantId, tool.answerId)
      if (before !== null) return before
      const now = yield* Clock.currentTimeMillis
      const answer = yield* act(name, tenant, call, tool, now)
      yield* assistants.forget(tenantId, now - answerRetentionMillis, forgottenAtOnce)
      yield* assistants.keepAnswer(tenantId, tool.answerId, answer, now)
      return answer
    })
  )
})

/** Answers one request of a voice assistant. The same request again is answered the same and does nothing more. */
export const answerTool = Effect.fn("answerTool")(function* (tenant: Tenant, call: AssistantCall, tool: ToolCall) {
  const name = toolNames.find((known) => known === tool.name)
  if (name === undefined)
    return yield* new ToolRefused({
      reason: `There is no tool ${tool.name.slice(0, 60)}. Tools: ${toolNames.join(", ")}.`
    })
  if (name === "lookup_contact") return yield* lookupContact(tenant, call)
  return yield* once(name, tenant, call, tool)
})
