import { Effect, Layer } from "effect"
import { type EgressPolicy, EgressRefused, publicOnly } from "@leadloom/core/internal/domain/webhook/EgressPolicy"
import { checkUrl, type EgressUrl } from "@leadloom/core/internal/domain/webhook/EgressUrl"
import {
  Egress,
  type EgressAnswer,
  type EgressFailed,
  type EgressRequest
} from "@leadloom/core/internal/port/system/Egress"

/**
 * Provides an `Egress` that sends nothing and returns the answer of `receiver`. It checks the URL but does not resolve
 * the host name.
 */
export const inMemoryEgress = (
  receiver: (request: EgressRequest, url: EgressUrl) => Effect.Effect<EgressAnswer, EgressRefused | EgressFailed>,
  policy: EgressPolicy = publicOnly
): Layer.Layer<Egress> => {
  const exchange = (request: EgressRequest) =>
    Effect.suspend(() => {
      const url = checkUrl(request.url, policy)
      if (url instanceof EgressRefused) return Effect.fail(url)
      return Effect.map(receiver(request, url), (answer) => ({
        ...answer,
        body: answer.body.slice(0, request.maxResponseBytes)
      }))
    })
  return Layer.succeed(Egress, { policy, post: exchange, get: (request) => exchange({ ...request, body: "" }) })
}
