import { Clock, Effect } from "effect"
import { Classifier } from "../../port/provider/Classifier.ts"
import { Ids } from "../../port/system/Ids.ts"
import { ReplyWriter } from "../../port/provider/ReplyWriter.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import type { Classification } from "../../domain/classification/Classification.ts"
import { mayUseModel } from "../../domain/classification/Model.ts"
import { makeBudget, runLimits } from "../../domain/budget/Budget.ts"
import { messageRulesOf, type Rule } from "../../domain/rule/Rule.ts"
import { CompiledConfigs, compileConfig } from "../../domain/tenant/CompiledConfigs.ts"
import { checkConfig } from "../tenant/CheckConfig.ts"
import { checkFieldsInRules, ConfigInvalid } from "../tenant/SaveConfig.ts"
import { factsOfRun } from "./DecideRun.ts"
import { explainRules } from "./ExplainRun.ts"
import { gatherRun } from "./GatherRun.ts"
import { type PipelineInput, subjectOfInput } from "../intake/PipelineInput.ts"
import { nothingRecorded, type Recordings } from "../../domain/run/Recordings.ts"
import type { RunReply, RunResult, WeighedReply } from "../../domain/run/Run.ts"
import { withSpan } from "../WithSpan.ts"

/** Returns the reply of a decision that has no effects; null if none was written or a guardrail blocks it. */
export const replyOf = (written: WeighedReply | null): RunReply | null =>
  written === null || written.outcome === "block"
    ? null
    : { text: written.text, channel: written.channel, requiresApproval: true }

/** A message to try, and the change to try with it. */
interface Trial {
  readonly tenant: Tenant
  readonly request: PipelineInput
  /** The rules that replace those of the configuration. Null: no change. */
  readonly rules?: ReadonlyArray<Rule> | null
  /** An earlier answer of the model. With it, no model is called. */
  readonly classification?: Classification | null
}

/** Returns the tenant with the proposed rules. Fails if a configuration with these rules could not be saved. */
export const withRules = Effect.fnUntraced(function* (tenant: Tenant, rules: ReadonlyArray<Rule>) {
  const config = { ...tenant.config, rules }
  const issues = [...(yield* checkConfig(config)), ...(yield* checkFieldsInRules(tenant.tenantId, config))]
  if (issues.length > 0) return yield* new ConfigInvalid({ issues })
  return { ...tenant, config }
})

const recordingsOf = (classification: Classification | null): Recordings =>
  classification === null
    ? nothingRecorded
    : {
        ...nothingRecorded,
        classification: {
          outcome: "answered",
          value: classification,
          use: { model: "an earlier answer", calls: 0, inputTokens: 0, outputTokens: 0 }
        }
      }

/**
 * Returns the result that the pipeline would have for a message, the facts that its rules compared, the result of each
 * rule, and the requested actions. Stores and sends nothing, but counts the model calls, because they cost money.
 */
export const dryRun = Effect.fnUntraced(function* ({
  classification = null,
  request,
  rules = null,
  tenant: of
}: Trial) {
  const tenant = rules === null ? of : yield* withRules(of, rules)
  const mayAsk = mayUseModel(tenant, yield* Classifier) && mayUseModel(tenant, yield* ReplyWriter)
  const now = yield* Clock.currentTimeMillis
  const compiled = rules === null ? yield* (yield* CompiledConfigs).of(tenant) : compileConfig(tenant.config)
  // The shared cache knows a configuration by its version, which proposed rules do not have. In the cache, they would
  // decide messages.
  const configs = CompiledConfigs.of({ of: () => Effect.succeed(compiled) })
  const subject = yield* subjectOfInput(tenant, request, now, mayAsk && classification === null).pipe(
    Effect.provideService(CompiledConfigs, configs)
  )
  const modelPolicy = { signalId: null, contactId: null, mayDelay: false }
  // `RunDelayed` cannot occur: with `mayDelay` false, a run does not wait for an unavailable model.
  const gathered = yield* gatherRun(subject, recordingsOf(classification), modelPolicy).pipe(
    Effect.catchTag("RunDelayed", Effect.die),
    Effect.provideService(CompiledConfigs, configs)
  )
  const { overBudget, question: _question, replyFacts: _facts, wanted, ...decision } = gathered.decision
  const actions = wanted.map(({ action, ruleId }) => ({
    type: action.type,
    ruleId,
    outcome: "skipped" as const,
    reason: "a dry run has no effects"
  }))
  const result: RunResult = { ...decision, actions, reply: replyOf(decision.written) }
  const facts = factsOfRun(subject, compiled, result)
  const stories = yield* explainRules(messageRulesOf(tenant.config.rules), facts, makeBudget(runLimits))
  return { facts, stories, signalId: yield* (yield* Ids).next("sig"), result, wanted, overBudget }
}, withSpan("dryRun"))
