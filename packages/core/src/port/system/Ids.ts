import { Clock, Context, Effect, Layer } from "effect"
import { encodeId, type Id, type IdPrefix, type IdStamp, nextStamp } from "../../domain/Id.ts"

export const randomBytesPerId = 10

/** An id at a stamp: the counter takes the twelve bits after the version, the rest stays random. */
export const idAt = <P extends IdPrefix>(prefix: P, stamp: IdStamp, random: Uint8Array): Id<P> => {
  random[0] = stamp.counter >>> 8
  random[1] = stamp.counter
  return encodeId(prefix, stamp.unixMillis, random)
}

/** Gives new things their ids. */
export class Ids extends Context.Service<
  Ids,
  {
    /** A new id; greater than every id this service has given before, whatever their prefixes. */
    readonly next: <P extends IdPrefix>(prefix: P) => Effect.Effect<Id<P>>
  }
>()("core/port/system/Ids") {
  /**
   * Ids stamped by the clock. `randomBytes` has to be a cryptographically strong source (62 bits of each id come from
   * it, and ids must not be guessable) and has to return a fresh array.
   */
  static readonly layer = (randomBytes: (length: number) => Uint8Array): Layer.Layer<Ids> =>
    Layer.sync(Ids, () => {
      let last: IdStamp = { unixMillis: -1, counter: 0 }
      return Ids.of({
        next: (prefix) =>
          Effect.map(Clock.currentTimeMillis, (now) => {
            const random = randomBytes(randomBytesPerId)
            last = nextStamp(last, now, ((random[0] ?? 0) << 8) | (random[1] ?? 0))
            return idAt(prefix, last, random)
          })
      })
    })
}

/** Cryptographically strong random bytes. */
export class Randomness extends Context.Service<
  Randomness,
  {
    /** A fresh array of that many random bytes. */
    readonly bytes: (length: number) => Uint8Array
  }
>()("core/port/system/Ids/Randomness") {
  static readonly layer = (randomBytes: (length: number) => Uint8Array): Layer.Layer<Randomness> =>
    Layer.succeed(Randomness, Randomness.of({ bytes: randomBytes }))
}
