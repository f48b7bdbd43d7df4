/**
 * Repositories of leads, their scores and tasks. Rules about them belong in core. Tests:
 * `packages/testkit/src/suite/lead`, `packages/testkit/src/suite/task`.
 */
import { Lead, LeadNotFound } from "@leadloom/core/internal/domain/lead/Lead"
import { Leads } from "@leadloom/core/internal/port/repository/lead/Leads"
import { Effect, Layer } from "effect"
import { Database, type DatabaseShape } from "../../Database.ts"
import { contactList } from "../contact/ContactList.ts"
import { dealPages } from "./DealPages.ts"
import { leadPages } from "./LeadPages.ts"
import { assignedRows } from "../../sql/AssignedRows.ts"
import { table } from "../../sql/Table.ts"

/** The table of leads. */
export const leads = table(Lead, { name: "leads", key: ["tenantId", "leadId"] })

const isOpen = "state IN ('open', 'engaged', 'qualified') AND merged_into IS NULL"

/** The statements that read the open leads of users and teams. */
const openLeads = (database: DatabaseShape): Pick<Leads["Service"], "heldBy" | "openCounts"> =>
  assignedRows(database, {
    name: "leads",
    columns: leads.columns,
    isOpen,
    isUnfinished: isOpen,
    indexes: { assignee: "leads_assignee_id_created_at", team: "leads_team_id_created_at" },
    prepare: leads.reading(database).all
  })

/** Creates the statements that list leads as deals. */
const dealReading = (database: DatabaseShape): Leads["Service"]["deals"] => {
  const dealIds = dealPages(database)
  const ofIds = leads
    .reading(database)
    .all(`SELECT ${leads.columns} FROM leads WHERE tenant_id = ? AND ${database.isOneOf("lead_id")}`)
  return Effect.fnUntraced(function* (tenantId, query, limit, after) {
    const { ids, next } = yield* dealIds(tenantId, query, limit, after)
    const found = new Map<string, Lead>(
      (yield* ofIds(tenantId, JSON.stringify(ids))).map((lead) => [lead.leadId, lead])
    )
    return { leads: ids.flatMap((id) => found.get(id) ?? []), next }
  })
}

/** Stores leads in SQL. */
export const layer: Layer.Layer<Leads, never, Database> = Layer.effect(
  Leads,
  Effect.map(Database, (database) => {
    const { command, isOneOf, query, rows, whole } = database
    const { all, one } = leads.reading({ query })
    const { refresh } = contactList(database)
    const insert = rows(leads.inserting)
    const find = one(`SELECT ${leads.columns} FROM leads WHERE tenant_id = ? AND lead_id = ?`)
    const replace = command(leads.replace)
    const writeChanges = leads.writingChanges(database)
    // The statement reads the index `leads_contact` backwards from the newest lead. It skips only won and merged leads.
    const newestNotWon = one(
      `SELECT ${leads.columns} FROM leads
        WHERE tenant_id = ? AND contact_id = ? AND state <> 'won' AND merged_into IS NULL
        ORDER BY last_message_at DESC, lead_id DESC LIMIT 1`
    )
    const ofContact = all(
      `SELECT ${leads.columns} FROM leads
        WHERE tenant_id = ? AND contact_id = ? ORDER BY last_message_at DESC, lead_id DESC LIMIT ?`
    )
    const page = leadPages(database, leads.columnsOf("l"), all)
    const deals = dealReading(database)
    // The statement searches one tenant after another, because every index of leads starts with the tenant.
    const located = (ofWhom: string) =>
      one(
        `SELECT ${leads.columnsOf("l")} FROM tenants t CROSS JOIN leads l
          WHERE ${ofWhom} t.archived_at IS NULL AND l.tenant_id = t.tenant_id AND l.lead_id = ? LIMIT 1`
      )
    const locateAnywhere = located("")
    const locate = located(`${isOneOf("t.tenant_id")} AND`)
    const markMerged = command(
      `UPDATE leads SET merged_into = ?, updated_at = ?
        WHERE tenant_id = ? AND ${isOneOf("lead_id")}`
    )
    return Leads.of({
      insert: (lead) => insert([leads.values(lead)]),
      get: (tenantId, leadId) =>
        Effect.flatMap(find(tenantId, leadId), (found) =>
          found === null ? Effect.fail(new LeadNotFound({ leadId })) : Effect.succeed(found)
        ),
      update: (lead, before) => {
        const write = before === undefined ? replace(...leads.changes(lead)) : writeChanges(before, lead)
        // The contact list has no other columns of a lead.
        const isListed = before !== undefined && before.state === lead.state && before.tier === lead.tier
        return isListed ? write : whole(Effect.andThen(write, refresh(lead.tenantId, lead.contactId)))
      },
      newestNotWon,
      ofContact,
      page,
      deals,
      ...openLeads(database),
      locate: Effect.fnUntraced(function* (tenants, leadId) {
        const found = tenants === "all" ? locateAnywhere(leadId) : locate(JSON.stringify(tenants), leadId)
        return (yield* found) ?? (yield* new LeadNotFound({ leadId }))
      }),
      markMerged: (tenantId, into, from, at) =>
        from.length === 0 ? Effect.void : markMerged(into, at, tenantId, JSON.stringify(from))
    })
  })
)
