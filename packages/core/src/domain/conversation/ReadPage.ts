import { Effect } from "effect"
import { Secrets } from "../access/Secrets.ts"
import { CursorInvalid, type CursorKey, type CursorScope, decodeCursor, encodeCursor } from "./Cursor.ts"

/** The page that a client requests. */
export interface PageRequest {
  readonly limit: number
  readonly cursor: string | null
}

/** A paginated list. */
export interface PagedList<A, Key, E, R> {
  readonly scope: CursorScope
  /** Returns the sort key of an item. */
  readonly keyOf: (item: A) => CursorKey
  /** Parses a sort key; returns null for an invalid key. */
  readonly readKey: (key: CursorKey) => Key | null
  readonly fetch: (limit: number, after: Key | null) => Effect.Effect<ReadonlyArray<A>, E, R>
}

/** Reads one page of a list and the cursor of the next page, which is null after the last page. */
export const readPage = Effect.fnUntraced(function* <A, Key, E, R>(
  list: PagedList<A, Key, E, R>,
  { cursor, limit }: PageRequest
) {
  const { pepper } = yield* Secrets
  const decoded = cursor === null ? null : decodeCursor(cursor, list.scope, pepper)
  const after = decoded === null ? null : list.readKey(decoded)
  if (cursor !== null && after === null) return yield* new CursorInvalid()
  const found = yield* list.fetch(limit + 1, after)
  const items = found.slice(0, limit)
  const last = items.at(-1)
  const more = found.length > limit && last !== undefined
  return { items, nextCursor: more ? encodeCursor(list.scope, list.keyOf(last), pepper) : null }
})

/** A list that is read completely, because it is short. */
export interface ShortList<A> {
  readonly scope: CursorScope
  /** All items, in the order of their keys. */
  readonly items: ReadonlyArray<A>
  readonly keyOf: (item: A) => readonly [time: number, id: string]
}

/** The page that a client requests of a short list. Without a limit, it contains all remaining items. */
export interface OptionalPage {
  readonly cursor?: string
  readonly limit?: number
}

/** Reads one page of a short list. Without a limit, the page contains all remaining items. */
export const readShortList = <A>({ items, keyOf, scope }: ShortList<A>, { cursor, limit }: OptionalPage) => {
  const isAfter = (item: A, [time, id]: CursorKey): boolean => {
    const [itsTime, itsId] = keyOf(item)
    return itsTime === time ? itsId > String(id) : itsTime > Number(time)
  }
  return readPage(
    {
      scope,
      keyOf,
      readKey: (key): CursorKey | null => (key.length === 2 ? key : null),
      fetch: (count, after: CursorKey | null) =>
        Effect.succeed(items.filter((item) => after === null || isAfter(item, after)).slice(0, count))
    },
    { limit: limit ?? Math.max(1, items.length), cursor: cursor ?? null }
  )
}
