import { Api } from "@leadloom/api/internal/Api"
import type * as Wire from "@leadloom/api/internal/admin/Backtest"
import { isoTime, millisOf } from "@leadloom/api/internal/schema/Field"
import type { Example, Move, Tally } from "@leadloom/core/internal/domain/run/Report"
import { type BacktestResult, defaultSince, runBacktest } from "@leadloom/core/internal/workflow/pipeline/RunBacktest"
import { configJson } from "@leadloom/core/internal/domain/tenant/TenantConfig"
import { Effect, Semaphore } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { answer } from "../../error/errors.ts"

const defaultLimit = 10_000
const defaultExamples = 3

const examplesToJson = (examples: ReadonlyArray<Example>) =>
  examples.map(({ contactId, excerpt, messageId, signalId }) => ({
    signal_id: signalId,
    message_id: messageId,
    contact_id: contactId,
    excerpt
  }))

const movesToJson = (moves: ReadonlyArray<Move>) =>
  moves.map(({ examples, ...move }) => ({ ...move, examples: examplesToJson(examples) }))

const tallyToJson = ({ after, before, examples, gained, lost }: Tally) => ({
  before,
  after,
  gained,
  lost,
  examples: examplesToJson(examples)
})

const reportToJson = (found: BacktestResult): typeof Wire.BacktestReport.Type => ({
  config_version: found.configVersion,
  oldest: found.oldest === null ? null : isoTime(found.oldest),
  newest: found.newest === null ? null : isoTime(found.newest),
  more: found.more,
  examined: found.examined,
  changed: found.changed,
  skipped: { without_inputs: found.skipped.withoutInputs, unasked: found.skipped.unasked },
  intents: movesToJson(found.intents),
  tiers: movesToJson(found.tiers),
  rules: found.rules.map(({ name, ruleId, ...tally }) => ({ rule_id: ruleId, name, ...tallyToJson(tally) })),
  actions: found.actions.map(({ altered, type, ...tally }) => ({ type, ...tallyToJson(tally), altered })),
  replies: movesToJson(found.replies),
  rewritten: { count: found.rewritten.count, examples: examplesToJson(found.rewritten.examples) }
})

/**
 * The maximum number of concurrent back-tests per server. A back-test keeps one core busy, and the processing of
 * messages has priority.
 */
const atOnce = 1

/** Endpoints for back-tests of configurations. */
export const layer = HttpApiBuilder.group(Api, "backtest", (handlers) =>
  Effect.map(Semaphore.make(atOnce), (semaphore) =>
    handlers.handleAll({
      run: Effect.fnUntraced(function* ({ params, payload }) {
        const { config, examples, guardrails, limit, rules, since } = payload
        const backtest = runBacktest(params.tenant_id, {
          config: config === undefined ? null : configJson.fromJson(config),
          rules: rules ?? null,
          guardrails: guardrails ?? null,
          since: since === undefined ? yield* defaultSince : millisOf(since),
          limit: limit ?? defaultLimit,
          examples: examples ?? defaultExamples
        })
        return reportToJson(yield* answer(semaphore.withPermits(1)(backtest)))
      })
    })
  )
)
