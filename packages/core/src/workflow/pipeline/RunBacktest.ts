import { Clock, Effect } from "effect"
import { type PastRun, PastRuns } from "../../port/repository/pipeline/Runs.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { checkConfig, type ConfigIssue } from "../tenant/CheckConfig.ts"
import { ConfigInvalid } from "../tenant/SaveConfig.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import type { TenantConfig } from "../../domain/tenant/TenantConfig.ts"
import { type CompiledConfig, compileConfig } from "../../domain/tenant/CompiledConfigs.ts"
import { newPace, type Pace } from "../../domain/budget/Budget.ts"
import { decideWith, type RunDecision } from "./DecideRun.ts"
import { isEnabled } from "../../domain/rule/Rule.ts"
import { subjectOfInputs } from "../../domain/run/RunSubject.ts"
import { decideReply, type ReplyDecision } from "../../domain/reply/DecideReply.ts"
import { type BacktestReport, type Example, makeReport, type Outcome, type ReplyFate } from "../../domain/run/Report.ts"

/** A configuration change to test against past runs. */
export interface Backtest {
  /** The new configuration; null parts stay unchanged. `rules` and `guardrails` override those in `config`. */
  readonly config: TenantConfig | null
  readonly rules: TenantConfig["rules"] | null
  readonly guardrails: TenantConfig["guardrails"] | null
  /** Epoch milliseconds; older runs are ignored. */
  readonly since: number
  /** The maximum number of runs, newest first. */
  readonly limit: number
  /** The maximum number of examples per difference. */
  readonly examples: number
}

/** The result of a back-test. */
export interface BacktestResult extends BacktestReport {
  /** The version that the change was compared with: the current one, not that of each run. */
  readonly configVersion: number
  /** The number of runs that could not be repeated, by reason. */
  readonly skipped: {
    /** Runs from before inputs were stored. */
    readonly withoutInputs: number
    /**
     * Runs in which one of the two configurations needs an answer that no model gave at the time. A back-test asks no
     * model.
     */
    readonly unasked: number
  }
  /** The times of the oldest and newest tested run, in epoch milliseconds; null without any. */
  readonly oldest: number | null
  readonly newest: number | null
  /** True when the period has more runs than the limit. */
  readonly more: boolean
}

/** The number of runs per read; small enough that V8 frees them as young objects. */
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

interface Side {
  readonly tenant: Tenant
  readonly compiled: CompiledConfig
}

const sideOf = (tenant: Tenant): Side => ({ tenant, compiled: compileConfig(tenant.config) })

/** Decides a run under one configuration; null when it would have to ask a model. */
const decideAgain = Effect.fnUntraced(function* ({ compiled, tenant }: Side, run: PastRun, pace: Pace) {
  if (run.inputs === null) return null
  const subject = subjectOfInputs(tenant, run.message, run.inputs)
  const decision = yield* decideWith(compiled, subject, run.recordings, pace)
  return decision.question === null ? outcomeOf(decision) : null
})

/** Maps the path of an issue to the request. Paths of `rules` and `guardrails` next to `config` get no prefix. */
const inRequest =
  ({ config, guardrails, rules }: Backtest) =>
  ({ message, path }: ConfigIssue): ConfigIssue => {
    const beside =
      (rules !== null && path.startsWith("rules")) || (guardrails !== null && path.startsWith("guardrails"))
    return { message, path: config === null || beside ? path : `config.${path}` }
  }

/**
 * Repeats past runs under the current and the changed configuration. Stores nothing, has no effects, and uses the
 * recorded model answers. Both sides are decided again, so that only the tested change causes differences, whatever the
 * configuration at the time was.
 */
export const runBacktest = Effect.fn("runBacktest")(function* (tenantId: string, backtest: Backtest) {
  const tenant = yield* (yield* Tenants).get(tenantId)
  const base = backtest.config ?? tenant.config
  const config: TenantConfig = {
    ...base,
    rules: backtest.rules ?? base.rules,
    guardrails: backtest.guardrails ?? base.guardrails
  }
  const issues = yield* checkConfig(config)
  if (issues.length > 0) return yield* new ConfigInvalid({ issues: issues.map(inRequest(backtest)) })
  const [before, after] = [sideOf(tenant), sideOf({ ...tenant, config })]
  const report = makeReport(
    backtest.examples,
    [...tenant.config.rules, ...config.rules].filter(isEnabled).map(({ id, name }) => ({ ruleId: id, name }))
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
      const had = yield* decideAgain(before, run, pace)
      const has = yield* decideAgain(after, run, pace)
      if (run.inputs === null) skipped.withoutInputs++
      else if (had === null || has === null) skipped.unasked++
      else report.note(had, has, exampleOf(run))
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
})

/** The default period of a back-test. */
export const defaultSinceMillis = 30 * 24 * 3_600_000
/** The maximum number of runs in one back-test. */
export const maxBacktestRuns = 100_000

/** The default start of the period. */
export const defaultSince = Effect.map(Clock.currentTimeMillis, (now) => now - defaultSinceMillis)
