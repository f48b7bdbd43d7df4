import { GrowingBytes } from "@leadloom/core/internal/domain/text/GrowingBytes"
import { Effect, Stream } from "effect"
import type { HttpClientError, HttpClientResponse } from "effect/http"

/** Reads a response body up to a limit. Fails with `oversized` for a longer one. */
export const boundedBody = <E>(
  response: HttpClientResponse.HttpClientResponse,
  maxBytes: number,
  oversized: E
): Effect.Effect<Uint8Array, E | HttpClientError.HttpClientError> =>
  Effect.gen(function* () {
    const body = new GrowingBytes()
    let isWhole = true
    yield* Stream.runForEachWhile(response.stream, (chunk) =>
      Effect.sync(() => {
        isWhole = body.length + chunk.length <= maxBytes
        if (isWhole) body.append(chunk)
        return isWhole
      })
    ).pipe(
      Effect.catchIf(
        (error) => error.reason._tag === "EmptyBodyError",
        () => Effect.void
      )
    )
    return isWhole ? body.take() : yield* Effect.fail(oversized)
  })
