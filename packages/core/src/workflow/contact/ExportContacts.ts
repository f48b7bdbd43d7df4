import { Effect, Option, Stream } from "effect"
import type { Secrets } from "../../domain/access/Secrets.ts"
import type { ContactFilter } from "../../domain/contact/ContactFilter.ts"
import { exportRow, importTargets } from "../../domain/import/ImportMapping.ts"
import type { ContactSummaries } from "../../port/repository/contact/ContactSummaries.ts"
import type { CustomField } from "../../domain/field/CustomField.ts"
import { Identities } from "../../port/repository/contact/Identities.ts"
import { CustomFields } from "../../port/repository/contact/CustomFields.ts"
import { Segments } from "../../port/repository/contact/Segments.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { withSpan } from "../WithSpan.ts"
import { listEnriched } from "./ListEnriched.ts"

/** The number of contacts per read. It bounds the memory of an export. */
const exportPage = 250

/** Reads the next contacts as rows, and the position of the contacts after them. */
const readRows = Effect.fnUntraced(function* (
  tenantId: string,
  filter: ContactFilter,
  definitions: ReadonlyArray<CustomField>,
  cursor: string | null
) {
  const page = { cursor, limit: exportPage, sort: "created" } as const
  const { contacts, nextCursor } = yield* listEnriched(tenantId, filter, page)
  const ids = contacts.map(({ contact }) => contact.contactId)
  const identities = yield* (yield* Identities).ofContacts(tenantId, ids)
  const rows = contacts.map(({ contact }) => exportRow(contact, identities.get(contact.contactId) ?? [], definitions))
  return [rows, nextCursor === null ? Option.none() : Option.some<string | null>(nextCursor)] as const
})

/** Returns the position before the first contact. */
const beginning = (): string | null => null

/**
 * Streams the rows of a CSV file with the contacts of a filter, newest contact first. The first row has the names of the
 * fields, so that an import maps each column to the field of the same name. The next page is read only when the consumer
 * needs it. Reads in the order of creation, because a message during the export does not change this order.
 */
export const exportContacts = Effect.fnUntraced(function* (tenantId: string, filter: ContactFilter) {
  yield* (yield* Tenants).get(tenantId)
  const definitions = yield* (yield* CustomFields).list(tenantId, "contact")
  const services = yield* Effect.context<ContactSummaries | Identities | Secrets | Tenants>()
  const rows = Stream.paginate(beginning(), (cursor) =>
    readRows(tenantId, filter, definitions, cursor).pipe(
      // The cursors come from this export. If the tenant was deleted meanwhile, the export ends as incomplete.
      Effect.catchTag(["CursorInvalid", "TenantNotFound"], (error) => Effect.die(error)),
      Effect.provideContext(services)
    )
  )
  return Stream.concat(Stream.make(importTargets(definitions)), rows)
}, withSpan("exportContacts"))

/** Streams the members of a segment like `exportContacts`. */
export const exportSegment = Effect.fnUntraced(function* (tenantId: string, segmentId: string) {
  yield* (yield* Tenants).get(tenantId)
  const { filters } = yield* (yield* Segments).get(tenantId, segmentId)
  return yield* exportContacts(tenantId, filters)
}, withSpan("exportSegment"))
