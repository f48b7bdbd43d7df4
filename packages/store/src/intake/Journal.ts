/** A map whose changes since a checkpoint can be undone. The keys have two parts: the tenant and the key of a record. */
export interface JournaledMap<V> {
  readonly get: (tenantId: string, key: string) => V | undefined
  readonly set: (tenantId: string, key: string, value: V) => void
  readonly entries: () => Iterable<readonly [key: string, value: V]>
}

/** Records the changes of maps. */
export interface Journal {
  readonly map: <V>() => JournaledMap<V>
  /** Forgets the changes so far, so that `undo` keeps them. */
  readonly keep: () => void
  /** Undoes all changes since the last `keep`. */
  readonly undo: () => void
}

/** Creates a journal without maps. */
export const makeJournal = (): Journal => {
  let undos: Array<() => void> = []
  return {
    map: <V>(): JournaledMap<V> => {
      const values = new Map<string, V>()
      // A tenant id contains no line break.
      const place = (tenantId: string, key: string): string => `${tenantId}\n${key}`
      return {
        get: (tenantId, key) => values.get(place(tenantId, key)),
        set: (tenantId, key, value) => {
          const at = place(tenantId, key)
          const before = values.get(at)
          undos.push(() => void (before === undefined ? values.delete(at) : values.set(at, before)))
          values.set(at, value)
        },
        entries: () => values
      }
    },
    keep: () => {
      undos = []
    },
    undo: () => {
      for (const undo of undos.toReversed()) undo()
      undos = []
    }
  }
}
