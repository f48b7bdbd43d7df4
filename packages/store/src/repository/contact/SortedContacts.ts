import type { ContactTraits } from "@leadloom/core/internal/domain/contact/ContactFilter"
import type { ContactListPlace, ContactListRow } from "@leadloom/core/internal/domain/contact/ContactSummary"
import type { ContactId } from "@leadloom/core/internal/domain/Id"
import type { SortedContactWalk } from "@leadloom/core/internal/port/repository/contact/ContactSummaries"
import { Effect } from "effect"
import { newest, oldest, type Queries } from "../../sql/Queries.ts"

/** A row of the contact list as stored. */
export interface StoredContactListRow extends Omit<ContactListRow, "hasEmail" | "hasPhone"> {
  readonly hasEmail: number
  readonly hasPhone: number
}

/** The selected columns of a row of the contact list. */
export const rowColumns = `d.contact_id AS "contactId", d.last_activity_at AS "lastActivityAt", d.channel, d.state, d.tier,
  d.has_email AS "hasEmail", d.has_phone AS "hasPhone"`

/** Converts a stored row of the contact list. */
export const listRow = <Row extends StoredContactListRow>(row: Row) => ({
  ...row,
  hasEmail: row.hasEmail === 1,
  hasPhone: row.hasPhone === 1
})

/** Contacts without a name follow all others. `lower` converts only A to Z, like the index. */
const nameKey = "coalesce(lower(p.name), '\u{10FFFD}')"

/** The places of the orders other than the last activity, and the comparison that continues the list. */
const orders = {
  created: {
    key: "p.created_at",
    beyond: "<",
    direction: "DESC",
    index: "contacts_newest",
    archive: "contacts_archived"
  },
  name: { key: nameKey, beyond: ">", direction: "ASC", index: "contacts_name", archive: "contacts_archived_name" }
} as const

/** SQLite uses an index on an expression only with a comparison of that expression alone. */
const sortedText = (sort: keyof typeof orders, archived: boolean, by: Queries["by"]): string => {
  const { archive, beyond, direction, index, key } = orders[sort]
  return `SELECT ${rowColumns}, ${key} AS "at" FROM contacts p ${by(archived ? archive : index)}
      JOIN contact_list d ON d.tenant_id = p.tenant_id AND d.contact_id = p.contact_id
    WHERE p.tenant_id = ? AND ${archived ? "p.archived_at IS NOT NULL AND p.merged_into IS NULL" : "p.archived_at IS NULL"}
      AND ${key} ${beyond}= ? AND (${key}, p.contact_id) ${beyond} (?, ?)
    ORDER BY ${key} ${direction}, p.contact_id ${direction} LIMIT ?`
}

/** Statements that sort the list and apply filters of other tables to given contacts. */
export const sortedContacts = ({ by, isOneOf, query }: Queries) => {
  const walkOf = (sort: keyof typeof orders, archived: boolean) =>
    query<StoredContactListRow & ContactListPlace>(sortedText(sort, archived, by))
  const walks = {
    created: { active: walkOf("created", false), archived: walkOf("created", true) },
    name: { active: walkOf("name", false), archived: walkOf("name", true) }
  }
  const starts = { created: newest, name: "" }
  const traits = `SELECT p.contact_id AS "contactId" FROM contacts p
    WHERE p.tenant_id = ? AND ${isOneOf("p.contact_id")} AND p.created_at > ? AND p.created_at < ?
      AND (SELECT count(*) FROM contact_tags t
        WHERE t.tenant_id = p.tenant_id AND t.contact_id = p.contact_id AND ${isOneOf("t.tag")}) = ?`
  const having = query<{ readonly contactId: ContactId }>(traits)
  // The expression removes the prefix `email:` or `phone:`. Both have six characters.
  const havingConsent = query<{ readonly contactId: ContactId }>(
    `${traits} AND (SELECT max(o.opted_out) FROM identities i ${by("identities_contact")}
        JOIN opt_outs o ON o.tenant_id = i.tenant_id AND o.phone = substr(i.identity, 7)
      WHERE i.tenant_id = p.tenant_id AND i.contact_id = p.contact_id) = ?`
  )
  return {
    walkSorted: ({ after, archived, limit, sort, tenantId }: SortedContactWalk) =>
      Effect.map(
        walks[sort][archived ? "archived" : "active"](
          tenantId,
          after?.at ?? starts[sort],
          after?.at ?? starts[sort],
          after?.contactId ?? "",
          limit
        ),
        (rows) => rows.map(listRow)
      ),
    having: (
      tenantId: string,
      contactIds: ReadonlyArray<ContactId>,
      { consent, createdAfter, createdBefore, tags }: ContactTraits
    ) => {
      const wanted = [...new Set(tags)]
      const params = [
        tenantId,
        JSON.stringify(contactIds),
        createdAfter ?? oldest,
        createdBefore ?? newest,
        JSON.stringify(wanted),
        wanted.length
      ]
      const found = consent === null ? having(...params) : havingConsent(...params, consent === "opted_out" ? 1 : 0)
      return Effect.map(found, (rows) => new Set(rows.map(({ contactId }) => contactId)))
    }
  }
}
