import { Clock, Effect } from "effect"
import { makeBudget, runLimits } from "../../domain/budget/Budget.ts"
import type { Classification } from "../../domain/classification/Classification.ts"
import type { Facts } from "../../domain/rule/Fact.ts"
import { isEnabled, type RequestedAction, type Rule } from "../../domain/rule/Rule.ts"
import { findRule, RuleNotFound } from "../../domain/rule/RuleList.ts"
import { keywordsVersion } from "../../domain/classification/KeywordClassifier.ts"
import { queuedTriggerOf } from "../../domain/rule/Trigger.ts"
import type { ModelNotCalled } from "../../domain/run/Recordings.ts"
import type { RunReply } from "../../domain/run/Run.ts"
import { TaggedError } from "../../domain/TaggedError.ts"
import { CompiledConfigs, compileConfig } from "../../domain/tenant/CompiledConfigs.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { requireUnmergedContact } from "../contact/ResolveMergedContact.ts"
import type { PipelineInput } from "../intake/PipelineInput.ts"
import { decideWith, factsOfRun } from "../pipeline/DecideRun.ts"
import { dryRun, replyOf, withRules } from "../pipeline/DryRun.ts"
import { explainRules, type RuleStory } from "../pipeline/ExplainRun.ts"
import { RunNotReplayable, subjectOfRun } from "../pipeline/ReplayRun.ts"
import { readRun } from "../pipeline/Runs.ts"
import type { ConfigIssue } from "../tenant/CheckConfig.ts"
import { explain, leadOf, readSubject } from "../trigger/ReadFacts.ts"
import { renderTriggerActions } from "../trigger/DecideTrigger.ts"
import { withSpan } from "../WithSpan.ts"

/** The rule cannot be tested in this way. */
export class RuleTestInvalid extends TaggedError("RuleTestInvalid")<{ readonly issues: ReadonlyArray<ConfigIssue> }> {}

/** The rule to test, and the message to test it on. */
export interface RuleTrial {
  /** A rule of the tenant; null: `rule` is tested. */
  readonly ruleId: string | null
  /** A rule that is not saved; null: the rule `ruleId` is tested. */
  readonly rule: Rule | null
  /** A stored message with a run: the id of the message or of its signal; null: `sample` is used. */
  readonly messageId: string | null
  /** A message that is not stored; null: `messageId` is used. */
  readonly sample: PipelineInput | null
  /** A contact, for a rule with another trigger than messages; null: a message is used. */
  readonly contactId: string | null
  /** An earlier answer of the model about the sample. With it, no model is called. */
  readonly classification: Classification | null
}

/** The outcome of a test of one rule. */
export interface RuleTest {
  /** Whether the rule is enabled. The test treats every rule as enabled. */
  readonly enabled: boolean
  readonly story: RuleStory
  readonly facts: Facts
  /** The actions that a run would carry out, with rendered texts. Empty unless the rule matches. */
  readonly actions: ReadonlyArray<RequestedAction>
  /** The reply that the rule requests; null: it requests none, or the reply was not written. */
  readonly reply: RunReply | null
}

const check = ({
  classification,
  contactId,
  messageId,
  rule,
  ruleId,
  sample
}: RuleTrial): ReadonlyArray<ConfigIssue> => {
  const issues: Array<ConfigIssue> = []
  const report = (path: string, message: string) => issues.push({ path, message })
  if ((rule === null) === (ruleId === null))
    report("rule", "Send either a rule as `rule`, or the id of a stored rule as `rule_id`.")
  if (messageId !== null && (sample !== null || classification !== null))
    report("message_id", "A stored message has its own contact and classification. Send `message_id` without them.")
  if (contactId !== null && (messageId !== null || sample !== null || classification !== null))
    report("contact_id", "A rule is tested on a contact or on a message. Send `contact_id` without a message.")
  if (contactId === null && messageId === null && (sample === null || sample.message === ""))
    report("message", "Send the text of a message as `message`, or the id of a stored message as `message_id`.")
  return issues
}

const ruleOf = Effect.fnUntraced(function* ({ config }: Tenant, { contactId, rule, ruleId }: RuleTrial) {
  const found = rule ?? findRule(config.rules, ruleId ?? "")?.rule ?? null
  if (found === null) return yield* new RuleNotFound({ ruleId: ruleId ?? "" })
  const trigger = queuedTriggerOf(found)
  if ((trigger === null) === (contactId === null)) return found
  if (trigger === null) {
    const message = "A rule that reacts to messages is tested on a message. Send `message` or `message_id`."
    return yield* new RuleTestInvalid({ issues: [{ path: "contact_id", message }] })
  }
  const message = `A rule with the trigger ${trigger.type} does not react to messages. Send a contact as \`contact_id\`.`
  return yield* new RuleTestInvalid({ issues: [{ path: rule === null ? "rule_id" : "rule.trigger", message }] })
})

/** The decision of a message for which only the tested rule exists. */
interface Decided {
  readonly facts: Facts
  readonly stories: ReadonlyArray<RuleStory>
  readonly wanted: ReadonlyArray<RequestedAction>
  readonly reply: RunReply | null
}

