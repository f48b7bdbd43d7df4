/**
 * Carries out the tool calls and call reports of voice assistants, which are external agents. Parsing the formats of
 * their platforms does not belong here (`packages/connectors/src/assistant`). Tests:
 * `packages/testkit/src/suite/intake`, `packages/core/test/domain/assistant`,
 * `packages/server/test/http/conversation/Assistant.test.ts`.
 */
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
import { withSpan } from "../WithSpan.ts"

/**
 * The retention of answers. A repeated tool call gets the same answer within this time. Platforms repeat requests
 * within minutes.
 */
export const answerRetentionMillis = 86_400_000

/**
 * The maximum number of expired answers that are deleted when a new answer is stored. It is greater than one, so that
 * expired answers do not accumulate.
 */
const forgottenAtOnce = 20

const act = (
  name: Exclude<ToolName, "lookup_contact">,
  tenant: Tenant,
  call: AssistantCall,
  tool: ToolCall,
  now: number
) => (name === "create_lead" ? ingestRequest(tenant, call, tool, now) : bookCallback(tenant, call, tool, now))

/**
 * Runs a tool once. Its effect and its answer are stored in one unit of work. A repeated tool call gets the stored
 * answer.
 */
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

/** Answers one tool call of a voice assistant. A repeated call gets the same answer and has no further effect. */
export const answerTool = Effect.fnUntraced(function* (tenant: Tenant, call: AssistantCall, tool: ToolCall) {
  const name = toolNames.find((known) => known === tool.name)
  if (name === undefined)
    return yield* new ToolRefused({
      reason: `Unknown tool ${tool.name.slice(0, 60)}. Use one of: ${toolNames.join(", ")}.`
    })
  if (name === "lookup_contact") return yield* lookupContact(tenant, call)
  return yield* once(name, tenant, call, tool)
}, withSpan("answerTool"))
