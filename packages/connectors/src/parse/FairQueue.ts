/**
 * A queue of jobs that is fair between flows. The flow that recently used the least processing time is served
 * first. A flow with expensive jobs therefore waits for the other flows, however many jobs it has queued.
 */

/** The half-life of the processing time of a flow, in milliseconds. */
const halfLifeMillis = 10_000

/** The processing time in milliseconds below which an empty flow is deleted. */
const negligibleMillis = 1

interface Flow<A> {
  readonly waiting: Array<A>
  used: number
  at: number
}

export class FairQueue<A> {
  readonly #flows = new Map<string, Flow<A>>()
  readonly #most: number
  #size = 0

  /** `max` is the maximum number of waiting items. */
  constructor(max: number) {
    this.#most = max
  }

  get size(): number {
    return this.#size
  }

  /** Adds an item to the end of a flow. Returns false when the queue is full. */
  push(name: string, item: A, now: number): boolean {
    if (this.#size >= this.#most) return false
    const flow = this.#flows.get(name)
    if (flow === undefined) this.#flows.set(name, { waiting: [item], used: 0, at: now })
    else flow.waiting.push(item)
    this.#size++
    return true
  }

  /** Removes an item from its flow if it is still waiting. */
  remove(name: string, item: A): void {
    const flow = this.#flows.get(name)
    const at = flow?.waiting.indexOf(item) ?? -1
    if (flow === undefined || at < 0) return
    flow.waiting.splice(at, 1)
    this.#size--
  }

  /** Returns the recent processing time of a flow in milliseconds. */
  usedBy(name: string, now: number): number {
    const flow = this.#flows.get(name)
    return flow === undefined ? 0 : flow.used * 0.5 ** ((now - flow.at) / halfLifeMillis)
  }

  /** Adds the processing time of an item to its flow. */
  charge(name: string, millis: number, now: number): void {
    const used = this.usedBy(name, now) + millis
    const flow = this.#flows.get(name)
    if (flow === undefined) this.#flows.set(name, { waiting: [], used, at: now })
    else Object.assign(flow, { used, at: now })
  }

  /** Returns the number of waiting items of a flow. */
  waitingOf(name: string): number {
    return this.#flows.get(name)?.waiting.length ?? 0
  }

  /** Removes and returns the next items of a flow, up to `max` and up to the first one that `mayGo` rejects. */
  takeMore(name: string, max: number, mayGo: (item: A) => boolean): ReadonlyArray<A> {
    const waiting = this.#flows.get(name)?.waiting ?? []
    const end = waiting.slice(0, max).findIndex((item) => !mayGo(item))
    const taken = waiting.splice(0, end < 0 ? max : end)
    this.#size -= taken.length
    return taken
  }

  /**
   * Removes and returns the next item. Only the first item of each flow is a candidate, and only if `mayGo` permits it
   * now. Of the candidates, the item of the flow that recently used the least processing time is returned.
   */
  take(mayGo: (item: A, flow: string) => boolean, now: number): A | undefined {
    let best: Flow<A> | undefined
    let min = Number.POSITIVE_INFINITY
    for (const [name, flow] of this.#flows) {
      const used = this.usedBy(name, now)
      const first = flow.waiting[0]
      if (first === undefined) {
        if (used < negligibleMillis) this.#flows.delete(name)
        continue
      }
      if (used >= min || !mayGo(first, name)) continue
      best = flow
      min = used
    }
    if (best !== undefined) this.#size--
    return best?.waiting.shift()
  }
}
