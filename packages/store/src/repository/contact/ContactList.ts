import type { Contact } from "@leadloom/core/internal/domain/contact/Contact"
import { indexedTagsOf } from "@leadloom/core/internal/domain/contact/ContactFacet"
import { Effect } from "effect"
import type { Queries } from "../../sql/Queries.ts"
import { lastOfEach } from "../../sql/ArrayRows.ts"
import type { Row, RowsForm } from "../../unit/RowsForm.ts"

const columns = ["last_activity_at", "archived", "channel", "state", "tier", "has_email", "has_phone"]

/**
 * Returns a statement that derives rows of the contact list from contact, conversation and lead. It writes only rows
 * that have changed.
 */
const refreshWhere = (which: string, from = "contacts p"): string =>
  `INSERT INTO contact_list (tenant_id, contact_id, ${columns.join(", ")})
    SELECT p.tenant_id, p.contact_id, coalesce(c.last_timestamp, p.created_at),
      CASE WHEN p.merged_into IS NOT NULL THEN 2 WHEN p.archived_at IS NOT NULL THEN 1 ELSE 0 END,
      c.last_channel, l.state, l.tier,
      CASE WHEN p.email IS NULL THEN 0 ELSE 1 END, CASE WHEN p.phone IS NULL THEN 0 ELSE 1 END
    FROM ${from} LEFT JOIN conversations c ON c.tenant_id = p.tenant_id AND c.contact_id = p.contact_id
      LEFT JOIN leads l ON l.tenant_id = c.tenant_id AND l.lead_id = c.lead_id
    WHERE ${which}
    ON CONFLICT (tenant_id, contact_id) DO UPDATE SET ${columns.map((name) => `${name} = excluded.${name}`).join(", ")}
    WHERE ${columns.map((name) => `contact_list.${name} IS DISTINCT FROM excluded.${name}`).join(" OR ")}`

const ofOne = { types: ["text", "text"], combine: lastOfEach(2), phase: "list" } as const

/** The forms of the statements that update the list for one contact: tenant and contact, and a JSON array of tags. */
const forms = ({ isOneOf, items }: Queries) => {
  const refresh: RowsForm = {
    ...ofOne,
    text: refreshWhere("p.tenant_id = ? AND p.contact_id = ?"),
    batch: (source) =>
      refreshWhere(
        "true",
        `${source} AS item(tenant_id, contact_id)
          JOIN contacts p ON p.tenant_id = item.tenant_id AND p.contact_id = item.contact_id`
      )
  }
  const removeTags: RowsForm = {
    ...ofOne,
    types: ["text", "text", "jsonb"],
    text: `DELETE FROM contact_tags WHERE tenant_id = ? AND contact_id = ? AND NOT (${isOneOf("tag")})`,
    batch: (source) =>
      `DELETE FROM contact_tags USING ${source} AS item(tenant_id, contact_id, tags)
        WHERE contact_tags.tenant_id = item.tenant_id AND contact_tags.contact_id = item.contact_id
          AND NOT EXISTS (SELECT 1 FROM jsonb_array_elements_text(item.tags) AS kept(tag)
            WHERE kept.tag = contact_tags.tag)`
  }
  // The statement skips tags of more than 64 characters: no request can filter by them, and Postgres limits the size of
  // an index entry.
  const addTags: RowsForm = {
    ...removeTags,
    text: `INSERT INTO contact_tags (tenant_id, contact_id, tag, archived, last_activity_at)
      SELECT d.tenant_id, d.contact_id, item.value, d.archived, d.last_activity_at
      FROM (SELECT * FROM contact_list WHERE tenant_id = ? AND contact_id = ?) d CROSS JOIN ${items}
      WHERE length(item.value) <= 64
      ON CONFLICT (tenant_id, contact_id, tag) DO NOTHING`,
    batch: (source) =>
      `INSERT INTO contact_tags (tenant_id, contact_id, tag, archived, last_activity_at)
        SELECT d.tenant_id, d.contact_id, added.tag, d.archived, d.last_activity_at
        FROM ${source} AS item(tenant_id, contact_id, tags)
          JOIN contact_list d ON d.tenant_id = item.tenant_id AND d.contact_id = item.contact_id
          CROSS JOIN LATERAL jsonb_array_elements_text(item.tags) AS added(tag)
        WHERE length(added.tag) <= 64 ON CONFLICT (tenant_id, contact_id, tag) DO NOTHING`
  }
  return { refresh, removeTags, addTags }
}

const keyOf = ({ contactId, tenantId }: Contact) => [tenantId, contactId] as const

/** Returns the rows of `removeTags` and `addTags`. Contacts without tags need no row of `addTags`. */
const tagRows = (contacts: ReadonlyArray<Contact>, onlyTagged: boolean): ReadonlyArray<Row> =>
  contacts.flatMap((contact) => {
    const tags = indexedTagsOf(contact)
    return onlyTagged && tags.length === 0 ? [] : [[...keyOf(contact), JSON.stringify(tags)]]
  })

/**
 * The statements that update the contact list. They run in the transaction of the change, so that the list is always
 * current.
 */
export const contactList = (database: Queries) => {
  const { command, isOneOf, rows, whole } = database
  const form = forms(database)
  const refreshRows = rows(form.refresh)
  const [removeTags, addTags] = [rows(form.removeTags), rows(form.addTags)]
  const refresh = (tenantId: string, contactId: string) => refreshRows([[tenantId, contactId]])
  const ofLeads = (column: string) =>
    `${column} IN (SELECT m.contact_id FROM messages m WHERE m.tenant_id = ? AND ${isOneOf("m.lead_id")})`
  const refreshOfLeads = command(refreshWhere(`p.tenant_id = ? AND ${ofLeads("p.contact_id")}`))
  return {
    /** Updates the contact list. Call it after a change of a conversation or a lead. A trigger moves the tags with it. */
    refresh,
    /**
     * Updates the contact list after a merge of leads. At this time, the conversations already refer to the remaining
     * lead, but the messages do not.
     */
    refreshOfLeads: (tenantId: string, leadIds: ReadonlyArray<string>) =>
      refreshOfLeads(tenantId, tenantId, JSON.stringify(leadIds)),
    /** Adds created contacts with their tags to the contact list. */
    addTagged: (contacts: ReadonlyArray<Contact>) =>
      whole(Effect.andThen(refreshRows(contacts.map(keyOf)), addTags(tagRows(contacts, true)))),
    /** Updates the contact list after a change of contacts or their tags. */
    refreshTagged: (contacts: ReadonlyArray<Contact>) => {
      const keys = contacts.map(keyOf)
      const tags = Effect.andThen(removeTags(tagRows(contacts, false)), addTags(tagRows(contacts, true)))
      return whole(Effect.andThen(refreshRows(keys), tags))
    }
  }
}
