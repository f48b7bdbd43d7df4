import { Dispatcher, type Pool } from "undici"

/**
 * A pool for each scheme, host and port, made when it is asked for and forgotten when nothing is left of it. The `Agent`
 * of `undici` forgets none whose last connection was ended in the middle of a request, as it is where a receiver does not
 * answer; and tenants name as many hosts as they like.
 */
export class Pools extends Dispatcher {
  readonly #pools = new Map<string, Pool>()
  readonly #make: (origin: string) => Pool
  #over = false

  constructor(make: (origin: string) => Pool) {
    super()
    this.#make = make
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const origin = String(options.origin)
    return (this.#pools.get(origin) ?? this.#open(origin)).dispatch(options, handler)
  }

  /** Ends all connections and whatever waits for one, at once. */
  async destroyAll(): Promise<void> {
    this.#over = true
    const all = [...this.#pools.values()]
    this.#pools.clear()
    await Promise.all(all.map((pool) => pool.destroy()))
  }

  #open(origin: string): Pool {
    const pool = this.#make(origin)
    // It says to whoever comes too late what it says to everybody.
    if (this.#over) void pool.destroy()
    else this.#pools.set(origin, pool)
    // The pool goes on with what waits when it has told of this.
    const look = (): void => void setImmediate(() => this.#forget(origin, pool))
    return pool.on("disconnect", look).on("connectionError", look)
  }

  #forget(origin: string, pool: Pool): void {
    const { connected, size } = pool.stats
    if (connected > 0 || size > 0 || this.#pools.get(origin) !== pool) return
    this.#pools.delete(origin)
    void pool.close()
  }
}
