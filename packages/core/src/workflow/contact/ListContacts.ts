import { Effect } from "effect"
import { Secrets } from "../../domain/access/Secrets.ts"
import { CursorInvalid, type CursorScope, decodeCursor, encodeCursor } from "../../domain/conversation/Cursor.ts"
import { type ContactKey, Contacts } from "../../port/repository/contact/Contacts.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { withSpan } from "../WithSpan.ts"

/** The maximum number of contacts that one request names by their ids. */
export const maxNamedContacts = 100

/** Returns the contacts with these ids, newest first. Archived and merged contacts are included; unknown ids are not. */
export const listNamedContacts = Effect.fnUntraced(function* (tenantId: string, contactIds: ReadonlyArray<string>) {
  yield* (yield* Tenants).get(tenantId)
  const found = yield* (yield* Contacts).some(tenantId, contactIds)
  return found.toSorted((one, other) => other.createdAt - one.createdAt)
}, withSpan("listNamedContacts"))

/** Returns a page of active contacts or of archived ones, newest first. */
export const listContacts = Effect.fnUntraced(function* (
  tenantId: string,
  page: { readonly limit: number; readonly cursor: string | null; readonly archived: boolean }
) {
  yield* (yield* Tenants).get(tenantId)
  const { pepper } = yield* Secrets
  const scope: CursorScope = { tenantId, list: "contacts", filters: { archived: page.archived ? true : null } }
  let after: ContactKey | null = null
  if (page.cursor !== null) {
    const [createdAt, contactId] = decodeCursor(page.cursor, scope, pepper) ?? []
    if (typeof createdAt !== "number" || typeof contactId !== "string") return yield* new CursorInvalid()
    after = { createdAt, contactId }
  }
  const found = yield* (yield* Contacts).page(tenantId, page.limit + 1, after, page.archived)
  const contacts = found.slice(0, page.limit)
  const last = contacts.at(-1)
  const more = found.length > page.limit && last !== undefined
  return { contacts, nextCursor: more ? encodeCursor(scope, [last.createdAt, last.contactId], pepper) : null }
}, withSpan("listContacts"))
