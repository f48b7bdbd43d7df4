/**
 * A queue of jobs that is fair between lanes. The lane that used the least time recently comes first, so an expensive lane
 * waits for the others, however many jobs it has.
 */

/** The half-life of the time that a lane used, milliseconds. */
const halfLifeMillis = 10_000

/** An empty lane that used less time than this is deleted, milliseconds. */
const negligibleMillis = 1

interface Lane<A> {
  readonly waiting: Array<A>
  used: number
  at: number
}

export class FairQueue<A> {
  readonly #lanes = new Map<string, Lane<A>>()
  readonly #most: number
  #size = 0

  /** `most`: the number of items that may wait. */
  constructor(max: number) {
    this.#most = max
  }

  get size(): number {
    return this.#size
  }

  /** Adds an item at the end of a lane; false when too many wait. */
  push(name: string, item: A, now: number): boolean {
    if (this.#size >= this.#most) return false
    const lane = this.#lanes.get(name)
    if (lane === undefined) this.#lanes.set(name, { waiting: [item], used: 0, at: now })
    else lane.waiting.push(item)
    this.#size++
    return true
  }

  /** Removes an item from its lane, if it still waits. */
  remove(name: string, item: A): void {
    const lane = this.#lanes.get(name)
    const at = lane?.waiting.indexOf(item) ?? -1
    if (lane === undefined || at < 0) return
    lane.waiting.splice(at, 1)
    this.#size--
  }

  /** Time that a lane used recently, milliseconds. */
  usedBy(name: string, now: number): number {
    const lane = this.#lanes.get(name)
    return lane === undefined ? 0 : lane.used * 0.5 ** ((now - lane.at) / halfLifeMillis)
  }

  /** Adds the time that an item used to its lane. */
  charge(name: string, millis: number, now: number): void {
    const used = this.usedBy(name, now) + millis
    const lane = this.#lanes.get(name)
    if (lane === undefined) this.#lanes.set(name, { waiting: [], used, at: now })
    else Object.assign(lane, { used, at: now })
  }

  /** Removes the next item: the first of the lane that used the least, among lanes whose first item may start now. */
  take(mayGo: (item: A, lane: string) => boolean, now: number): A | undefined {
    let best: Lane<A> | undefined
    let min = Number.POSITIVE_INFINITY
    for (const [name, lane] of this.#lanes) {
      const used = this.usedBy(name, now)
      const first = lane.waiting[0]
      if (first === undefined) {
        if (used < negligibleMillis) this.#lanes.delete(name)
        continue
      }
      if (used >= min || !mayGo(first, name)) continue
      best = lane
      min = used
    }
    if (best !== undefined) this.#size--
    return best?.waiting.shift()
  }
}
