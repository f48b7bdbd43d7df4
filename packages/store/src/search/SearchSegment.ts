import type { SearchKind } from "@leadloom/core/internal/port/repository/contact/Search"
import type { SearchQuery, Term } from "@leadloom/core/internal/domain/search/SearchQuery"

/**
 * The number of documents per segment of the index. A segment belongs to one month of messages; all contacts together
 * count as one month, and so do all notes. Every token begins with its tenant and segment. A search reads the newest segments first and
 * stops when it has enough matches, so older messages do not slow it down. FROZEN, because stored places depend on this
 * number.
 */
export const documentsPerSegment = 4_096
/** The number of segments that a month can have. FROZEN, because stored segments depend on this number. */
export const segmentsPerMonth = 2 ** 20

/** The month number under which contacts are indexed. It is lower than the month number of any message. */
const contactMonth = 0
const latestMonth = 65_535
/** The month number under which notes are indexed. It is higher than the month number of any message. */
const noteMonth = latestMonth + 1

/**
 * Returns the number of a month, counted from the year 0. For a time outside the supported range, returns the nearest
 * supported month.
 */
export const monthOf = (millis: number): number => {
  const date = new Date(Math.min(Math.max(millis, -8e15), 8e15))
  return Math.min(Math.max(date.getUTCFullYear() * 12 + date.getUTCMonth(), contactMonth + 1), latestMonth)
}

/** The kinds of documents in the index. Rows of `search_queue` contain them. */
export type DocumentKind = "message" | "contact" | "note"

/** Returns the month number of a document. */
export const monthFor = (kind: DocumentKind, timestamp: number): number =>
  kind === "contact" ? contactMonth : kind === "note" ? noteMonth : monthOf(timestamp)

/** Returns the number of the row that counts the segments of a month. The numbers of these segments follow it. */
export const counterOf = (month: number): number => month * segmentsPerMonth

/** Returns the highest segment number that a month can have. */
export const lastOf = (month: number): number => counterOf(month + 1) - 1

/** A range of segments. */
export interface SegmentRange {
  readonly first: number
  readonly last: number
}

const between = (first: number, last: number): SegmentRange => ({ first: counterOf(first) + 1, last: lastOf(last) })

/** Returns the range of segments that may contain matches. */
export const segmentsOf = (kind: SearchKind, since: number | null): SegmentRange => {
  if (kind === "contacts") return between(contactMonth, contactMonth)
  if (kind === "notes") return between(noteMonth, noteMonth)
  return between(since === null ? contactMonth + 1 : monthOf(since), latestMonth)
}

export const segmentOf = (place: number): number => Math.floor(place / documentsPerSegment)

export const placeOf = (segment: number, number: number): number => segment * documentsPerSegment + number

/** Returns a place in the format of the port: a text of fixed length that sorts like the number. */
export const keyOf = (place: number): string => String(place).padStart(16, "0")

/** Returns a token prefixed with its tenant and segment. */
export const indexed = (tenantId: string, segment: number, token: string): string =>
  `${tenantId}·${segment.toString(36)}·${token}`

/** Returns a token of a summary, prefixed with its tenant. */
export const inSummary = (tenantId: string, token: string): string => `${tenantId}·${token}`

/** Returns the indexed form of a token. */
type Index = (token: string) => string

/** Returns the form of the tokens in one segment. */
export const inSegment =
  (tenantId: string, segment: number): Index =>
  (token) =>
    indexed(tenantId, segment, token)

const expression = (
  index: Index,
  searchQuery: SearchQuery,
  spell: { readonly term: (text: string, term: Term) => string; readonly and: string; readonly or: string }
): string =>
  searchQuery
    .map((terms) => `(${terms.map((term) => spell.term(index(term.text), term)).join(spell.and)})`)
    .join(spell.or)

/** Returns a search query in FTS5 syntax. Tokens contain no quotes. */
export const fts5 = (index: Index, searchQuery: SearchQuery): string =>
  expression(index, searchQuery, {
    term: (text, { isPrefix }) => `"${text}"${isPrefix ? " *" : ""}`,
    and: " AND ",
    or: " OR "
  })

/** Returns a search query as a Postgres tsquery. */
export const tsquery = (index: Index, searchQuery: SearchQuery): string =>
  expression(index, searchQuery, {
    term: (text, { isPrefix }) => `'${text}'${isPrefix ? ":*" : ""}`,
    and: " & ",
    or: " | "
  })
