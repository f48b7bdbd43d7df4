import { Clock, Effect } from "effect"
import { Classifier } from "../../port/provider/Classifier.ts"
import { Ids } from "../../port/system/Ids.ts"
import { ReplyWriter } from "../../port/provider/ReplyWriter.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { mayUseModel } from "../../domain/classification/Model.ts"
import { CompiledConfigs } from "../../domain/tenant/CompiledConfigs.ts"
import { factsOfRun } from "./DecideRun.ts"
import { gatherRun } from "./GatherRun.ts"
import { type PipelineInput, subjectOfInput } from "../intake/PipelineInput.ts"
import { nothingRecorded } from "../../domain/run/Recordings.ts"
import type { RunReply, RunResult, WeighedReply } from "../../domain/run/Run.ts"
import { withSpan } from "../WithSpan.ts"

const replyOf = (written: WeighedReply | null): RunReply | null =>
  written === null || written.outcome === "block"
    ? null
    : { text: written.text, channel: written.channel, requiresApproval: true }

/**
 * Returns the result that the pipeline would have for a message, and the facts that its rules compared. Stores and sends nothing, but counts the model calls,
 * because they cost money.
 */
export const dryRun = Effect.fnUntraced(function* (input: {
  readonly tenant: Tenant
  readonly request: PipelineInput
}) {
  const configured = mayUseModel(input.tenant, yield* Classifier) && mayUseModel(input.tenant, yield* ReplyWriter)
  const subject = yield* subjectOfInput(input.tenant, input.request, yield* Clock.currentTimeMillis, configured)
  const modelPolicy = { signalId: null, contactId: null, mayDelay: false }
  // `RunDelayed` cannot occur: with `mayDelay` false, a run does not wait for an unavailable model.
  const gathered = yield* gatherRun(subject, nothingRecorded, modelPolicy).pipe(
    Effect.catchTag("RunDelayed", Effect.die)
  )
  const { overBudget: _over, question: _question, replyFacts: _facts, wanted, ...decision } = gathered.decision
  const actions = wanted.map(({ action, ruleId }) => ({
    type: action.type,
    ruleId,
    outcome: "skipped" as const,
    reason: "a dry run has no effects"
  }))
  const result: RunResult = { ...decision, actions, reply: replyOf(decision.written) }
  const facts = factsOfRun(subject, yield* (yield* CompiledConfigs).of(input.tenant), result)
  return { facts, signalId: yield* (yield* Ids).next("sig"), result }
}, withSpan("dryRun"))
