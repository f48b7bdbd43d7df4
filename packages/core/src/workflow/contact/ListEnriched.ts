import { Effect } from "effect"
import { Secrets } from "../../domain/access/Secrets.ts"
import { CursorInvalid, type CursorScope, decodeCursor, encodeCursor } from "../../domain/conversation/Cursor.ts"
import {
  type ContactFilter,
  type ContactSort,
  indexedFilter,
  matchesRow,
  traitsOf
} from "../../domain/contact/ContactFilter.ts"
import type {
  ContactListFilter,
  ContactListPlace,
  ContactListRow,
  ContactSummary
} from "../../domain/contact/ContactSummary.ts"
import { ContactSummaries } from "../../port/repository/contact/ContactSummaries.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { withSpan } from "../WithSpan.ts"

/** The maximum number of rows of the contact list that are read for one page with several filters. */
const lookedAtPerPage = 2_000

/** The maximum number of rows that are read to count the contacts of a filter. */
const lookedAtPerCount = 10_000

const chunkOfCount = 1_000

/** Reads rows in an order of the list. The filter `answered` is already applied to them. */
const walk = Effect.fnUntraced(function* (
  tenantId: string,
  filter: ContactFilter,
  sort: ContactSort,
  after: ContactListPlace | null,
  limit: number
) {
  const summaries = yield* ContactSummaries
  const { archived } = filter
  const nothing: ContactListFilter = { by: "nothing" }
  if (sort !== "last_activity")
    return { answered: nothing, rows: yield* summaries.walkSorted({ tenantId, archived, sort, after, limit }) }
  const answered = indexedFilter(filter)
  const position = after === null ? null : { lastActivityAt: Number(after.at), contactId: after.contactId }
  const activeAfter = filter.lastActivityAfter ?? -1
  const rows = yield* summaries.walk({ tenantId, archived, filter: answered, activeAfter, after: position, limit })
  return { answered, rows: rows.map((row) => ({ ...row, at: row.lastActivityAt })) }
})

/** Returns the rows that satisfy all filters. */
const matching = Effect.fnUntraced(function* <Row extends ContactListRow>(
  tenantId: string,
  filter: ContactFilter,
  { answered, rows }: { readonly answered: ContactListFilter; readonly rows: ReadonlyArray<Row> }
) {
  const found = rows.filter((row) => matchesRow(row, filter))
  const traits = traitsOf(filter, answered)
  if (traits === null || found.length === 0) return found
  const ids = found.map(({ contactId }) => contactId)
  const having = yield* (yield* ContactSummaries).having(tenantId, ids, traits)
  return found.filter(({ contactId }) => having.has(contactId))
})

/** Reads rows until the page is full, the list ends, or `lookedAtPerPage` rows are read. */
const collect = Effect.fnUntraced(function* (
  tenantId: string,
  filter: ContactFilter,
  sort: ContactSort,
  start: ContactListPlace | null,
  limit: number
) {
  const found: Array<ContactListRow> = []
  const chunk = limit + 1
  let after = start
  for (let lookedAt = 0; lookedAt < lookedAtPerPage; lookedAt += chunk) {
    const walked = yield* walk(tenantId, filter, sort, after, chunk)
    const matches = new Set(yield* matching(tenantId, filter, walked))
    for (const row of walked.rows) {
      if (found.length === limit) return { found, next: after }
      if (matches.has(row)) found.push(row)
      after = row
    }
    if (walked.rows.length < chunk) return { found, next: null }
  }
  return { found, next: after }
})

/**
 * Returns up to `limit` contacts of a filter after a place, those with the latest activity first, and the place of the
 * last row that was read; null at the end. Reads at most `lookedAtPerPage` rows, so it may find none although more
 * follow.
 */
export const collectContacts = Effect.fnUntraced(function* (
  tenantId: string,
  filter: ContactFilter,
  after: ContactListPlace | null,
  limit: number
) {
  const { lastActivityBefore } = filter
  const first = lastActivityBefore === null ? null : { at: lastActivityBefore, contactId: "" }
  const { found, next } = yield* collect(tenantId, filter, "last_activity", after ?? first, limit)
  return { found, next: next === null ? null : ({ at: next.at, contactId: next.contactId } satisfies ContactListPlace) }
})

const placeOf = (cursor: string, scope: CursorScope, pepper: Uint8Array): ContactListPlace | null => {
  const [at, contactId] = decodeCursor(cursor, scope, pepper) ?? []
  const isPlace = typeof at === (scope.filters?.["sort"] === "name" ? "string" : "number")
  return at !== undefined && isPlace && typeof contactId === "string" ? { at, contactId } : null
}

/** Returns the cursor scope of a filtered list. Lists in a filter are part of the scope as JSON. */
const scopeOf = (tenantId: string, filter: ContactFilter, sort: ContactSort): CursorScope => ({
  tenantId,
  list: "contacts-enriched",
  filters: {
    ...filter,
    tags: JSON.stringify(filter.tags),
    customFields: JSON.stringify(filter.customFields),
    sort
  }
})

/** The page of a list of contacts that a client requests. */
export interface ContactPage {
  readonly limit: number
  readonly cursor: string | null
  readonly sort: ContactSort
}

/**
 * Returns a page of contacts with their summaries. In the order of the last activity, a single filter uses its own
 * index. Of several filters, the most selective one uses its index, and the others are applied to at most
 * `lookedAtPerPage` rows. Such a page may be short or empty although more pages follow.
 */
export const listEnriched = Effect.fnUntraced(function* (
  tenantId: string,
  filter: ContactFilter,
  { cursor, limit, sort }: ContactPage
) {
  yield* (yield* Tenants).get(tenantId)
  const { pepper } = yield* Secrets
  const scope = scopeOf(tenantId, filter, sort)
  const { lastActivityBefore } = filter
  const first =
    lastActivityBefore === null || sort !== "last_activity" ? null : { at: lastActivityBefore, contactId: "" }
  const start = cursor === null ? first : placeOf(cursor, scope, pepper)
  if (cursor !== null && start === null) return yield* new CursorInvalid()
  const { found, next } = yield* collect(tenantId, filter, sort, start, limit)
  const read = yield* (yield* ContactSummaries).read(
    tenantId,
    found.map(({ contactId }) => contactId)
  )
  const byId = new Map<string, ContactSummary>(read.map((summary) => [summary.contact.contactId, summary]))
  const contacts = found.flatMap(({ contactId }) => byId.get(contactId) ?? [])
  return { contacts, nextCursor: next === null ? null : encodeCursor(scope, [next.at, next.contactId], pepper) }
}, withSpan("listEnriched"))

/**
 * Counts the contacts of a filter. Reads at most `lookedAtPerCount` rows. If the list is longer, `isExact` is false,
 * and at least `count` contacts match.
 */
export const countContacts = Effect.fnUntraced(function* (tenantId: string, filter: ContactFilter) {
  let count = 0
  let after: ContactListPlace | null = null
  for (let lookedAt = 0; lookedAt < lookedAtPerCount; lookedAt += chunkOfCount) {
    const walked: Effect.Success<ReturnType<typeof walk>> = yield* walk(
      tenantId,
      filter,
      "last_activity",
      after,
      chunkOfCount
    )
    count += (yield* matching(tenantId, filter, walked)).length
    if (walked.rows.length < chunkOfCount) return { count, isExact: true }
    after = walked.rows.at(-1) ?? null
  }
  return { count, isExact: false }
}, withSpan("countContacts"))
