import { channels } from "@leadloom/core/internal/domain/Channel"
import { Arrivals } from "@leadloom/core/internal/port/repository/conversation/Arrivals"
import { Classifier } from "@leadloom/core/internal/port/provider/Classifier"
import { Egress } from "@leadloom/core/internal/port/system/Egress"
import { Mailboxes } from "@leadloom/core/internal/port/provider/Mailboxes"
import { RateLimits } from "@leadloom/core/internal/port/system/RateLimits"
import { ReplyWriter } from "@leadloom/core/internal/port/provider/ReplyWriter"
import { Sends } from "@leadloom/core/internal/port/repository/conversation/Sends"
import { Signals } from "@leadloom/core/internal/port/repository/pipeline/Signals"
import { Transactions } from "@leadloom/core/internal/port/system/Transactions"
import type { ModelFailed, ModelMissing, ModelUse } from "@leadloom/core/internal/domain/classification/Model"
import { Context, Effect, Layer } from "effect"
import {
  type AttemptOutcome,
  attemptOutcomes,
  beginModel,
  limiters,
  type Meter,
  type ModelOutcome,
  type ModelPurpose
} from "./Meter.ts"
import { countMailboxes } from "./MeteredMailboxes.ts"
import { countOnCommit, countingOnCommit } from "./CountOnCommit.ts"

/** The ports whose calls are counted. Workflows do not know about the metrics. */
export type Metered =
  | Arrivals
  | Classifier
  | Egress
  | Mailboxes
  | RateLimits
  | ReplyWriter
  | Sends
  | Signals
  | Transactions

const arrivals = ({ messages }: Meter, port: Arrivals["Service"]) =>
  Arrivals.of({
    ...port,
    record: (arrival) => {
      const channel = channels.find((known) => known === arrival.channel) ?? "other"
      const { outcome } = arrival
      return Effect.tap(port.record(arrival), () => countOnCommit(() => messages({ channel, outcome })))
    }
  })

const signals = ({ runs }: Meter, port: Signals["Service"]) =>
  Signals.of({
    ...port,
    finish: (tenantId, signalId, outcome, now) =>
      Effect.tap(port.finish(tenantId, signalId, outcome, now), (ended) =>
        ended ? countOnCommit(() => runs({ outcome })) : Effect.void
      ),
    release: (tenantId, signalId, dueAt, reason) =>
      Effect.tap(port.release(tenantId, signalId, dueAt, reason), () =>
        countOnCommit(() => runs({ outcome: "retried" }))
      )
  })

const sends = (meter: Meter, port: Sends["Service"]) =>
  Sends.of({
    ...port,
    settle: (held, outcome, reason, now) =>
      Effect.tap(port.settle(held, outcome, reason, now), (ended) =>
        ended ? countOnCommit(() => meter.sends({ channel: held.channel, state: outcome })) : Effect.void
      )
  })

/**
 * Returns the name of the limiter in a rate-limit key. The rest of the key identifies the caller and must not become a
 * label.
 */
const limiterOf = (key: string): string => {
  const [name = ""] = key.split(":", 1)
  return name === "bad" ? "bad_credentials" : (limiters.find((known) => known === name) ?? "other")
}

const rateLimits = ({ limited }: Meter, port: RateLimits["Service"]) =>
  RateLimits.of({
    consume: (tenantId, key, rule, now) =>
      Effect.tap(port.consume(tenantId, key, rule, now), ({ allowed }) =>
        Effect.sync(() => {
          if (!allowed) limited({ limiter: limiterOf(key) })
        })
      )
  })

const attemptOutcome = (status: number): AttemptOutcome =>
  attemptOutcomes.find((outcome) => outcome === `${Math.floor(status / 100)}xx`) ?? "unanswered"

const egress = ({ attempts, attemptSeconds }: Meter, port: Egress["Service"]) => {
  const count = (outcome: AttemptOutcome, millis: number | null) =>
    Effect.sync(() => {
      attempts({ outcome })
      if (millis !== null) attemptSeconds({}, millis / 1_000)
    })
  return Egress.of({
    ...port,
    post: (request) =>
      port.post(request).pipe(
        Effect.tap(({ millis, status }) => count(attemptOutcome(status), millis)),
        Effect.tapError((error) =>
          error._tag === "EgressRefused" ? count("refused", null) : count("unanswered", error.millis)
        )
      )
  })
}

/** Measures duration and tokens of a model request. */
const requesting = <A extends { readonly use: ModelUse }>(
  { modelRequests, modelSeconds, modelTokens }: Meter,
  purpose: ModelPurpose,
  request: Effect.Effect<A, ModelMissing | ModelFailed>
) =>
  Effect.suspend(() => {
    const startedAt = performance.now()
    const count = (outcome: ModelOutcome, use: ModelUse | null) =>
      Effect.sync(() => {
        modelRequests({ purpose, outcome })
        modelSeconds({ purpose }, (performance.now() - startedAt) / 1_000)
        modelTokens({ direction: "read" }, use?.inputTokens ?? 0)
        modelTokens({ direction: "written" }, use?.outputTokens ?? 0)
      })
    return request.pipe(
      Effect.tap(({ use }) => count("answered", use)),
      Effect.tapError((error) =>
        error._tag === "ModelMissing" ? Effect.void : count(error.later ? "unavailable" : "failed", error.use)
      )
    )
  })

const classifier = (meter: Meter, port: Classifier["Service"]) =>
  Classifier.of({ ...port, classify: (message) => requesting(meter, "classify", port.classify(message)) })

const replyWriter = (meter: Meter, port: ReplyWriter["Service"]) =>
  ReplyWriter.of({ ...port, write: (reply) => requesting(meter, "reply", port.write(reply)) })

/**
 * Returns the services of `layer`, in which calls of the ports are counted. The caller passes the layer, so that the
 * place that builds the server shows which services are counted.
 */
export const countCalls = <A, E, R>(meter: Meter, layer: Layer.Layer<A | Metered, E, R>) =>
  Layer.flatMap(layer, (services) => {
    const port = <I extends Metered, S>(key: Context.Key<I, S>): S => Context.get(services, key)
    if (port(Classifier).configured) beginModel(meter)
    return Layer.succeedContext(
      services.pipe(
        Context.add(Arrivals, arrivals(meter, port(Arrivals))),
        Context.add(Signals, signals(meter, port(Signals))),
        Context.add(Sends, sends(meter, port(Sends))),
        Context.add(Transactions, Transactions.of(countingOnCommit(port(Transactions)))),
        Context.add(RateLimits, rateLimits(meter, port(RateLimits))),
        Context.add(Mailboxes, countMailboxes(meter, port(Mailboxes))),
        Context.add(Egress, egress(meter, port(Egress))),
        Context.add(Classifier, classifier(meter, port(Classifier))),
        Context.add(ReplyWriter, replyWriter(meter, port(ReplyWriter)))
      )
    )
  })
