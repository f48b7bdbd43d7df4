import { Effect } from "effect"
import { Secrets } from "../../domain/access/Secrets.ts"
import type { Channel } from "../../domain/Channel.ts"
import { CursorInvalid, type CursorScope, decodeCursor, encodeCursor } from "../../domain/conversation/Cursor.ts"
import type { LeadState } from "../../domain/lead/LeadState.ts"
import type { Tier } from "../../domain/lead/Score.ts"
import { ContactSummaries } from "../../port/repository/contact/ContactSummaries.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { normalizeTag } from "../../domain/contact/ContactFields.ts"
import type {
  ContactListRow,
  ContactSummary,
  ContactListFilter,
  ContactListKey
} from "../../domain/contact/ContactSummary.ts"
import { withSpan } from "../WithSpan.ts"

/** The filters of the list. A contact must satisfy all of them. A null field does not filter. */
export interface EnrichedFilter {
  readonly tier: Tier | null
  readonly state: LeadState | null
  /** The channel of the newest message. */
  readonly channel: Channel | null
  readonly tag: string | null
  readonly hasEmail: boolean | null
  readonly hasPhone: boolean | null
  /** The bounds of the last activity in epoch milliseconds. Both are exclusive. */
  readonly lastActivityAfter: number | null
  readonly lastActivityBefore: number | null
  readonly archived: boolean
}

/** The maximum number of rows of the contact list that are read for one page with several filters. */
const lookedAtPerPage = 2_000

/** Returns the most selective filter that an index answers. `matches` applies the others. */
const indexed = ({ channel, state, tag, tier }: EnrichedFilter): ContactListFilter => {
  if (tag !== null) return { by: "tag", value: normalizeTag(tag) }
  if (tier !== null) return { by: "tier", value: tier }
  if (state !== null) return { by: "state", value: state }
  return channel === null ? { by: "nothing" } : { by: "channel", value: channel }
}

const matches = (row: ContactListRow, { channel, hasEmail, hasPhone, state, tier }: EnrichedFilter): boolean =>
  (tier === null || row.tier === tier) &&
  (state === null || row.state === state) &&
  (channel === null || row.channel === channel) &&
  (hasEmail === null || row.hasEmail === hasEmail) &&
  (hasPhone === null || row.hasPhone === hasPhone)

/** Reads rows until the page is full, the list ends, or `lookedAtPerPage` rows are read. */
const collect = Effect.fnUntraced(function* (
  tenantId: string,
  filter: EnrichedFilter,
  start: ContactListKey | null,
  limit: number
) {
  const summaries = yield* ContactSummaries
  const found: Array<ContactListRow> = []
  const chunk = limit + 1
  let after = start
  for (let lookedAt = 0; lookedAt < lookedAtPerPage; lookedAt += chunk) {
    const rows = yield* summaries.walk({
      tenantId,
      archived: filter.archived,
      filter: indexed(filter),
      activeAfter: filter.lastActivityAfter ?? -1,
      after,
      limit: chunk
    })
    for (const row of rows) {
      if (found.length === limit) return { found, next: after }
      if (matches(row, filter)) found.push(row)
      after = row
    }
    if (rows.length < chunk) return { found, next: null }
  }
  return { found, next: after }
})

const startOf = (cursor: string, scope: CursorScope, pepper: Uint8Array): ContactListKey | null => {
  const [lastActivityAt, contactId] = decodeCursor(cursor, scope, pepper) ?? []
  return typeof lastActivityAt === "number" && typeof contactId === "string" ? { lastActivityAt, contactId } : null
}

/**
 * Returns a page of contacts with their summaries, latest activity first. A single filter uses its own index. Of
 * several filters, the most selective one uses its index, and the others are applied to at most `lookedAtPerPage` rows.
 * Such a page may be short or empty although more pages follow.
 */
export const listEnriched = Effect.fnUntraced(function* (
  tenantId: string,
  filter: EnrichedFilter,
  page: { readonly limit: number; readonly cursor: string | null }
) {
  yield* (yield* Tenants).get(tenantId)
  const { pepper } = yield* Secrets
  const scope: CursorScope = { tenantId, list: "contacts-enriched", filters: { ...filter } }
  const { lastActivityBefore } = filter
  const first = lastActivityBefore === null ? null : { lastActivityAt: lastActivityBefore, contactId: "" }
  const start = page.cursor === null ? first : startOf(page.cursor, scope, pepper)
  if (page.cursor !== null && start === null) return yield* new CursorInvalid()
  const { found, next } = yield* collect(tenantId, filter, start, page.limit)
  const read = yield* (yield* ContactSummaries).read(
    tenantId,
    found.map(({ contactId }) => contactId)
  )
  const byId = new Map<string, ContactSummary>(read.map((summary) => [summary.contact.contactId, summary]))
  const contacts = found.flatMap(({ contactId }) => byId.get(contactId) ?? [])
  const nextCursor = next === null ? null : encodeCursor(scope, [next.lastActivityAt, next.contactId], pepper)
  return { contacts, nextCursor }
}, withSpan("listEnriched"))
