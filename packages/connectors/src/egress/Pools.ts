import { Dispatcher, type Pool } from "undici"

/**
 * The pools, one per scheme, host and port. A pool is created on demand and removed when it is empty. The `Agent` of
 * `undici` keeps a pool if its last connection was aborted during a request, as happens with unresponsive receivers.
 * Tenants can name any number of hosts, so such pools would accumulate.
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

  /** Destroys all connections and all waiting requests immediately. */
  async destroyAll(): Promise<void> {
    this.#over = true
    const all = [...this.#pools.values()]
    this.#pools.clear()
    await Promise.all(all.map((pool) => pool.destroy()))
  }

  #open(origin: string): Pool {
    const pool = this.#make(origin)
    // After `destroyAll`, a new pool is destroyed immediately. It rejects its requests with the same error as the other
    // pools.
    if (this.#over) void pool.destroy()
    else this.#pools.set(origin, pool)
    // The check is delayed, because the pool starts its waiting requests only after this event.
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
