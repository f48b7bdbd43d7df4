/** A seeded random generator. The same seed repeats a simulated day. */
export interface Random {
  /** A number from 0 (inclusive) to 1 (exclusive). */
  readonly next: () => number
  readonly chance: (probability: number) => boolean
  /** An integer from `min` to `max`, both inclusive. */
  readonly between: (min: number, max: number) => number
  readonly pick: <A>(choices: readonly [A, ...ReadonlyArray<A>]) => A
}

/**
 * The Mulberry32 generator, which has 32 bits of state. It is sufficient for simulations, but unsuitable for secrets.
 */
export const makeRandom = (seed: number): Random => {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  return {
    next,
    chance: (probability) => next() < probability,
    between: (min, max) => min + Math.floor(next() * (max - min + 1)),
    pick: (choices) => choices[Math.floor(next() * choices.length)] ?? choices[0]
  }
}
