import { Effect, Schema } from "effect"
import { Messages } from "../../port/repository/conversation/Messages.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { compileConfig } from "../../domain/tenant/CompiledConfigs.ts"
import { factsOfRun } from "./DecideRun.ts"
import type { Facts } from "../../domain/rule/Fact.ts"
import { readRun } from "./Runs.ts"
import { subjectOfRun } from "./ReplayRun.ts"
import { isEnabled, messageRulesOf, type Rule, runningOrder } from "../../domain/rule/Rule.ts"
import { type Budget, makeBudget, runLimits, within } from "../../domain/budget/Budget.ts"
import { type Explainer, explainer, Missed } from "../../domain/rule/Why.ts"
import type { Run } from "../../domain/run/Run.ts"
import { withSpan } from "../WithSpan.ts"

/** The outcome of one rule in a run, with its reason. */
export class RuleStory extends Schema.Opaque<RuleStory>()(
  Schema.Struct({
    ruleId: Schema.String.annotate({ description: "The id of the rule" }),
    name: Schema.String.annotate({ description: "The name of the rule" }),
    /** `not_asked`: an earlier rule stopped the others, or the budget for explanations is spent. */
    outcome: Schema.Literals(["matched", "not_matched", "disabled", "not_asked"]).annotate({
      description: "`not_asked`: an earlier rule stopped the others, or the budget for explanations is spent"
    }),
    reason: Schema.String.annotate({ description: "Why the rule matched or did not match" }),
    missedBy: Schema.Array(Missed).annotate({
      description:
        "The rule nearly matched: the opposite result of one of these comparisons would have sufficed; at most 3. Empty: it matched, or more comparisons prevented it"
    })
  })
) {}

const unexplained = "the budget for explanations is spent"

/** Evaluates a rule, and explains the result. Returns null when the budget is spent. */
const judge = ({ holds, missedBy, why }: Explainer, { when }: Rule) =>
  within(() => {
    const held = holds(when)
    return { held, reason: why(when), missedBy: held ? [] : missedBy(when) }
  }).pipe(Effect.catchTag("BudgetExceeded", () => Effect.succeed(null)))

/** Explains each rule for these facts, in the order of evaluation. */
export const explainRules = Effect.fnUntraced(function* (rules: ReadonlyArray<Rule>, facts: Facts, budget: Budget) {
  const requested = explainer(facts, budget)
  const stories: Array<RuleStory> = []
  let stopper: string | null = null
  for (const index of runningOrder(rules)) {
    const rule = rules[index]
    if (rule === undefined) continue
    const { id: ruleId, name } = rule
    const report = (outcome: RuleStory["outcome"], reason: string, missedBy: RuleStory["missedBy"] = []) =>
      stories.push({ ruleId, name, outcome, reason, missedBy })
    if (!isEnabled(rule)) report("disabled", "the rule is disabled")
    else if (stopper !== null) report("not_asked", stopper)
    else {
      const judged = yield* judge(requested, rule)
      if (judged === null) {
        stopper = unexplained
        report("not_asked", stopper)
        continue
      }
      report(judged.held ? "matched" : "not_matched", judged.reason, judged.missedBy)
      if (judged.held && rule.actions.some(({ type }) => type === "stop"))
        stopper = `rule ${ruleId} stopped the rules after it`
      yield* budget.pause
    }
  }
  return stories
})

/** Returns a run with its inputs. Missing records are null. */
const explain = Effect.fnUntraced(function* (tenant: Tenant, run: Run) {
  const message = yield* (yield* Messages).find(tenant.tenantId, run.messageId)
  const subject = yield* subjectOfRun(tenant, run).pipe(Effect.catchTag("RunNotReplayable", () => Effect.succeed(null)))
  if (subject === null) return { run, message, facts: null, rules: null }
  const { config } = subject.tenant
  const facts = factsOfRun(subject, compileConfig(config), run)
  const rules = yield* explainRules(messageRulesOf(config.rules), facts, makeBudget(runLimits))
  return { run, message, facts, rules }
})

/** Explains one run: its inputs, its facts, and for each rule why it matched or did not match. */
export const explainRun = Effect.fnUntraced(function* (tenant: Tenant, id: string) {
  return yield* explain(tenant, yield* readRun(tenant.tenantId, id))
}, withSpan("explainRun"))
