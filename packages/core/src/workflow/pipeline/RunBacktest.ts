import { Clock, Effect } from "effect"
import { type PastRun, PastRuns } from "../../port/repository/pipeline/Runs.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { checkConfig, type ConfigIssue } from "../tenant/CheckConfig.ts"
import { checkFieldsInRules, ConfigInvalid } from "../tenant/SaveConfig.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import type { TenantConfig } from "../../domain/tenant/TenantConfig.ts"
import { type CompiledConfig, compileConfig } from "../../domain/tenant/CompiledConfigs.ts"
import { newPace, type Pace } from "../../domain/budget/Budget.ts"
import { decideWith, type RunDecision } from "./DecideRun.ts"
import { isEnabled, messageRulesOf } from "../../domain/rule/Rule.ts"
import { subjectOfInputs } from "../../domain/run/RunSubject.ts"
import { decideReply, type ReplyDecision } from "../../domain/reply/DecideReply.ts"
import { type BacktestReport, type Example, makeReport, type Outcome, type ReplyFate } from "../../domain/run/Report.ts"
import { withSpan } from "../WithSpan.ts"
import { keywordsVersion } from "../../domain/classification/KeywordClassifier.ts"

/** A configuration change to test against past runs. */
export interface Backtest {
  /** The new configuration. A part that is null does not change. `rules` and `guardrails` replace those in `config`. */
  readonly config: TenantConfig | null
  readonly rules: TenantConfig["rules"] | null
  readonly guardrails: TenantConfig["guardrails"] | null
  /** The start of the tested period in epoch milliseconds. Older runs are ignored. */
  readonly since: number
  /** The maximum number of tested runs. The newest ones are tested. */
  readonly limit: number
  /** The maximum number of examples for each difference. */
  readonly examples: number
}

export interface BacktestResult extends BacktestReport {
  /**
   * The version with which the change is compared. It is the current version, not the version at the time of each run.
   */
  readonly configVersion: number
  /** The numbers of runs that could not be decided again, by reason. */
  readonly skipped: {
    /** Runs that were stored without their inputs, or without a custom field or company that the rules compare. */
    readonly withoutInputs: number
    /**
     * Runs that need an answer of a model under one of the two configurations, if the model was not asked at the time.
     * A back-test asks no model.
     */
    readonly unasked: number
  }
  /** The times of the oldest and of the newest tested run, in epoch milliseconds. Null when no run was tested. */
  readonly oldest: number | null
  readonly newest: number | null
  /** True when the period contains more runs than the limit. */
  readonly more: boolean
}

/** The number of runs per read. With this number, V8 frees the runs as short-lived objects. */
const pageSize = 50
const excerptLength = 120

const fates: Readonly<Record<ReplyDecision["_tag"], ReplyFate>> = {
  Ignore: "none",
  Render: "none",
  Ask: "none",
  Check: "none",
  Block: "blocked",
  Hold: "held",
  Release: "released",
  Send: "released"
}

const outcomeOf = (decision: RunDecision): Outcome => ({
  intent: decision.classification?.intent ?? null,
  tier: decision.score.tier,
  rules: decision.matchedRules,
  actions: decision.wanted.map(({ action }) => ({
    type: action.type,
    what: action.type === "reply" ? "" : JSON.stringify(action)
  })),
  reply: fates[decideReply(decision.replyFacts)._tag],
  replyText: decision.written?.text ?? null
})

const exampleOf = ({ contactId, message, messageId, signalId }: PastRun): Example => ({
  signalId,
  messageId,
  contactId,
  excerpt: message.body.slice(0, excerptLength)
})

/** Returns whether a run stored all inputs that its decision under these configurations needs. */
export const hasInputs = ({ inputs }: PastRun, sides: ReadonlyArray<Side>): boolean =>
  inputs !== null &&
  sides.every(({ compiled }) => compiled.recordFacts.every((name) => Object.hasOwn(inputs.recordFacts ?? {}, name)))

/** A configuration with which past runs are decided again. */
export interface Side {
  readonly tenant: Tenant
  readonly compiled: CompiledConfig
}

