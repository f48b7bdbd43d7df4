import type { Contact } from "@leadloom/core/internal/domain/contact/Contact"
import type { ContactTraits } from "@leadloom/core/internal/domain/contact/ContactFilter"
import type {
  ContactListPlace,
  ContactListRow,
  ContactSummary,
  ContactListFilter
} from "@leadloom/core/internal/domain/contact/ContactSummary"
import type { ContactId } from "@leadloom/core/internal/domain/Id"
import {
  ContactSummaries,
  type SortedContactWalk
} from "@leadloom/core/internal/port/repository/contact/ContactSummaries"
import { Effect, Layer } from "effect"
import { Database } from "../../Database.ts"
import { contacts } from "./Contacts.ts"
import { newest, oldest, type Queries } from "../../sql/Queries.ts"

interface StoredContactListRow extends Omit<ContactListRow, "hasEmail" | "hasPhone"> {
  readonly hasEmail: number
  readonly hasPhone: number
}

type SummaryRow = Omit<ContactSummary, "contact"> & Contact

const rowColumns = `d.contact_id AS "contactId", d.last_activity_at AS "lastActivityAt", d.channel, d.state, d.tier,
  d.has_email AS "hasEmail", d.has_phone AS "hasPhone"`

/**
 * Returns a query that reads one range of an index. The columns of the index are those of the filter, followed by
 * archived, time and id.
 */
const walkText = (source: string, key: string, filter: string): string =>
  `SELECT ${rowColumns} FROM ${source}
    WHERE ${key}.tenant_id = ? AND ${key}.archived = ? AND ${filter}
      ${key}.last_activity_at > ? AND (${key}.last_activity_at, ${key}.contact_id) < (?, ?)
    ORDER BY ${key}.last_activity_at DESC, ${key}.contact_id DESC LIMIT ?`

/** Contacts without a name follow all others. `lower` converts only A to Z, like the index. */
const nameKey = "coalesce(lower(p.name), '\u{10FFFD}')"

/** The places of the orders other than the last activity, and the comparison that continues the list. */
const orders = {
  created: { key: "p.created_at", beyond: "<", direction: "DESC", index: "contacts_newest", archive: "contacts_archived" },
  name: { key: nameKey, beyond: ">", direction: "ASC", index: "contacts_name", archive: "contacts_archived_name" }
} as const

const sortedText = (sort: keyof typeof orders, archived: boolean, by: Queries["by"]): string => {
  const { archive, beyond, direction, index, key } = orders[sort]
  return `SELECT ${rowColumns}, ${key} AS "at" FROM contacts p ${by(archived ? archive : index)}
      JOIN contact_list d ON d.tenant_id = p.tenant_id AND d.contact_id = p.contact_id
    WHERE p.tenant_id = ? AND ${archived ? "p.archived_at IS NOT NULL AND p.merged_into IS NULL" : "p.archived_at IS NULL"}
      AND (${key}, p.contact_id) ${beyond} (?, ?)
    ORDER BY ${key} ${direction}, p.contact_id ${direction} LIMIT ?`
}

/** Statements that sort the list and apply filters of other tables to given contacts. */
const sorting = ({ by, isOneOf, query }: Queries) => {
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

const listRow = <Row extends StoredContactListRow>(row: Row) => ({
  ...row,
  hasEmail: row.hasEmail === 1,
  hasPhone: row.hasPhone === 1
})

/** Lists contacts in SQL. */
export const layer: Layer.Layer<ContactSummaries, never, Database> = Layer.effect(
  ContactSummaries,
  Effect.map(Database, (database) => {
    const { by, isOneOf, query } = database
    const walkOf = (source: string, key: string, filter: string) =>
      query<StoredContactListRow>(walkText(source, key, filter))
    const walkBy = (column: string) =>
      walkOf(`contact_list d ${by(`contact_list_${column}`)}`, "d", `d.${column} = ? AND`)
    const walks = {
      nothing: walkOf(`contact_list d ${by("contact_list_newest")}`, "d", ""),
      tier: walkBy("tier"),
      state: walkBy("state"),
      channel: walkBy("channel"),
      tag: walkOf(
        `contact_tags t ${by("contact_tags_newest")}
          JOIN contact_list d ON d.tenant_id = t.tenant_id AND d.contact_id = t.contact_id`,
        "t",
        "t.tag = ? AND"
      )
    }
    const valueOf = (filter: ContactListFilter): ReadonlyArray<string> =>
      filter.by === "nothing" ? [] : [filter.value]
    const read = contacts.reading({ query }).all<SummaryRow>(
      `SELECT ${contacts.columnsOf("p")}, d.last_activity_at AS "lastActivityAt", d.channel, d.state, d.tier,
          c.last_message AS "lastMessage", coalesce(c.unread, 0) AS unread, c.lead_id AS "leadId", l.score
        FROM contacts p JOIN contact_list d ON d.tenant_id = p.tenant_id AND d.contact_id = p.contact_id
          LEFT JOIN conversations c ON c.tenant_id = p.tenant_id AND c.contact_id = p.contact_id
          LEFT JOIN leads l ON l.tenant_id = c.tenant_id AND l.lead_id = c.lead_id
        WHERE p.tenant_id = ? AND ${isOneOf("p.contact_id")}`
    )
    return ContactSummaries.of({
      ...sorting(database),
      walk: ({ activeAfter, after, archived, filter, limit, tenantId }) =>
        Effect.map(
          walks[filter.by](
            tenantId,
            archived ? 1 : 0,
            ...valueOf(filter),
            activeAfter,
            after?.lastActivityAt ?? newest,
            after?.contactId ?? "",
            limit
          ),
          (rows) => rows.map(listRow)
        ),
      read: (tenantId, contactIds) =>
        contactIds.length === 0
          ? Effect.succeed([])
          : Effect.map(read(tenantId, JSON.stringify(contactIds)), (rows) =>
              rows.map(({ channel, lastActivityAt, lastMessage, leadId, score, state, tier, unread, ...contact }) => ({
                contact,
                channel,
                lastActivityAt,
                lastMessage,
                leadId,
                score,
                state,
                tier,
                unread
              }))
            )
    })
  })
)
