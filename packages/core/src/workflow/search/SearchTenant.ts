/**
 * Searches the contacts, messages and notes of a tenant, and keeps the search index current. Tokens and queries do not belong
 * here (`domain/search`). The index is behind the port `Search`. Tests: `packages/testkit/src/suite/search`,
 * `packages/core/test/domain/search`.
 */
import { Clock, type Context, Effect } from "effect"
import { Secrets } from "../../domain/access/Secrets.ts"
import {
  CursorInvalid,
  type CursorKey,
  type CursorScope,
  decodeCursor,
  encodeCursor
} from "../../domain/conversation/Cursor.ts"
import { type IndexMatch, Search, type SearchKind } from "../../port/repository/contact/Search.ts"
import type { StoreUnavailable } from "../../port/system/Transactions.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { catchUp } from "./WorkSearch.ts"
import { type Relevance, contactRelevance, messageRelevance, noteRelevance } from "./Relevance.ts"
import { beginning, type Page, type Position, type Ranked, searchPage, type MatchSource } from "./SearchPage.ts"
import { type SearchQuery, parseSearchQuery } from "../../domain/search/SearchQuery.ts"
import { withSpan } from "../WithSpan.ts"

/** The number of months that a search without `deep` covers. The specification defines it. */
export const warmMonths = 6

export interface SearchRequest {
  readonly query: string
  /** True to search all messages, not only those of the last `warmMonths` months. */
  readonly deep: boolean
  readonly kinds: ReadonlyArray<SearchKind>
  /** The maximum number of results of each kind per page. */
  readonly limit: number
  readonly cursor: string | null
}

/** A result and its relevance. */
export interface Hit<A> {
  readonly value: A
  readonly fit: Relevance
}

/**
 * The state of a search: its start time, and the position in the results of each kind. A position is null when the kind
 * has no more results.
 */
interface SearchState {
  readonly now: number
  readonly contacts: Position | null
  readonly conversations: Position | null
  readonly notes: Position | null
}

const toKey = (position: Position | null): CursorKey =>
  position === null ? [-2, "", "", ""] : [position.score, position.after, position.end, position.key]

const fromKey = ([score, after, end, key]: CursorKey): Position | null | undefined => {
  if (typeof score !== "number" || typeof after !== "string" || typeof end !== "string" || typeof key !== "string") {
    return undefined
  }
  return score === -2 ? null : { score, after, end, key }
}

const firstPage = (kinds: ReadonlyArray<SearchKind>, now: number): SearchState => {
  const first = (kind: SearchKind) => (kinds.includes(kind) ? beginning : null)
  return { now, contacts: first("contacts"), conversations: first("conversations"), notes: first("notes") }
}

const readCursor = (text: string, scope: CursorScope, secret: Uint8Array): SearchState | null => {
  const [now, ...keys] = decodeCursor(text, scope, secret) ?? []
  const [contacts, conversations, notes] = [0, 4, 8].map((start) => fromKey(keys.slice(start, start + 4)))
  if (typeof now !== "number" || contacts === undefined || conversations === undefined || notes === undefined)
    return null
  return { now, contacts, conversations, notes }
}

const monthsBefore = (now: number, months: number): number => {
  const date = new Date(now)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - months, date.getUTCDate())
}

type Port = Context.Service.Shape<typeof Search>

/** Combines records with their keys and scores. Omits records that no longer exist. */
const ranked = <A>(
  places: ReadonlyArray<IndexMatch>,
  read: ReadonlyArray<A>,
  idOf: (value: A) => string,
  fitOf: (value: A) => Relevance
): ReadonlyArray<Ranked<Hit<A>>> => {
  const keys = new Map(places.map(({ id, key }) => [id, key]))
  return read.flatMap((value) => {
    const key = keys.get(idOf(value))
    if (key === undefined) return []
    const fit = fitOf(value)
    return [{ key, score: fit.score, value: { value, fit } }]
  })
}

/** The search for results of one kind. */
interface SourceQuery {
  readonly tenantId: string
  readonly kind: SearchKind
  readonly searchQuery: SearchQuery
  readonly since: number | null
}

/** The records of one kind. */
interface Records<A> {
  readonly read: (tenantId: string, ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<A>, StoreUnavailable>
  readonly idOf: (value: A) => string
  readonly fitOf: (value: A) => Relevance
}

/** Returns the source of the results of one kind: the index, the records and their scores. */
const sourceOf = <A>(
  search: Port,
  { kind, searchQuery, since, tenantId }: SourceQuery,
  { fitOf, idOf, read }: Records<A>
): MatchSource<Hit<A>, StoreUnavailable, never> => ({
  places: (stretch) => search.places(tenantId, kind, searchQuery, { ...stretch, since }),
  rank: (places) => {
    const ids = places.map(({ id }) => id)
    return Effect.map(read(tenantId, ids), (found) => ranked(places, found, idOf, fitOf))
  }
})

const nothing = { found: [], next: null }

/**
 * Searches contacts, messages and notes. The index is first brought up to date, so everything that was stored before the
 * request is found. If too much is not indexed yet, `complete` is false, and only the newest messages are found.
 * Contacts and notes of any age are searched. Messages of the last six months are searched, and with `deep` all messages.
 */
export const searchTenant = Effect.fnUntraced(function* (tenantId: string, request: SearchRequest) {
  yield* (yield* Tenants).get(tenantId)
  const { pepper } = yield* Secrets
  const { deep, kinds, limit, query } = request
  const scope: CursorScope = { tenantId, list: "search", filters: { query, deep, kinds: kinds.toSorted().join() } }
  const clock = yield* Clock.currentTimeMillis
  const state = request.cursor === null ? firstPage(kinds, clock) : readCursor(request.cursor, scope, pepper)
  if (state === null) return yield* new CursorInvalid()
  const searchQuery = parseSearchQuery(query)
  const complete = yield* catchUp(tenantId, "newest")
  const search = yield* Search
  const { now } = state
  const since = deep ? null : monthsBefore(now, warmMonths)
  const page = <A>(kind: SearchKind, records: Records<A>) => {
    const { [kind]: from } = state
    if (from === null || searchQuery.length === 0) return Effect.succeed<Page<Hit<A>>>(nothing)
    const range = { tenantId, kind, searchQuery, since: kind === "conversations" ? since : null }
    return searchPage(sourceOf(search, range, records), limit, from)
  }
  const contacts = yield* page("contacts", {
    read: search.contacts,
    idOf: ({ contactId }) => contactId,
    fitOf: (contact) => contactRelevance(contact, searchQuery)
  })
  const messages = yield* page("conversations", {
    read: search.messages,
    idOf: ({ messageId }) => messageId,
    fitOf: (message) => messageRelevance(message, searchQuery, now)
  })
  const notes = yield* page("notes", {
    read: search.notes,
    idOf: ({ noteId }) => noteId,
    fitOf: (note) => noteRelevance(note, searchQuery, now)
  })
  const ends = [contacts.next, messages.next, notes.next]
  const isOver = ends.every((next) => next === null)
  return {
    contacts: contacts.found.map(({ value }) => value),
    messages: messages.found.map(({ value }) => value),
    notes: notes.found.map(({ value }) => value),
    since,
    complete,
    nextCursor: isOver ? null : encodeCursor(scope, [now, ...ends.flatMap(toKey)], pepper)
  }
}, withSpan("searchTenant"))
