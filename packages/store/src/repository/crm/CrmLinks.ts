/**
 * Repositories of CRM locations, links and synchronisation progress. The requests to a CRM belong in
 * `packages/connectors`. Tests: `packages/testkit/src/suite/crm`.
 */
import type { CrmLink } from "@leadloom/core/domain/crm/CrmContact"
import { CrmLinks } from "@leadloom/core/port/repository/crm/CrmLinks"
import { Effect, Layer } from "effect"
import { Database } from "../../Database.ts"
import { readObject } from "../../sql/Json.ts"
import { first } from "../../sql/Queries.ts"
import { table } from "../../sql/Table.ts"

interface LinkRow extends Omit<CrmLink, "ours" | "theirs" | "sending"> {
  readonly ours: string
  readonly theirs: string
  readonly sending: string | null
}

const links = table<LinkRow>(
  "crm_links",
  {
    tenantId: "tenant_id",
    locationId: "location_id",
    crmContactId: "crm_contact_id",
    contactId: "contact_id",
    ours: "ours",
    theirs: "theirs",
    sending: "sending",
    version: "version",
    goneAt: "gone_at",
    createdAt: "created_at",
    updatedAt: "updated_at"
  },
  ["tenantId", "locationId", "crmContactId"]
)

const toRow = (link: CrmLink): LinkRow => ({
  ...link,
  ours: JSON.stringify(link.ours),
  theirs: JSON.stringify(link.theirs),
  sending: link.sending === null ? null : JSON.stringify(link.sending)
})

const fromRow = (row: LinkRow): CrmLink => ({
  ...row,
  ours: readObject(row.ours),
  theirs: readObject(row.theirs),
  sending: row.sending === null ? null : readObject(row.sending)
})

/** Stores the links between contacts and CRM records in SQL. */
export const layer: Layer.Layer<CrmLinks, never, Database> = Layer.effect(
  CrmLinks,
  Effect.map(Database, ({ by, command, query }) => {
    const ofCrm = query<LinkRow>(
      `SELECT ${links.columns} FROM crm_links WHERE tenant_id = ? AND location_id = ? AND crm_contact_id = ?`
    )
    const ofContact = query<LinkRow>(
      `SELECT ${links.columns} FROM crm_links ${by("crm_links_contact")}
        WHERE tenant_id = ? AND contact_id = ?
        ORDER BY created_at, location_id, crm_contact_id`
    )
    const insert = command(links.insert)
    const replace = query(`${links.replace} AND version = ? RETURNING 1 AS found`)
    return CrmLinks.of({
      ofCrm: (tenantId, locationId, crmContactId) =>
        Effect.map(ofCrm(tenantId, locationId, crmContactId), (rows) => {
          const row = first(rows)
          return row === null ? null : fromRow(row)
        }),
      ofContact: (tenantId, contactId) => Effect.map(ofContact(tenantId, contactId), (rows) => rows.map(fromRow)),
      insert: (link) => insert(...links.values(toRow(link))),
      replace: (link, version) =>
        Effect.map(
          replace(...links.changes(toRow({ ...link, version: version + 1 })), version),
          (rows) => rows.length > 0
        )
    })
  })
)
