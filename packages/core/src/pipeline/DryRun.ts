import { Clock, Effect } from "effect"
import { Ids } from "../port/Ids.ts"
import type { Tenant } from "../tenant/Tenant.ts"
import { decideRun } from "./DecideRun.ts"
import { type PipelineInput, subjectOfInput } from "./PipelineInput.ts"
import type { RunResult } from "./Run.ts"

/** Shows what the pipeline would do with a message. Nothing is stored, counted or sent. */
export const dryRun = Effect.fn("dryRun")(function* (input: {
  readonly tenant: Tenant
  readonly request: PipelineInput
}) {
  const subject = yield* subjectOfInput(input.tenant, input.request, yield* Clock.currentTimeMillis)
  const { reply, wanted, ...decision } = yield* decideRun(subject)
  const actions = wanted.map(({ action, ruleId }) => ({
    type: action.type,
    ruleId,
    outcome: "skipped" as const,
    reason: "a dry run does nothing"
  }))
  const result: RunResult = {
    ...decision,
    actions,
    reply: reply === null ? null : { text: reply.text, channel: reply.channel, requiresApproval: true }
  }
  return { signalId: yield* (yield* Ids).next("sig"), result }
})
