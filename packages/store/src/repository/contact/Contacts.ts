/**
 * Repositories of contacts and of data about them: identities, merges, opt-outs, numbers and erasure receipts. Tests:
 * `packages/testkit/src/suite/contact`, `packages/store/test/repository`.
 */
import { Contact, ContactNotFound } from "@leadloom/core/internal/domain/contact/Contact"
import { type Identity, identityKey, identityOfKey } from "@leadloom/core/internal/domain/contact/Identity"
import type { StoredSuggestion } from "@leadloom/core/internal/domain/contact/MergeSuggestion"
import { Contacts } from "@leadloom/core/internal/port/repository/contact/Contacts"
import { Effect, Layer } from "effect"
import { Database } from "../../Database.ts"
import { contactList } from "./ContactList.ts"
import type { RowsForm } from "../../unit/RowsForm.ts"
import { type Reading, table } from "../../sql/Table.ts"
import { first, newest, type Queries } from "../../sql/Queries.ts"

export const contacts = table(Contact, { name: "contacts", key: ["tenantId", "contactId"] })

const keysOf = (identities: ReadonlyArray<Identity>): string => JSON.stringify(identities.map(identityKey))

const suggestion = `into_id AS "into", from_id AS "from", reason, created_at AS "createdAt", dismissed_at AS "dismissedAt"`

/** Sorts the two ids of a pair, so that each pair is stored only once. */
const ordered = (one: string, other: string): readonly [string, string] => (one < other ? [one, other] : [other, one])

/** Stores identities that no contact has yet. The values of a row are in the order of the columns. */
const attaching: RowsForm = {
  text: `INSERT INTO identities (tenant_id, identity, contact_id, created_at) VALUES (?, ?, ?, ?)
    ON CONFLICT (tenant_id, identity) DO NOTHING`,
  types: ["text", "text", "text", "bigint"],
  batch: (source) =>
    `INSERT INTO identities (tenant_id, identity, contact_id, created_at) SELECT * FROM ${source}
      ON CONFLICT (tenant_id, identity) DO NOTHING`
}

const statements = ({ command, isOneOf, lookup, query, rows }: Queries, { all, one }: Reading<Contact>) => ({
  find: one(`SELECT ${contacts.columns} FROM contacts WHERE tenant_id = ? AND contact_id = ?`),
  some: all(`SELECT ${contacts.columns} FROM contacts WHERE tenant_id = ? AND ${isOneOf("contact_id")}`),
  insert: rows(contacts.inserting),
  update: rows(contacts.replacing),
  holders: all<Contact & { readonly key: string }>(
    `SELECT i.identity AS "key", ${contacts.columnsOf("c")}
      FROM ${lookup("identities", "identity")} CROSS JOIN contacts c
      WHERE c.tenant_id = i.tenant_id AND c.contact_id = i.contact_id`
  ),
  attach: rows(attaching),
  detach: command(`DELETE FROM identities WHERE tenant_id = ? AND contact_id = ? AND ${isOneOf("identity")}`),
  markUndeliverable: command(
    `INSERT INTO undeliverable (tenant_id, email, bounced_at, reason) VALUES (?, ?, ?, ?)
      ON CONFLICT (tenant_id, email) DO UPDATE SET bounced_at = excluded.bounced_at, reason = excluded.reason`
  ),
  markDeliverable: command("DELETE FROM undeliverable WHERE tenant_id = ? AND email = ?"),
  undeliverable: query<{ readonly reason: string }>(
    "SELECT reason FROM undeliverable WHERE tenant_id = ? AND email = ?"
  ),
  page: all(
    `SELECT ${contacts.columns} FROM contacts
      WHERE tenant_id = ? AND archived_at IS NULL AND (created_at, contact_id) < (?, ?)
      ORDER BY created_at DESC, contact_id DESC LIMIT ?`
  ),
  pageOfArchive: all(
    `SELECT ${contacts.columns} FROM contacts
      WHERE tenant_id = ? AND archived_at IS NOT NULL AND merged_into IS NULL AND (created_at, contact_id) < (?, ?)
      ORDER BY created_at DESC, contact_id DESC LIMIT ?`
  ),
  identities: query<{ readonly identity: string }>(
    "SELECT identity FROM identities WHERE tenant_id = ? AND contact_id = ? ORDER BY identity"
  ),
  suggestions: query<StoredSuggestion>(
    `SELECT ${suggestion} FROM merge_suggestions
      WHERE tenant_id = ? AND dismissed_at IS NULL AND (created_at, first_id, second_id) < (?, ?, ?)
      ORDER BY created_at DESC, first_id DESC, second_id DESC LIMIT ?`
  ),
  findSuggestion: query<StoredSuggestion>(
    `SELECT ${suggestion} FROM merge_suggestions WHERE tenant_id = ? AND first_id = ? AND second_id = ?`
  ),
  dismiss: command(
    `INSERT INTO merge_suggestions (tenant_id, first_id, second_id, into_id, from_id, reason, created_at, dismissed_at)
      VALUES (?, ?, ?, ?, ?, '', ?, ?) ON CONFLICT (tenant_id, first_id, second_id)
      DO UPDATE SET dismissed_at = coalesce(merge_suggestions.dismissed_at, excluded.dismissed_at)`
  ),
  suggest: command(
    `INSERT INTO merge_suggestions (tenant_id, first_id, second_id, into_id, from_id, reason, created_at)
      VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (tenant_id, first_id, second_id) DO NOTHING`
  )
})

