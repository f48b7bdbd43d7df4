import { Effect } from "effect"
import { Secrets } from "../../domain/access/Secrets.ts"
import { CursorInvalid, type CursorScope, decodeCursor, encodeCursor } from "../../domain/conversation/Cursor.ts"
import { Contacts } from "../../port/repository/contact/Contacts.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { resolveMergedContact } from "./ResolveMergedContact.ts"
import type { MergeSuggestion, StoredSuggestion, SuggestionKey } from "../../domain/contact/MergeSuggestion.ts"
import { withSpan } from "../WithSpan.ts"

/**
 * The maximum number of suggestions that are read for one page. Some suggestions are obsolete, because their contacts
 * have been merged.
 */
const lookedAtPerPage = 500

/**
 * Returns a suggestion with the contacts that remain after merges. Returns null when both are one contact now, or when
 * another suggestion exists for the pair.
 */
const asOfNow = Effect.fnUntraced(function* (tenantId: string, stored: StoredSuggestion) {
  const primary = yield* resolveMergedContact(tenantId, stored.into)
  const duplicate = yield* resolveMergedContact(tenantId, stored.from)
  if (primary === null || duplicate === null || primary.contactId === duplicate.contactId) return null
  const moved = primary.contactId !== stored.into || duplicate.contactId !== stored.from
  const twin = moved ? yield* (yield* Contacts).suggestion(tenantId, primary.contactId, duplicate.contactId) : null
  const { createdAt, reason } = stored
  return twin === null ? ({ primary, duplicate, reason, createdAt } satisfies MergeSuggestion) : null
})

const keyIn = (cursor: string, scope: CursorScope, pepper: Uint8Array): SuggestionKey | null => {
  const [createdAt, into, from] = decodeCursor(cursor, scope, pepper) ?? []
  const whole = typeof createdAt === "number" && typeof into === "string" && typeof from === "string"
  return whole ? { createdAt, into, from } : null
}

/**
 * Returns a page of pairs of contacts that may be the same person, newest first. A page reads at most `lookedAtPerPage`
 * suggestions, so it may be short or empty although more pages follow.
 */
export const listMergeSuggestions = Effect.fnUntraced(function* (
  tenantId: string,
  page: { readonly limit: number; readonly cursor: string | null }
) {
  yield* (yield* Tenants).get(tenantId)
  const contacts = yield* Contacts
  const { pepper } = yield* Secrets
  const scope: CursorScope = { tenantId, list: "merge-suggestions" }
  let after = page.cursor === null ? null : keyIn(page.cursor, scope, pepper)
  if (page.cursor !== null && after === null) return yield* new CursorInvalid()
  const suggestions: Array<MergeSuggestion> = []
  const chunk = page.limit + 1
  for (let lookedAt = 0; lookedAt < lookedAtPerPage; lookedAt += chunk) {
    const found = yield* contacts.suggestions(tenantId, chunk, after)
    for (const [index, stored] of found.entries()) {
      if (suggestions.length === page.limit) {
        return { suggestions, nextCursor: after === null ? null : encodeCursor(scope, cursorKey(after), pepper) }
      }
      const suggestion = yield* asOfNow(tenantId, stored)
      if (suggestion !== null) suggestions.push(suggestion)
      after = found[index] ?? after
    }
    if (found.length < chunk) return { suggestions, nextCursor: null }
  }
  return { suggestions, nextCursor: after === null ? null : encodeCursor(scope, cursorKey(after), pepper) }
}, withSpan("listMergeSuggestions"))

const cursorKey = ({ createdAt, from, into }: SuggestionKey) => [createdAt, into, from]
