import { Context, Layer } from "effect"

/** A source of cryptographically strong random bytes. */
export class Randomness extends Context.Service<
  Randomness,
  {
    /** Returns a fresh array of `length` random bytes. */
    readonly bytes: (length: number) => Uint8Array
  }
>()("core/port/system/Randomness") {
  static readonly layer = (randomBytes: (length: number) => Uint8Array): Layer.Layer<Randomness> =>
    Layer.succeed(Randomness, Randomness.of({ bytes: randomBytes }))

  /** The same bytes on every run: a counter, for tests only. */
  static readonly layerMemory: Layer.Layer<Randomness> = Layer.sync(Randomness, () => {
    let next = 0
    return Randomness.of({ bytes: (length) => Uint8Array.from({ length }, () => (next = (next + 73) % 251)) })
  })
}