/** Returns a configuration with which past runs are decided again. */
export const sideOf = (tenant: Tenant): Side => ({ tenant, compiled: compileConfig(tenant.config) })

/**
 * Decides a run again under one configuration. Returns null when the decision needs an answer that was not recorded.
 */
export const decideAgain = Effect.fnUntraced(function* ({ compiled, tenant }: Side, run: PastRun, pace: Pace) {
  if (run.inputs === null) return null
  // A back-test predicts decisions about future messages, so it uses the current classifier.
  const subject = { ...subjectOfInputs(tenant, run.message, run.inputs), keywordsVersion }
  const decision = yield* decideWith(compiled, subject, run.recordings, pace)
  return decision.question === null ? decision : null
})

/**
 * Converts the path of an issue to a path in the request. Issues of `rules` and `guardrails` outside `config` have no
 * prefix.
 */
const inRequest =
  ({ config, guardrails, rules }: Backtest) =>
  ({ message, path }: ConfigIssue): ConfigIssue => {
    const beside =
      (rules !== null && path.startsWith("rules")) || (guardrails !== null && path.startsWith("guardrails"))
    return { message, path: config === null || beside ? path : `config.${path}` }
  }

/**
 * Decides past runs again, under the current configuration and under the changed one. Stores nothing and has no
 * effects. Uses the recorded model answers. Because both sides are decided again, only the tested change causes
 * differences, not a change of the configuration since the run.
 */
export const runBacktest = Effect.fnUntraced(function* (tenantId: string, backtest: Backtest) {
  const tenant = yield* (yield* Tenants).get(tenantId)
  const base = backtest.config ?? tenant.config
  const config: TenantConfig = {
    ...base,
    rules: backtest.rules ?? base.rules,
    guardrails: backtest.guardrails ?? base.guardrails
  }
  const issues = [...(yield* checkConfig(config)), ...(yield* checkFieldsInRules(tenantId, config))]
  if (issues.length > 0) return yield* new ConfigInvalid({ issues: issues.map(inRequest(backtest)) })
  const [before, after] = [sideOf(tenant), sideOf({ ...tenant, config })]
  const report = makeReport(
    backtest.examples,
    messageRulesOf([...tenant.config.rules, ...config.rules])
      .filter(isEnabled)
      .map(({ id, name }) => ({ ruleId: id, name }))
  )
  const past = yield* PastRuns
  const skipped = { withoutInputs: 0, unasked: 0 }
  const pace = newPace()
  let cursor: string | null = null
  let [oldest, newest]: [number | null, number | null] = [null, null]
  let left = backtest.limit
  let more = false
  for (let ended = false; !ended;) {
    const page: ReadonlyArray<PastRun> = yield* past.page(tenantId, Math.min(pageSize, left + 1), cursor)
    const recent = page.filter(({ createdAt }) => createdAt >= backtest.since)
    for (const run of recent.slice(0, left)) {
      newest ??= run.createdAt
      oldest = run.createdAt
      if (!hasInputs(run, [before, after])) {
        skipped.withoutInputs++
        continue
      }
      const had = yield* decideAgain(before, run, pace)
      const has = yield* decideAgain(after, run, pace)
      if (had === null || has === null) skipped.unasked++
      else report.note(outcomeOf(had), outcomeOf(has), exampleOf(run))
    }
    more = recent.length > left
    left -= Math.min(left, recent.length)
    cursor = page.at(-1)?.signalId ?? null
    ended = more || page.length === 0 || recent.length === 0
    yield* Effect.yieldNow
  }
  const found: BacktestResult = {
    ...report.report(),
    configVersion: tenant.configVersion,
    skipped,
    oldest,
    newest,
    more
  }
  return found
}, withSpan("runBacktest"))

/** The default period of a back-test. */
export const defaultSinceMillis = 30 * 24 * 3_600_000
/** The maximum number of runs in one back-test. */
export const maxBacktestRuns = 100_000

/** The default start of the period. */
export const defaultSince = Effect.map(Clock.currentTimeMillis, (now) => now - defaultSinceMillis)
