import { Effect, Layer } from "effect"
import { type IdStamp, nextStamp } from "@leadloom/core/internal/domain/Id"
import { Ids, randomBytesPerId, idAt } from "@leadloom/core/internal/port/system/Ids"

/** Provides ids from a counter, which are the same on every run. */
export const inMemoryIds: Layer.Layer<Ids> = Layer.sync(Ids, () => {
  let last: IdStamp = { unixMillis: 0, counter: 0 }
  return Ids.of({
    next: (prefix) =>
      Effect.sync(() => {
        last = nextStamp(last, 0, 0)
        return idAt(prefix, last, new Uint8Array(randomBytesPerId))
      })
  })
})
