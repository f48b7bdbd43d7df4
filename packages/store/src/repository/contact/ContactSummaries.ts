import type { Contact } from "@leadloom/core/internal/domain/contact/Contact"
import type { ContactSummary, ContactListFilter } from "@leadloom/core/internal/domain/contact/ContactSummary"
import { ContactSummaries } from "@leadloom/core/internal/port/repository/contact/ContactSummaries"
import { type Context, Effect, Layer } from "effect"
import { Database } from "../../Database.ts"
import { contacts } from "./Contacts.ts"
import { newest, type Queries } from "../../sql/Queries.ts"
import { listRow, rowColumns, sortedContacts, type StoredContactListRow } from "./SortedContacts.ts"

type SummaryRow = Omit<ContactSummary, "contact"> & Contact

/**
 * Returns a query that reads one range of an index. The columns of the index are those of the filter, followed by
 * archived, time and id.
 */
const walkText = (source: string, key: string, filter: string): string =>
  `SELECT ${rowColumns} FROM ${source}
    WHERE ${key}.tenant_id = ? AND ${key}.archived = ? AND ${filter}
      ${key}.last_activity_at > ? AND (${key}.last_activity_at, ${key}.contact_id) < (?, ?)
    ORDER BY ${key}.last_activity_at DESC, ${key}.contact_id DESC LIMIT ?`

/** The statement for each filter of the list that an index answers. */
const walking = ({ by, query }: Queries): Pick<Context.Service.Shape<typeof ContactSummaries>, "walk"> => {
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
  const valueOf = (filter: ContactListFilter): ReadonlyArray<string> => (filter.by === "nothing" ? [] : [filter.value])
  return {
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
      )
  }
}

/** Lists contacts in SQL. */
export const layer: Layer.Layer<ContactSummaries, never, Database> = Layer.effect(
  ContactSummaries,
  Effect.map(Database, (database) => {
    const { isOneOf, query } = database
    const read = contacts.reading({ query }).all<SummaryRow>(
      `SELECT ${contacts.columnsOf("p")}, d.last_activity_at AS "lastActivityAt", d.channel, d.state, d.tier,
          c.last_message AS "lastMessage", coalesce(c.unread, 0) AS unread, c.lead_id AS "leadId", l.score
        FROM contacts p JOIN contact_list d ON d.tenant_id = p.tenant_id AND d.contact_id = p.contact_id
          LEFT JOIN conversations c ON c.tenant_id = p.tenant_id AND c.contact_id = p.contact_id
          LEFT JOIN leads l ON l.tenant_id = c.tenant_id AND l.lead_id = c.lead_id
        WHERE p.tenant_id = ? AND ${isOneOf("p.contact_id")}`
    )
    return ContactSummaries.of({
      ...walking(database),
      ...sortedContacts(database),
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
