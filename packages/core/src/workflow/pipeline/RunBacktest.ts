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
import { type BacktestReport, type Example, makeReport, type Outcome } from "../../domain/run/Report.ts"

/** A change of configuration, and the history it is tried on. */
export interface Backtest {
  /** What would be saved instead; a part that is null stays as it is. `rules` and `guardrails` come after `config`. */
  readonly config: TenantConfig | null
  readonly rules: TenantConfig["rules"] | null
  readonly guardrails: TenantConfig["guardrails"] | null
  /** Epoch milliseconds: older runs are left alone. */
  readonly since: number
  /** Most runs that are looked at, the newest ones. */
  readonly limit: number
  /** Examples kept of each difference. */
  readonly examples: number
}

/** What a back-test found, and on what. */
export interface BacktestResult extends BacktestReport {
  /** The version that the change was compared with: what is configured now, and not what was when a message came. */
  readonly configVersion: number
  /** Runs that could not be decided again, by why. */
  readonly skipped: {
    /** They are older than the keeping of inputs. */
    readonly withoutInputs: number
    /** One of the two configurations asks a model something that it was not asked then; nobody asks it now. */
    readonly unasked: number
  }
  /** When the oldest and the newest of the messages were worked, epoch milliseconds; null: there are none. */
  readonly oldest: number | null
  readonly newest: number | null
  /** There are more in the time that was asked for than the limit. */
  readonly more: boolean
}

/** Runs read at a time: few enough to be garbage before anybody takes it for something to keep. */
const pageSize = 50
const excerptLength = 120

const fateOf = ({ written }: RunDecision): Outcome["reply"] => {
  if (written === null) return "none"
  if (written.outcome === "block") return "blocked"
  return written.mode === "auto" ? "released" : "held"
}

const outcomeOf = (decision: RunDecision): Outcome => ({
  intent: decision.classification?.intent ?? null,
  tier: decision.score.tier,
  rules: decision.matchedRules,
  actions: decision.wanted.map(({ action }) => ({
    type: action.type,
    what: action.type === "reply" ? "" : JSON.stringify(action)
  })),
  reply: fateOf(decision),
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

/** What one configuration makes of a run; null: it would have to ask a model. */
const decideAgain = Effect.fnUntraced(function* ({ compiled, tenant }: Side, run: PastRun, pace: Pace) {
  if (run.inputs === null) return null
  const subject = subjectOfInputs(tenant, run.message, run.inputs)
  const decision = yield* decideWith(compiled, subject, run.recordings, pace)
  return decision.question === null ? outcomeOf(decision) : null
})

/** An issue with its place in the request: what stands beside `config` is not in it. */
const inRequest =
  ({ config, guardrails, rules }: Backtest) =>
  ({ message, path }: ConfigIssue): ConfigIssue => {
    const beside =
      (rules !== null && path.startsWith("rules")) || (guardrails !== null && path.startsWith("guardrails"))
    return { message, path: config === null || beside ? path : `config.${path}` }
  }

/**
 * Runs history again under the configuration as it is and under a changed one, without doing or storing anything and
 * without asking a model: what it said then counts. Both sides are decided anew, so that nothing shows but the change
 * that is asked about, whatever was configured when the messages came.
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

/** How far back a back-test looks that does not say. */
export const defaultSinceMillis = 30 * 24 * 3_600_000
/** Most runs of one back-test. */
export const maxBacktestRuns = 100_000

/** The time from which on a back-test looks, when it does not say. */
export const defaultSince = Effect.map(Clock.currentTimeMillis, (now) => now - defaultSinceMillis)
