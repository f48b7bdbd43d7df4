import { Effect, Stream } from "effect"
import type { HttpClientError, HttpClientResponse } from "effect/http"

/** The bytes of an answer up to a bound; the rest of a longer one is not read, and it is `oversized`. */
export const boundedBody = <E>(
  response: HttpClientResponse.HttpClientResponse,
  longest: number,
  oversized: E
): Effect.Effect<Uint8Array, E | HttpClientError.HttpClientError> =>
  Effect.gen(function* () {
    const chunks: Array<Uint8Array> = []
    let length = 0
    yield* Stream.runForEachWhile(response.stream, (chunk) =>
      Effect.sync(() => {
        chunks.push(chunk)
        length += chunk.length
        return length <= longest
      })
    ).pipe(
      Effect.catchIf(
        (error) => error.reason._tag === "EmptyBodyError",
        () => Effect.void
      )
    )
    return length <= longest ? new Uint8Array(Buffer.concat(chunks)) : yield* Effect.fail(oversized)
  })
