import { type RateLimitResult, type RateLimitRule, rateResult, rememberedAt } from "./RateLimit.ts"

/** The number of runs outside the window from which their memory is released. */
const releasedRuns = 1_024

/**
 * The requests of one key within its sliding window, in the memory of a process. It decides like `consumeRate`. A
 * request takes constant time, however many requests the window has.
 */
export class RateWindow {
  /** The times in epoch milliseconds, ascending, and the number of allowed requests of each. */
  readonly #runs: Array<{ readonly at: number; count: number }> = []
  /** The index of the first run within the window. */
  #start = 0
  #used = 0

  /** Counts one request at `now` (epoch milliseconds), if it is allowed. */
  consume(rule: RateLimitRule, now: number): RateLimitResult {
    this.#forget(now - rule.windowMillis)
    const allowed = this.#used < rule.limit
    if (allowed) this.#remember(rememberedAt(rule, now))
    return rateResult({ used: this.#used, freeAt: this.#freeAt(rule) }, rule, now, allowed)
  }

  /** Returns the time of the latest allowed request in epoch milliseconds; null if the window is empty. */
  get latest(): number | null {
    return this.#start < this.#runs.length ? (this.#runs.at(-1)?.at ?? null) : null
  }

  #forget(until: number): void {
    for (let run = this.#runs[this.#start]; run !== undefined && run.at <= until; run = this.#runs[this.#start]) {
      this.#used -= run.count
      this.#start++
    }
    if (this.#start < releasedRuns && this.#start < this.#runs.length) return
    this.#runs.splice(0, this.#start)
    this.#start = 0
  }

  /** If the clock was set back, the request gets the time of the previous request. */
  #remember(at: number): void {
    this.#used++
    const last = this.#start < this.#runs.length ? this.#runs.at(-1) : undefined
    if (last !== undefined && last.at >= at) last.count++
    else this.#runs.push({ at, count: 1 })
  }

  /** Returns the time when the number of possible requests next increases. */
  #freeAt({ limit, windowMillis }: RateLimitRule): number | null {
    let leaving = Math.max(1, this.#used - limit + 1)
    for (let index = this.#start; index < this.#runs.length; index++) {
      const run = this.#runs[index]
      leaving -= run?.count ?? 0
      if (run !== undefined && leaving <= 0) return run.at + windowMillis
    }
    return null
  }
}
