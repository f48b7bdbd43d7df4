import { Guardrail, maxGuardrails } from "@leadloom/core/internal/domain/guardrail/Guardrail"
import { maxBacktestRuns } from "@leadloom/core/internal/workflow/pipeline/RunBacktest"
import { maxRules, Rule } from "@leadloom/core/internal/domain/rule/Rule"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authorization, Gate, gate, RequestValidation } from "../Access.ts"
import { TenantConfig } from "./Config.ts"
import { BadRequest, NotFound, keyErrors } from "../errors.ts"
import { TenantPath, Time, Timestamp, IdempotencyKey } from "../schema/Field.ts"
import { contactId, messageId, signalId } from "../schema/Ids.ts"

const Count = Schema.Int

/**
 * A proposed change of the configuration. `rules` and `guardrails` replace the rules and guardrails of `config`. If
 * `config` is absent, they replace those of the current configuration.
 */
export const BacktestRequest = Schema.Struct({
  config: Schema.optionalKey(TenantConfig).pipe(
    Schema.annotateKey({
      description: "The complete proposed configuration. Default: the current one"
    })
  ),
  rules: Schema.optionalKey(Schema.Array(Rule).check(Schema.isMaxLength(maxRules))).annotate({
    description: "The proposed rules, which replace all rules"
  }),
  guardrails: Schema.optionalKey(Schema.Array(Guardrail).check(Schema.isMaxLength(maxGuardrails))).annotate({
    description: "The proposed guardrails, which replace all guardrails"
  }),
  since: Schema.optionalKey(Time).annotate({ description: "Ignore older runs; default: 30 days ago" }),
  limit: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: maxBacktestRuns }))).annotate({
    description: "The maximum number of messages, counted from the newest; default: 10000"
  }),
  examples: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 20 }))).annotate({
    description: "The number of examples per difference; default: 3"
  })
}).annotate({
  identifier: "BacktestRequest",
  description:
    "A proposed change of the configuration and the messages to test it with. `rules` and `guardrails` replace those of `config`; without `config`, those of the current configuration"
})

const Examples = Schema.Array(
  Schema.Struct({
    signal_id: signalId,
    message_id: messageId,
    contact_id: contactId,
    excerpt: Schema.String.annotate({ description: "The start of the message" })
  }).annotate({ identifier: "BacktestExample", description: "A message that a difference affects" })
)

const Moves = Schema.Array(
  Schema.Struct({
    before: Schema.NullOr(Schema.String).annotate({
      description: "The value under the current configuration; null: none"
    }),
    after: Schema.NullOr(Schema.String).annotate({
      description: "The value under the proposed configuration; null: none"
    }),
    count: Count.annotate({ description: "The number of affected messages" }),
    examples: Examples.annotate({ description: "Some of the affected messages" })
  }).annotate({
    identifier: "BacktestMove",
    description: "A change from one value to another, with the number of affected messages"
  })
)

const tally = {
  before: Count.annotate({ description: "Messages under the current configuration" }),
  after: Count.annotate({ description: "Messages under the proposed configuration" }),
  gained: Count.annotate({ description: "Messages that only the proposed configuration affects" }),
  lost: Count.annotate({ description: "Messages that only the current configuration affects" }),
  examples: Examples.annotate({ description: "Some of the messages that were gained or lost" })
}

/**
 * The differences that the proposed change would have caused. The differences with the most affected messages are first
 * in each list.
 */
export const BacktestReport = Schema.Struct({
  config_version: Schema.Int.annotate({
    description: "The current version of the configuration, to which the change was compared"
  }),
  oldest: Schema.NullOr(Timestamp).annotate({
    description: "The time of the oldest examined message; null: none was examined"
  }),
  newest: Schema.NullOr(Timestamp).annotate({
    description: "The time of the newest examined message; null: none was examined"
  }),
  more: Schema.Boolean.annotate({ description: "Whether the period contains more messages than the limit" }),
  examined: Count.annotate({ description: "The number of examined messages" }),
  changed: Count.annotate({ description: "The number of messages whose decision differs in any way" }),
  skipped: Schema.Struct({
    without_inputs: Count.annotate({
      description:
        "Messages whose runs lack inputs: an older server version did not store them, or the rules of that time did not compare a custom field or company that the proposed rules compare"
    }),
    unasked: Count.annotate({
      description: "Messages for which the proposed configuration would need another request to the model"
    })
  }).annotate({ description: "Messages that were not examined, by reason" }),
  intents: Moves.annotate({ description: "Changed intents" }),
  tiers: Moves.annotate({ description: "Changed tiers" }),
  rules: Schema.Array(
    Schema.Struct({
      rule_id: Schema.String.annotate({ description: "The id of the rule" }),
      name: Schema.String.annotate({ description: "The name of the rule" }),
      ...tally
    })
  ).annotate({ description: "The rules that match other messages than before" }),
  actions: Schema.Array(
    Schema.Struct({
      type: Schema.String.annotate({ description: "The type of the action, for example `create_task`" }),
      ...tally,
      altered: Count.annotate({
        description:
          "Messages for which both configurations cause the same number of these actions, but with different content"
      })
    })
  ).annotate({ description: "The actions that are requested for other messages than before" }),
  replies: Moves.annotate({
    description:
      "The outcome of the reply: none, held (the reply waits for approval), released (the reply may be sent automatically), blocked"
  }),
  rewritten: Schema.Struct({
    count: Count.annotate({ description: "The number of affected messages" }),
    examples: Examples.annotate({ description: "Some of the affected messages" })
  }).annotate({
    description: "Replies that have the same outcome under both configurations, but a different text"
  })
}).annotate({
  identifier: "BacktestReport",
  description: "The differences that the proposed change would have caused, largest first in each list"
})

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
      .annotate(
        OpenApi.Description,
        "Repeats the decisions of stored runs with the proposed configuration, without model calls and without writes."
      )
      .annotate(Gate, gate("backtest.run", { limiter: "admin", idempotency: "repeatable" }))
  )
  .annotateMerge(OpenApi.annotations({ title: "Back-test", description: "The effect of a change on past messages" }))
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")
