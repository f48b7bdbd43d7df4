import { Clock, Context, Effect, Layer } from "effect"
import { encodeId, type Id, type IdPrefix, type IdStamp, nextStamp } from "../../domain/Id.ts"

export const randomBytesPerId = 10

/**
 * Builds an id from a stamp. The counter occupies the twelve bits after the UUID's version. The remaining bits stay
 * random.
 */
export const idAt = <P extends IdPrefix>(prefix: P, stamp: IdStamp, random: Uint8Array): Id<P> => {
  random[0] = stamp.counter >>> 8
  random[1] = stamp.counter
  return encodeId(prefix, stamp.unixMillis, random)
}

/** Generates ids. */
export class Ids extends Context.Service<
  Ids,
  {
    /**
     * Returns a new id. Its timestamp and counter are greater than those of all earlier ids of this service, whatever
     * their prefixes.
     */
    readonly next: <P extends IdPrefix>(prefix: P) => Effect.Effect<Id<P>>
  }
>()("core/port/system/Ids") {
  /**
   * The layer of ids whose timestamps come from the clock. `randomBytes` must be cryptographically strong, because ids
   * must not be guessable (62 bits of each id are random). It must return a new array at each call.
   */
  static readonly layer = (randomBytes: (length: number) => Uint8Array): Layer.Layer<Ids> =>
    Layer.sync(Ids, () => {
      let last: IdStamp = { unixMillis: -1, counter: 0 }
      return Ids.of({
        // One effect instead of a map of the clock: every message needs a dozen ids.
        next: (prefix) =>
          Effect.withFiber((fiber) => {
            const now = fiber.getRef(Clock.Clock).currentTimeMillisUnsafe()
            const random = randomBytes(randomBytesPerId)
            last = nextStamp(last, now, ((random[0] ?? 0) << 8) | (random[1] ?? 0))
            return Effect.succeed(idAt(prefix, last, random))
          })
      })
    })
}

/** A source of cryptographically strong random bytes. */
export class Randomness extends Context.Service<
  Randomness,
  {
    /** Returns a new array of `length` random bytes. */
    readonly bytes: (length: number) => Uint8Array
  }
>()("core/port/system/Ids/Randomness") {
  static readonly layer = (randomBytes: (length: number) => Uint8Array): Layer.Layer<Randomness> =>
    Layer.succeed(Randomness, Randomness.of({ bytes: randomBytes }))
}