/** Returns the writes of contacts with their rows in the contact list. */
const writing = (all: Queries, sqls: ReturnType<typeof statements>) => {
  const { addTagged, refreshTagged } = contactList(all)
  const insert = (added: ReadonlyArray<Contact>) =>
    added.length === 0 ? Effect.void : Effect.andThen(sqls.insert(added.map(contacts.values)), addTagged(added))
  const update = (changed: ReadonlyArray<Contact>) =>
    changed.length === 0
      ? Effect.void
      : Effect.andThen(sqls.update(changed.map(contacts.changes)), refreshTagged(changed))
  const write: Contacts["Service"]["write"] = (tenantId, writes, at) => {
    const recordsOf = (isNew: boolean) => writes.filter((one) => one.isNew === isNew).map(({ contact }) => contact)
    const identities = writes.flatMap((one) =>
      one.identities.map((identity) => [tenantId, identityKey(identity), one.contact.contactId, at])
    )
    const records = Effect.andThen(insert(recordsOf(true)), update(recordsOf(false)))
    return all.whole(Effect.andThen(records, sqls.attach(identities)))
  }
  return { insert, update, write }
}

/** Stores contacts and their identities in SQL. */
export const layer: Layer.Layer<Contacts, never, Database> = Layer.effect(
  Contacts,
  Effect.map(Database, (database) => {
    const all = database
    const sqls = statements(all, contacts.reading(all))
    const { insert, update, write } = writing(all, sqls)
    return Contacts.of({
      get: (tenantId, contactId) =>
        Effect.flatMap(sqls.find(tenantId, contactId), (found) =>
          found === null ? Effect.fail(new ContactNotFound({ contactId })) : Effect.succeed(found)
        ),
      some: (tenantId, contactIds) =>
        contactIds.length === 0 ? Effect.succeed([]) : sqls.some(tenantId, JSON.stringify(contactIds)),
      insert: (contact) => all.whole(insert([contact])),
      update: (contact) => all.whole(update([contact])),
      write,
      holders: (tenantId, identities) => {
        if (identities.length === 0) return Effect.succeed([])
        const requested = new Map(identities.map((identity) => [identityKey(identity), identity]))
        return Effect.map(sqls.holders(JSON.stringify([...requested.keys()]), tenantId), (rows) =>
          rows.flatMap(({ key, ...contact }) => {
            const identity = requested.get(key)
            return identity === undefined ? [] : [{ identity, contact }]
          })
        )
      },
      attach: (tenantId, contactId, identities, at) =>
        identities.length === 0
          ? Effect.void
          : sqls.attach(identities.map((identity) => [tenantId, identityKey(identity), contactId, at])),
      detach: (tenantId, contactId, identities) =>
        identities.length === 0 ? Effect.void : sqls.detach(tenantId, contactId, keysOf(identities)),
      markUndeliverable: (tenantId, email, at, reason) => sqls.markUndeliverable(tenantId, email, at, reason),
      markDeliverable: (tenantId, address) => sqls.markDeliverable(tenantId, address),
      undeliverable: (tenantId, email) =>
        Effect.map(sqls.undeliverable(tenantId, email), (rows) => first(rows)?.reason ?? null),
      identitiesOf: (tenantId, contactId) =>
        Effect.map(sqls.identities(tenantId, contactId), (rows) => rows.map(({ identity }) => identityOfKey(identity))),
      page: (tenantId, limit, after, archived = false) => {
        const page = archived ? sqls.pageOfArchive : sqls.page
        return page(tenantId, after?.createdAt ?? newest, after?.contactId ?? "", limit)
      },
      suggestMerge: (tenantId, into, from, reason, at) =>
        sqls.suggest(tenantId, ...ordered(into, from), into, from, reason, at),
      suggestions: (tenantId, limit, after) => {
        const [firstId, secondId] = after === null ? ["", ""] : ordered(after.into, after.from)
        return sqls.suggestions(tenantId, after?.createdAt ?? newest, firstId, secondId, limit)
      },
      suggestion: (tenantId, one, other) => Effect.map(sqls.findSuggestion(tenantId, ...ordered(one, other)), first),
      dismissSuggestion: (tenantId, into, from, at) =>
        sqls.dismiss(tenantId, ...ordered(into, from), into, from, at, at)
    })
  })
)
