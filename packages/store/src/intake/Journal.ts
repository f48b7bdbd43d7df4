/** A map whose changes since a checkpoint can be undone. The keys have two parts: the tenant and the key of a record. */
export interface JournaledMap<V> {
  readonly get: (tenantId: string, key: string) => V | undefined
  readonly set: (tenantId: string, key: string, value: V) => void
  readonly values: () => ReadonlyArray<V>
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
      const tenants = new Map<string, Map<string, V>>()
      const valuesOf = (tenantId: string): Map<string, V> => {
        const known = tenants.get(tenantId)
        if (known !== undefined) return known
        const values = new Map<string, V>()
        tenants.set(tenantId, values)
        return values
      }
      return {
        get: (tenantId, key) => tenants.get(tenantId)?.get(key),
        set: (tenantId, key, value) => {
          const values = valuesOf(tenantId)
          const before = values.get(key)
          undos.push(() => void (before === undefined ? values.delete(key) : values.set(key, before)))
          values.set(key, value)
        },
        values: () => [...tenants.values()].flatMap((values) => [...values.values()])
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
