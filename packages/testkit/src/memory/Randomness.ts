import { Layer } from "effect"
import { Randomness } from "@leadloom/core/internal/port/system/Ids"

/** Provides bytes from a counter, which are the same on every run. */
export const inMemoryRandomness: Layer.Layer<Randomness> = Layer.sync(Randomness, () => {
  let next = 0
  return Randomness.of({ bytes: (length) => Uint8Array.from({ length }, () => (next = (next + 73) % 251)) })
})