const onSample = Effect.fnUntraced(function* (tenant: Tenant, rule: Rule, trial: RuleTrial, request: PipelineInput) {
  const { classification } = trial
  const { overBudget, result, ...decided } = yield* dryRun({ tenant, request, rules: [rule], classification })
  if (overBudget !== null) return yield* overBudget
  return { ...decided, reply: result.reply } satisfies Decided as Decided
})

/** Replaces a reply that no run requested. The decision is then complete, and a result of a test has no reply. */
const replyNotRequested: ModelNotCalled = { outcome: "skipped", reason: { code: "model_not_configured" } }

/** Decides a stored message again with its inputs and the model answers of its run. Asks no model. */
const onMessage = Effect.fnUntraced(function* (of: Tenant, rule: Rule, id: string) {
  const { tenantId } = of
  const { config } = yield* withRules(of, [rule])
  const run = yield* readRun(tenantId, id)
  // The time limit of the run is not a property of the message, so the test does not repeat it.
  const { outOfTime: _, ...recorded } = yield* subjectOfRun(of, run)
  const current = { ...recorded.tenant, config, configVersion: of.configVersion }
  // The test predicts decisions about future messages, so it uses the current classifier, as back-tests do.
  const subject = { ...recorded, tenant: current, keywordsVersion }
  const compiled = compileConfig(config)
  const unknown = (what: string) =>
    new RunNotReplayable({
      signalId: run.signalId,
      reason: `It did not record ${what}. Send the text as \`message\` instead.`
    })
  const missing = compiled.recordFacts.find((name) => !Object.hasOwn(subject.recordFacts ?? {}, name))
  if (missing !== undefined) return yield* unknown(missing)
  const recordings = { ...run.recordings, reply: run.recordings.reply ?? replyNotRequested }
  const decision = yield* decideWith(compiled, subject, recordings)
  if (decision.overBudget !== null) return yield* decision.overBudget
  if (decision.question === "classification") return yield* unknown("a classification")
  const facts = factsOfRun(subject, compiled, decision)
  const stories = yield* explainRules([rule], facts, makeBudget(runLimits))
  return { facts, stories, wanted: decision.wanted, reply: replyOf(decision.written) } satisfies Decided as Decided
})

/**
 * Evaluates a rule with a trigger for a contact as it is now, with the code of its runs. Does not check whether the cause
 * of the trigger exists.
 */
const onContact = Effect.fnUntraced(function* (of: Tenant, rule: Rule, contactId: string) {
  const { config } = yield* withRules(of, [rule])
  const now = yield* Clock.currentTimeMillis
  // The cache of compiled configurations knows the current version with its own rules.
  const compiled = CompiledConfigs.of({ of: () => Effect.succeed(compileConfig(config)) })
  const contact = yield* requireUnmergedContact(of.tenantId, contactId)
  const lead = yield* leadOf(of.tenantId, contact.contactId)
  const subject = yield* Effect.provideService(
    readSubject({ tenant: { ...of, config }, rule, contact, lead }, now),
    CompiledConfigs,
    compiled
  )
  const { facts, story } = yield* Effect.provideService(explain(subject, now), CompiledConfigs, compiled)
  const wanted = story?.outcome === "matched" ? yield* renderTriggerActions(subject, now) : []
  const stories = story === null ? [] : [story]
  return { facts, stories, wanted, reply: null } satisfies Decided as Decided
})

const decide = Effect.fnUntraced(function* (tenant: Tenant, rule: Rule, trial: RuleTrial) {
  const { contactId, messageId, sample } = trial
  if (contactId !== null) return yield* onContact(tenant, rule, contactId)
  return sample === null
    ? yield* onMessage(tenant, rule, messageId ?? "")
    : yield* onSample(tenant, rule, trial, sample)
})

/** Converts the path of an issue of the tested rule to a path in the request. */
const inRequest = ({ message, path }: ConfigIssue): ConfigIssue => ({
  path: path.replace(/^rules\.0(?=\.|$)/u, "rule"),
  message
})

/**
 * Tests one rule on one message, or a rule with another trigger on one contact, as if the tenant had no other rule:
 * whether it matches, the comparisons that prevent it, and the actions that a run would carry out. Stores and sends nothing. A sample may call the model, and counts the
 * calls, because they cost money.
 */
export const testRule = Effect.fnUntraced(function* (tenantId: string, trial: RuleTrial) {
  const tenant = yield* (yield* Tenants).get(tenantId)
  const issues = check(trial)
  if (issues.length > 0) return yield* new RuleTestInvalid({ issues })
  const found = yield* ruleOf(tenant, trial)
  const rule: Rule = { ...found, enabled: true }
  const { facts, reply, stories, wanted } = yield* decide(tenant, rule, trial).pipe(
    Effect.catchTag("ConfigInvalid", (invalid) =>
      Effect.fail(new RuleTestInvalid({ issues: invalid.issues.map(inRequest) }))
    )
  )
  const story = stories.find(({ ruleId }) => ruleId === rule.id)
  if (story === undefined) return yield* Effect.die(new Error(`The rule ${rule.id} has no result.`))
  const matched = story.outcome === "matched"
  const asks = matched && rule.actions.some(({ type }) => type === "reply")
  const test: RuleTest = {
    enabled: isEnabled(found),
    story,
    facts,
    actions: matched ? wanted : [],
    reply: asks ? reply : null
  }
  return test
}, withSpan("testRule"))
