import { by } from "../../memory/MemoryState.ts"

/** What a queue in memory looks at in an item of its own. */
export interface Waiting {
  readonly tenantId: string
  readonly id: string
  readonly dueAt: number
}

/** The items to take of those that are open. */
export type FairShares<A> = (
  open: ReadonlyArray<A>,
  limit: number,
  now: number,
  admit?: (due: ReadonlyArray<string>) => ReadonlyArray<string>
) => ReadonlyArray<A>

/**
 * Takes what is due in memory, in the order of ids: each tenant's first before any tenant's second, beginning with the
 * tenants behind the last one that was served. `admit` says which tenants get a turn now.
 */
export const makeFairShares = <A>(waitingOf: (item: A) => Waiting): FairShares<A> => {
  let lastServed = ""
  const places = (due: ReadonlyArray<Waiting & { readonly item: A }>) => {
    const counts = new Map<string, number>()
    return due.map((waiting) => {
      const place = counts.get(waiting.tenantId) ?? 0
      counts.set(waiting.tenantId, place + 1)
      return { ...waiting, place }
    })
  }
  return (open, limit, now, admit = (all) => all) => {
    const found = open.map((item) => ({ item, ...waitingOf(item) })).filter(({ dueAt }) => dueAt <= now)
    const admitted = new Set(admit([...new Set(found.map(({ tenantId }) => tenantId))]))
    const due = found.filter(({ tenantId }) => admitted.has(tenantId))
    const longestFirst = due.toSorted(
      by(
        ({ dueAt }) => dueAt,
        ({ id }) => id
      )
    )
    const fairly = places(longestFirst).toSorted(
      by(
        ({ place }) => place,
        ({ tenantId }) => (tenantId > lastServed ? 0 : 1),
        ({ tenantId }) => tenantId
      )
    )
    const taken = fairly.slice(0, limit)
    lastServed = taken.at(-1)?.tenantId ?? ""
    return taken.toSorted(by(({ id }) => id)).map(({ item }) => item)
  }
}
