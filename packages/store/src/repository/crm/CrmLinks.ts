/**
 * Repositories of CRM locations, links and synchronisation progress. The requests to a CRM belong in
 * `packages/connectors`. Tests: `packages/testkit/src/suite/crm`.
 */
import { CrmLink } from "@leadloom/core/internal/domain/crm/CrmContact"
import { CrmLinks } from "@leadloom/core/internal/port/repository/crm/CrmLinks"
import { Effect, Layer } from "effect"
import { Database } from "../../Database.ts"
import { table } from "../../sql/Table.ts"

const links = table(CrmLink, { name: "crm_links", key: ["tenantId", "locationId", "crmContactId"] })

/** Stores the links between contacts and CRM records in SQL. */
export const layer: Layer.Layer<CrmLinks, never, Database> = Layer.effect(
  CrmLinks,
  Effect.map(Database, ({ by, command, query }) => {
    const { all, one } = links.reading({ query })
    const ofCrm = one(
      `SELECT ${links.columns} FROM crm_links WHERE tenant_id = ? AND location_id = ? AND crm_contact_id = ?`
    )
    const ofContact = all(
      `SELECT ${links.columns} FROM crm_links ${by("crm_links_contact")}
        WHERE tenant_id = ? AND contact_id = ?
        ORDER BY created_at, location_id, crm_contact_id`
    )
    const insert = command(links.insert)
    const replace = query(`${links.replace} AND version = ? RETURNING 1 AS found`)
    return CrmLinks.of({
      ofCrm,
      ofContact,
      insert: (link) => insert(...links.values(link)),
      replace: (link, version) =>
        Effect.map(replace(...links.changes({ ...link, version: version + 1 }), version), (rows) => rows.length > 0)
    })
  })
)
