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

/** A change to try: any of the three, `rules` and `guardrails` in place of those of `config` or of today's. */
export const BacktestRequest = Schema.Struct({
  config: Schema.optionalKey(TenantConfig),
  rules: Schema.optionalKey(Schema.Array(Rule).check(Schema.isMaxLength(maxRules))),
  guardrails: Schema.optionalKey(Schema.Array(Guardrail).check(Schema.isMaxLength(maxGuardrails))),
  since: Schema.optionalKey(Time).annotate({ description: "Older runs are left alone; 30 days ago by default" }),
  limit: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: maxBacktestRuns }))).annotate({
    description: "Most messages, the newest ones; 10000 by default"
  }),
  examples: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 20 }))).annotate({
    description: "Examples of each difference; 3 by default"
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

/** What would have come out differently. Each list names what moves most first. */
export const BacktestReport = Schema.Struct({
  config_version: Schema.Int.annotate({ description: "The version the change was compared with: today's" }),
  oldest: Schema.NullOr(Timestamp),
  newest: Schema.NullOr(Timestamp),
  more: Schema.Boolean.annotate({ description: "There are more messages in that time than the limit" }),
  examined: Count,
  changed: Count.annotate({ description: "Messages of which anything would have come out differently" }),
  skipped: Schema.Struct({
    without_inputs: Count.annotate({ description: "Run by a version that did not keep what it looked at" }),
    unasked: Count.annotate({ description: "A model would have to be asked what it was not asked then" })
  }),
  intents: Moves,
  tiers: Moves,
  rules: Schema.Array(Schema.Struct({ rule_id: Schema.String, name: Schema.String, ...tally })),
  actions: Schema.Array(
    Schema.Struct({
      type: Schema.String,
      ...tally,
      altered: Count.annotate({ description: "Messages that have it as often as before, and it says something else" })
    })
  ),
  replies: Moves.annotate({
    description: "By what becomes of the reply: none, held (a person approves), released (may go by itself), blocked"
  }),
  rewritten: Schema.Struct({ count: Count, examples: Examples }).annotate({
    description: "Replies that meet the same fate with another text"
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
      .annotate(OpenApi.Summary, "Try a change of rules, guardrails or configuration on the history of messages")
      .annotate(Gate, gate("backtest.run", { limiter: "admin", idempotency: "repeatable" }))
  )
  .annotateMerge(OpenApi.annotations({ title: "Back-test", description: "What a change would have changed" }))
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")
