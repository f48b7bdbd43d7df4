import { Guardrail, maxGuardrails } from "@leadloom/core/domain/guardrail/Guardrail"
import { maxBacktestRuns } from "@leadloom/core/workflow/pipeline/RunBacktest"
import { maxRules, Rule } from "@leadloom/core/domain/rule/Rule"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authorization, Gate, gate, RequestValidation } from "../Access.ts"
import { TenantConfig } from "./Config.ts"
import { BadRequest, NotFound, keyErrors } from "../errors.ts"
import { TenantPath, Time, Timestamp, IdempotencyKey } from "../schema/Field.ts"

const Count = Schema.Int

/**
 * A proposed change of the configuration. `rules` and `guardrails` replace the rules and guardrails of `config`. If
 * `config` is absent, they replace those of the current configuration.
 */
export const BacktestRequest = Schema.Struct({
  config: Schema.optionalKey(TenantConfig),
  rules: Schema.optionalKey(Schema.Array(Rule).check(Schema.isMaxLength(maxRules))),
  guardrails: Schema.optionalKey(Schema.Array(Guardrail).check(Schema.isMaxLength(maxGuardrails))),
  since: Schema.optionalKey(Time).annotate({ description: "Ignore older runs; default: 30 days ago" }),
  limit: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: maxBacktestRuns }))).annotate({
    description: "The maximum number of messages, counted from the newest; default: 10000"
  }),
  examples: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 20 }))).annotate({
    description: "The number of examples per difference; default: 3"
  })
}).annotate({ identifier: "BacktestRequest" })

const Examples = Schema.Array(
  Schema.Struct({
    signal_id: Schema.String,
    message_id: Schema.String,
    contact_id: Schema.String,
    excerpt: Schema.String
  }).annotate({ identifier: "BacktestExample" })
)

const Moves = Schema.Array(
  Schema.Struct({
    before: Schema.NullOr(Schema.String),
    after: Schema.NullOr(Schema.String),
    count: Count,
    examples: Examples
  }).annotate({ identifier: "BacktestMove" })
)

const tally = {
  before: Count,
  after: Count,
  gained: Count,
  lost: Count,
  examples: Examples
}

/**
 * The differences that the proposed change would have caused. The differences with the most affected messages are first
 * in each list.
 */
export const BacktestReport = Schema.Struct({
  config_version: Schema.Int.annotate({
    description: "The current version of the configuration, to which the change was compared"
  }),
  oldest: Schema.NullOr(Timestamp),
  newest: Schema.NullOr(Timestamp),
  more: Schema.Boolean.annotate({ description: "Whether the period contains more messages than the limit" }),
  examined: Count,
  changed: Count.annotate({ description: "The number of messages whose decision differs in any way" }),
  skipped: Schema.Struct({
    without_inputs: Count.annotate({
      description: "Messages whose runs were made by an older server version, which did not store inputs"
    }),
    unasked: Count.annotate({
      description: "Messages for which the proposed configuration would need another request to the model"
    })
  }),
  intents: Moves,
  tiers: Moves,
  rules: Schema.Array(Schema.Struct({ rule_id: Schema.String, name: Schema.String, ...tally })),
  actions: Schema.Array(
    Schema.Struct({
      type: Schema.String,
      ...tally,
      altered: Count.annotate({
        description:
          "Messages for which both configurations cause the same number of these actions, but with different content"
      })
    })
  ),
  replies: Moves.annotate({
    description:
      "The outcome of the reply: none, held (the reply waits for approval), released (the reply may be sent automatically), blocked"
  }),
  rewritten: Schema.Struct({ count: Count, examples: Examples }).annotate({
    description: "Replies that have the same outcome under both configurations, but a different text"
  })
}).annotate({ identifier: "BacktestReport" })

export const BacktestGroup = HttpApiGroup.make("backtest")
  .add(
    HttpApiEndpoint.post("run", "/tenants/:tenant_id/pipeline/backtest", {
      params: TenantPath,
      headers: IdempotencyKey,
      payload: BacktestRequest,
      success: BacktestReport,
      error: [BadRequest, NotFound, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Test a change of rules, guardrails or configuration against past messages")
      .annotate(Gate, gate("backtest.run", { limiter: "admin", idempotency: "repeatable" }))
  )
  .annotateMerge(OpenApi.annotations({ title: "Back-test", description: "The effect of a change on past messages" }))
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")
