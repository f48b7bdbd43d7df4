import { type Contact, ContactNotFound } from "@leadloom/core/contact/Contact"
import { type Identity, identityKey } from "@leadloom/core/contact/Identity"
import { Contacts } from "@leadloom/core/port/Contacts"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { readArray } from "./Json.ts"
import { first, newest, queries, type Queries } from "./Queries.ts"
import { table } from "./Table.ts"

interface ContactRow extends Omit<Contact, "tags"> {
  readonly tags: string
}

const contacts = table<ContactRow>(
  "contacts",
  {
    tenantId: "tenant_id",
    contactId: "contact_id",
    name: "name",
    email: "email",
    phone: "phone",
    company: "company",
    tags: "tags",
    createdAt: "created_at",
    updatedAt: "updated_at",
    archivedAt: "archived_at",
    notes: "notes"
  },
  ["tenantId", "contactId"]
)

const toRow = (contact: Contact): ContactRow => ({ ...contact, tags: JSON.stringify(contact.tags) })
const fromRow = (row: ContactRow): Contact => ({ ...row, tags: readArray(row.tags) })
const keysOf = (identities: ReadonlyArray<Identity>): string => JSON.stringify(identities.map(identityKey))

const statements = ({ command, isOneOf, items, query }: Queries) => ({
  find: query<ContactRow>(`SELECT ${contacts.columns} FROM contacts WHERE tenant_id = ? AND contact_id = ?`),
  insert: command(contacts.insert),
  update: command(contacts.replace),
  holders: query<ContactRow & { readonly key: string }>(
    `SELECT i.identity AS "key", ${contacts.columnsOf("c")}
      FROM identities i CROSS JOIN contacts c WHERE i.tenant_id = ? AND ${isOneOf("i.identity")}
        AND c.tenant_id = i.tenant_id AND c.contact_id = i.contact_id`
  ),
  attach: command(
    `INSERT INTO identities (tenant_id, identity, contact_id, created_at)
      SELECT ?, item.value, ?, ? FROM ${items} WHERE true ON CONFLICT (tenant_id, identity) DO NOTHING`
  ),
  detach: command(`DELETE FROM identities WHERE tenant_id = ? AND contact_id = ? AND ${isOneOf("identity")}`),
  markUndeliverable: command(
    `INSERT INTO undeliverable (tenant_id, email, bounced_at, reason) VALUES (?, ?, ?, ?)
      ON CONFLICT (tenant_id, email) DO UPDATE SET bounced_at = excluded.bounced_at, reason = excluded.reason`
  ),
  undeliverable: query<{ readonly reason: string }>(
    "SELECT reason FROM undeliverable WHERE tenant_id = ? AND email = ?"
  ),
  page: query<ContactRow>(
    `SELECT ${contacts.columns} FROM contacts
      WHERE tenant_id = ? AND archived_at IS NULL AND (created_at, contact_id) < (?, ?)
      ORDER BY created_at DESC, contact_id DESC LIMIT ?`
  ),
  suggest: command(
    `INSERT INTO merge_suggestions (tenant_id, first_id, second_id, into_id, from_id, reason, created_at)
      VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (tenant_id, first_id, second_id) DO NOTHING`
  )
})

/** Contacts and their identities in SQL. */
export const layer: Layer.Layer<Contacts, never, SqlClient> = Layer.effect(
  Contacts,
  Effect.map(SqlClient, (sql) => {
    const sqls = statements(queries(sql))
    return Contacts.of({
      get: Effect.fnUntraced(function* (tenantId, contactId) {
        const row = first(yield* sqls.find(tenantId, contactId))
        return row === null ? yield* new ContactNotFound({ contactId }) : fromRow(row)
      }),
      insert: (contact) => sqls.insert(...contacts.values(toRow(contact))),
      update: (contact) => sqls.update(...contacts.changes(toRow(contact))),
      holders: (tenantId, identities) => {
        if (identities.length === 0) return Effect.succeed([])
        const asked = new Map(identities.map((identity) => [identityKey(identity), identity]))
        return Effect.map(sqls.holders(tenantId, JSON.stringify([...asked.keys()])), (rows) =>
          rows.flatMap(({ key, ...row }) => {
            const identity = asked.get(key)
            return identity === undefined ? [] : [{ identity, contact: fromRow(row) }]
          })
        )
      },
      attach: (tenantId, contactId, identities, at) =>
        identities.length === 0 ? Effect.void : sqls.attach(tenantId, contactId, at, keysOf(identities)),
      detach: (tenantId, contactId, identities) =>
        identities.length === 0 ? Effect.void : sqls.detach(tenantId, contactId, keysOf(identities)),
      markUndeliverable: (tenantId, email, at, reason) => sqls.markUndeliverable(tenantId, email, at, reason),
      undeliverable: (tenantId, email) =>
        Effect.map(sqls.undeliverable(tenantId, email), (rows) => first(rows)?.reason ?? null),
      page: (tenantId, limit, after) =>
        Effect.map(sqls.page(tenantId, after?.createdAt ?? newest, after?.contactId ?? "", limit), (rows) =>
          rows.map(fromRow)
        ),
      suggestMerge: (tenantId, into, from, reason, at) => {
        const [firstId, secondId] = into < from ? [into, from] : [from, into]
        return sqls.suggest(tenantId, firstId, secondId, into, from, reason, at)
      }
    })
  })
)
