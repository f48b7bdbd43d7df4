import { identityKey, identityOfKey } from "@leadloom/core/internal/domain/contact/Identity"
import type { ContactId } from "@leadloom/core/internal/domain/Id"
import { Identities } from "@leadloom/core/internal/port/repository/contact/Identities"
import { Effect, Layer } from "effect"
import { Database } from "../../Database.ts"

interface IdentityRow {
  readonly key: string
  readonly label: string | null
  readonly verifiedAt: number | null
  readonly createdAt: number
}

/** Orders identities by age, then by value. The databases order some characters differently. */
const oldestFirst = (one: IdentityRow, other: IdentityRow): number =>
  one.createdAt - other.createdAt || (one.key < other.key ? -1 : 1)

/** Stores the details of identities in SQL. */
export const layer: Layer.Layer<Identities, never, Database> = Layer.effect(
  Identities,
  Effect.map(Database, ({ by, command, isOneOf, query }) => {
    const ofContact = query<IdentityRow>(
      `SELECT identity AS "key", label, verified_at AS "verifiedAt", created_at AS "createdAt"
        FROM identities ${by("identities_contact")}
        WHERE tenant_id = ? AND contact_id = ?`
    )
    const ofContacts = query<{ readonly contactId: ContactId; readonly key: string }>(
      `SELECT contact_id AS "contactId", identity AS "key" FROM identities ${by("identities_contact")}
        WHERE tenant_id = ? AND ${isOneOf("contact_id")}`
    )
    const describe = command("UPDATE identities SET label = ?, verified_at = ? WHERE tenant_id = ? AND identity = ?")
    return Identities.of({
      ofContact: (tenantId, contactId) =>
        Effect.map(ofContact(tenantId, contactId), (rows) =>
          rows.toSorted(oldestFirst).map(({ key, ...details }) => ({ identity: identityOfKey(key), ...details }))
        ),
      ofContacts: (tenantId, contactIds) =>
        Effect.map(ofContacts(tenantId, JSON.stringify(contactIds)), (rows) => {
          const found = Map.groupBy(rows, ({ contactId }) => contactId)
          return new Map([...found].map(([contactId, own]) => [contactId, own.map(({ key }) => identityOfKey(key))]))
        }),
      describe: (tenantId, identity, { label, verifiedAt }) =>
        describe(label, verifiedAt, tenantId, identityKey(identity))
    })
  })
)
