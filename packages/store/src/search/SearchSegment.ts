import type { SearchKind } from "@leadloom/core/port/repository/contact/Search"
import type { SearchQuery, Term } from "@leadloom/core/domain/search/SearchQuery"

/**
 * The index is cut into segments of so many documents, each of one month (of all contacts: one "month"), and every token
 * in it begins with its tenant and segment. A question goes from segment to segment, newest first, and stops when it has
 * enough: what one costs does not depend on how much lies behind it. FROZEN: places are made of it.
 */
export const documentsPerSegment = 4_096
const segmentsPerMonth = 2 ** 20

/** The month of contacts, before every month of messages. */
const contactMonth = 0
const latestMonth = 65_535

/** The month of a moment, counted from the year 0; of odd moments the nearest that is one. */
export const monthOf = (millis: number): number => {
  const date = new Date(Math.min(Math.max(millis, -8e15), 8e15))
  return Math.min(Math.max(date.getUTCFullYear() * 12 + date.getUTCMonth(), contactMonth + 1), latestMonth)
}

/** The month that a document is counted to. */
export const monthFor = (kind: "message" | "contact", timestamp: number): number =>
  kind === "contact" ? contactMonth : monthOf(timestamp)

/** The row that counts the segments of a month; its segments have the numbers after it. */
export const counterOf = (month: number): number => month * segmentsPerMonth

/** The last number that a segment of a month may have. */
export const lastOf = (month: number): number => counterOf(month + 1) - 1

/** Segments that may hold what is asked for, from the first to the last number. */
export const segmentsOf = (kind: SearchKind, since: number | null): { readonly first: number; readonly last: number } =>
  kind === "contacts"
    ? { first: counterOf(contactMonth) + 1, last: lastOf(contactMonth) }
    : { first: counterOf(since === null ? contactMonth + 1 : monthOf(since)) + 1, last: lastOf(latestMonth) }

export const segmentOf = (place: number): number => Math.floor(place / documentsPerSegment)

export const placeOf = (segment: number, number: number): number => segment * documentsPerSegment + number

/** Places as the port knows them: texts of one length, in their order. */
export const keyOf = (place: number): string => String(place).padStart(16, "0")

/** A token as the index holds it. */
export const indexed = (tenantId: string, segment: number, token: string): string =>
  `${tenantId}·${segment.toString(36)}·${token}`

const expression = (
  tenantId: string,
  segment: number,
  searchQuery: SearchQuery,
  spell: { readonly term: (text: string, term: Term) => string; readonly and: string; readonly or: string }
): string =>
  searchQuery
    .map((terms) => {
      const parts = terms.map((term) => spell.term(indexed(tenantId, segment, term.text), term))
      return `(${parts.join(spell.and)})`
    })
    .join(spell.or)

/** What is sought in a segment as FTS5 takes it. Tokens have no quotes in them. */
export const fts5 = (tenantId: string, segment: number, searchQuery: SearchQuery): string =>
  expression(tenantId, segment, searchQuery, {
    term: (text, { isPrefix }) => `"${text}"${isPrefix ? " *" : ""}`,
    and: " AND ",
    or: " OR "
  })

/** The same as a tsquery of Postgres. */
export const tsquery = (tenantId: string, segment: number, searchQuery: SearchQuery): string =>
  expression(tenantId, segment, searchQuery, {
    term: (text, { isPrefix }) => `'${text}'${isPrefix ? ":*" : ""}`,
    and: " & ",
    or: " | "
  })
