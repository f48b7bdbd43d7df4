import { Context, Layer } from "effect"

/** Cryptographically strong random bytes. */
export class Randomness extends Context.Service<
  Randomness,
  {
    /** A fresh array of that many random bytes. */
    readonly bytes: (length: number) => Uint8Array
  }
>()("core/port/system/Randomness") {
  static readonly layer = (randomBytes: (length: number) => Uint8Array): Layer.Layer<Randomness> =>
    Layer.succeed(Randomness, Randomness.of({ bytes: randomBytes }))
}
