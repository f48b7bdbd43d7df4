import { type DeliveryMode, DeliveryPolicy } from "@leadloom/core/internal/domain/webhook/Schedule"
import { type Egress, type EgressAnswer, EgressFailed } from "@leadloom/core/internal/port/system/Egress"
import { Effect, Layer } from "effect"
import { inMemoryEgress } from "./Egress.ts"

/** A request to a receiver. */
export interface ReceivedRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly sequence: number
}

/** The response of a receiver: a status, which may have headers and a body. `dead`: no response. */
export type Answer =
  | number
  | "dead"
  | { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body?: string }

/** The servers behind webhooks. They record requests and respond as a test configures, by default with 204. */
export interface Receivers {
  readonly layer: Layer.Layer<Egress | DeliveryPolicy>
  readonly got: Array<ReceivedRequest>
  /** Sets the responses of a receiver to later requests. */
  readonly answer: (url: string, how: (request: ReceivedRequest) => Answer) => void
  /** Returns the event numbers that a receiver got since the previous call. */
  readonly taken: (url: string) => ReadonlyArray<number>
}

const answerOf = (answer: Answer): Effect.Effect<EgressAnswer, EgressFailed> => {
  if (answer === "dead") {
    return Effect.fail(new EgressFailed({ kind: "connection", reason: "Nobody answers there.", millis: 3 }))
  }
  const { body = "no thanks", headers, status } = typeof answer === "number" ? { status: answer, headers: {} } : answer
  return Effect.succeed({ status, headers, body: new TextEncoder().encode(body), millis: 7 })
}

/** Creates receivers without requests. */
export const makeReceivers = (mode: DeliveryMode = "durable"): Receivers => {
  const got: Array<ReceivedRequest> = []
  const answers = new Map<string, (request: ReceivedRequest) => Answer>()
  const egress = inMemoryEgress((request) =>
    Effect.suspend(() => {
      const { body, headers, url } = request
      const text = typeof body === "string" ? body : new TextDecoder().decode(body)
      const one = { url, headers, body: text, sequence: Number(headers["x-webhook-sequence"]) }
      got.push(one)
      return answerOf(answers.get(url)?.(one) ?? 204)
    })
  )
  return {
    layer: Layer.merge(egress, Layer.succeed(DeliveryPolicy, { mode })),
    got,
    answer: (url, how) => void answers.set(url, how),
    taken: (url) => {
      const mine = got.filter((one) => one.url === url)
      for (const one of mine) got.splice(got.indexOf(one), 1)
      return mine.map(({ sequence }) => sequence)
    }
  }
}
