import { PerformanceObserver } from "node:perf_hooks"
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8"

/** The size in bytes from which V8 does not enlarge the space of new objects. V8's own limit is 128 MiB. */
const maxNewSpace = 32 * 1024 * 1024

const newSpace = (): number =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space")?.space_size ?? 0

const limitNewSpace = (): void => setFlagsFromString(`--semi-space-growth-factor=${newSpace() < maxNewSpace ? 2 : 1}`)

/** One observer for the process, because each call of `serve` limits the heap. A second `observe` has no effect. */
const collections = new PerformanceObserver(limitNewSpace)

/**
 * Makes V8 collect garbage earlier in this process. By default, V8 derives the size of the heap from the memory of the
 * machine, so a server with 60 MiB of objects in use keeps 200 MiB of garbage. The space of new objects does not grow
 * at all until `permitNewSpace`: loading the program would enlarge it to 32 MiB, which V8 keeps while the server is
 * idle. V8 reads both flags each time it enlarges a space. Arguments of `node` could set equivalent limits, but each
 * way of starting a server would have to pass them: `docs/decisions/0064-hostile-input-tests.md`.
 */
export const limitHeapGrowth = (): void => {
  // The next full collection starts when the heap is 50 % larger than after the last one.
  setFlagsFromString("--heap-growing-percent=50")
  setFlagsFromString("--semi-space-growth-factor=1")
}

/** Permits the space of new objects to grow to `maxNewSpace` under load. Call it when the server has started. */
export const permitNewSpace = (): void => collections.observe({ entryTypes: ["gc"] })
