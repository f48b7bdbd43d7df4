import { Clock, Effect } from "effect"
import { ReplyWriter } from "../../port/provider/ReplyWriter.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { mayUseModel } from "../../domain/classification/Model.ts"
import { callModel } from "./CallModel.ts"
import { type PipelineInput, subjectOfInput } from "../intake/PipelineInput.ts"
import type { RunReply } from "../../domain/run/Run.ts"
import { withSpan } from "../WithSpan.ts"

/**
 * Generates a reply to a message with the language model. Stores nothing except the tenant's usage: one action, one AI
 * call and its tokens. The reply is neither checked
 * nor sent. The caller decides about it.
 */
export const generateReply = Effect.fnUntraced(function* (input: {
  readonly tenant: Tenant
  readonly request: PipelineInput
}) {
  const { request, tenant } = input
  const now = yield* Clock.currentTimeMillis
  const { contact } = yield* subjectOfInput(tenant, request, now)
  const writer = yield* ReplyWriter
  const { text } = yield* callModel(
    tenant.tenantId,
    mayUseModel(tenant, writer),
    writer.write({
      tenantName: tenant.name,
      assistant: tenant.config.assistant,
      contactName: contact.name,
      channel: request.channel,
      subject: null,
      classification: null,
      conversation: [{ actor: "contact", text: request.message, at: now }]
    })
  )
  const reply: RunReply = { text, channel: request.channel, requiresApproval: true }
  return reply
}, withSpan("generateReply"))
