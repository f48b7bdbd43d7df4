import { onMigratedFile } from "@leadloom/testkit/MigratedFile"
import { inMemoryEgress } from "@leadloom/testkit/memory/Egress"
import { assert, describe, it } from "@effect/vitest"
import { ModelFailed } from "@leadloom/core/internal/domain/classification/Model"
import { Arrivals } from "@leadloom/core/internal/port/repository/conversation/Arrivals"
import { Classifier } from "@leadloom/core/internal/port/provider/Classifier"
import { Egress, EgressFailed } from "@leadloom/core/internal/port/system/Egress"
import * as Store from "@leadloom/store/internal/Store"
import { RateLimits } from "@leadloom/core/internal/port/system/RateLimits"
import { Mailboxes, MailboxLoginFailed } from "@leadloom/core/internal/port/provider/Mailboxes"
import { ReplyWriter } from "@leadloom/core/internal/port/provider/ReplyWriter"
import { Sends } from "@leadloom/core/internal/port/repository/conversation/Sends"
import { Signals } from "@leadloom/core/internal/port/repository/pipeline/Signals"
import { Transactions } from "@leadloom/core/internal/port/system/Transactions"
import { arrivalRecord, idOf, noon, sendRecord, signalRecord } from "@leadloom/testkit/suite/Records"
import { Effect, Layer } from "effect"
import { makeMeter } from "../../src/metrics/Meter.ts"
import { countCalls, type Metered } from "../../src/metrics/MeteredPorts.ts"
import { type Page, readMetrics } from "../world/MetricsText.ts"

/** A model that is temporarily overloaded. */
const overloaded = Layer.succeed(
  Classifier,
  Classifier.of({
    configured: true,
    coversHipaa: false,
    classify: ({ text }) =>
      Effect.fail(new ModelFailed({ reason: "no", later: text === "later", retryAfterMillis: null, use: null }))
  })
)

/** A receiver that answers with the status in its path, and does not answer on `/0`. */
const receiver = inMemoryEgress(({ url }) => {
  const status = Number(new URL(url).pathname.slice(1))
  return status === 0
    ? Effect.fail(new EgressFailed({ kind: "timeout", reason: "it did not answer", millis: 15_000 }))
    : Effect.succeed({ status, headers: {}, body: new Uint8Array(), millis: 20 })
})

/** A mail server that nobody reaches. */
const unreachable = Layer.succeed(Mailboxes, {
  open: () => Effect.fail(new MailboxLoginFailed({ server: "imap", problem: "unreachable", detail: "no" })),
  verify: () => Effect.void,
  discover: () => Effect.succeed(null)
})

const ports = Layer.mergeAll(
  unreachable,
  onMigratedFile((url) => Store.layer({ url })),
  receiver,
  overloaded,
  ReplyWriter.layerNone
)

/** Runs an effect with counting ports, and returns the metrics. */
const counted = (use: Effect.Effect<unknown, unknown, Metered>): Effect.Effect<Page> =>
  Effect.gen(function* () {
    const meter = makeMeter()
    yield* Effect.exit(Effect.provide(use, countCalls(meter, Layer.fresh(ports))))
    return readMetrics(meter.families.text())
  })

/** Returns the non-zero series of a family, by the values of their labels. */
const of = (page: Page, name: string) =>
  Object.fromEntries(
    page.samples
      .filter((sample) => sample.name === name && sample.value > 0)
      .map(({ labels, value }) => [Object.values(labels).join(" "), value])
  )

describe("ports with metrics", () => {
  it.effect("count committed changes, by known channels and outcomes", () =>
    Effect.gen(function* () {
      const page = yield* counted(
        Effect.gen(function* () {
          const [arrivals, transactions] = [yield* Arrivals, yield* Transactions]
          yield* arrivals.record(arrivalRecord("acme", 1))
          yield* arrivals.record(arrivalRecord("acme", 2, { channel: "carrier pigeon", outcome: "bounce" }))
          const undone = Effect.andThen(arrivals.record(arrivalRecord("acme", 3)), Effect.fail("no"))
          yield* Effect.exit(transactions.atomically("acme", undone))
          yield* transactions.atomically("acme", arrivals.record(arrivalRecord("acme", 4)))
        })
      )
      assert.deepStrictEqual(of(page, "leadloom_messages_total"), { "email message": 2, "other bounce": 1 })
    })
  )

  it.effect("count the results of signals and sends, once", () =>
    Effect.gen(function* () {
      const page = yield* counted(
        Effect.gen(function* () {
          const [sends, signals] = [yield* Sends, yield* Signals]
          for (const number of [1, 2]) yield* signals.enqueue(signalRecord("acme", number), noon, 0)
          yield* signals.release("acme", idOf("sig", 1), noon, "the model is away")
          for (const outcome of ["done", "failed"] as const) {
            for (const number of [1, 2]) yield* signals.finish("acme", idOf("sig", number), outcome, noon)
          }
          yield* sends.reserve(sendRecord("acme", 1))
          for (const outcome of ["confirmed", "failed"] as const) {
            yield* sends.settle(sendRecord("acme", 1), outcome, null, noon)
          }
        })
      )
      assert.deepStrictEqual(of(page, "leadloom_pipeline_runs_total"), { done: 2, retried: 1 })
      assert.deepStrictEqual(of(page, "leadloom_sends_total"), { "email confirmed": 1 })
    })
  )

  it.effect("count rejected requests by the name of the limiter only", () =>
    Effect.gen(function* () {
      const page = yield* counted(
        Effect.gen(function* () {
          const { consume } = yield* RateLimits
          for (const key of ["admin:llk_12345678", "bad:10.0.0.7", "webhook", "constructor:x"]) {
            for (const _ of [1, 2]) yield* consume("acme", key, { limit: 1, windowMillis: 60_000 }, noon)
          }
        })
      )
      const expected = { admin: 1, bad_credentials: 1, webhook: 1, other: 1 }
      assert.deepStrictEqual(of(page, "leadloom_rate_limited_requests_total"), expected)
    })
  )

  it.effect("count the responses of receivers and a model", () =>
    Effect.gen(function* () {
      const page = yield* counted(
        Effect.gen(function* () {
          const [{ post }, { classify }] = [yield* Egress, yield* Classifier]
          const more = { headers: {}, body: "{}", timeoutMillis: 1, maxResponseBytes: 1 }
          for (const path of ["https://example.com/204", "https://example.com/410", "https://example.com/0"]) {
            yield* Effect.exit(post({ url: path, ...more }))
          }
          yield* Effect.exit(post({ url: "http://10.0.0.7/200", ...more }))
          for (const text of ["later", "never"]) {
            yield* Effect.exit(classify({ tenantName: "Acme", channel: "email", subject: null, text }))
          }
        })
      )
      const expected = { "2xx": 1, "4xx": 1, unanswered: 1, refused: 1 }
      assert.deepStrictEqual(of(page, "leadloom_webhook_attempts_total"), expected)
      assert.strictEqual(page.value("leadloom_webhook_attempt_duration_seconds_sum"), 15.04)
      const expectedRequests = { "classify unavailable": 1, "classify failed": 1 }
      assert.deepStrictEqual(of(page, "leadloom_model_requests_total"), expectedRequests)
    })
  )
})
