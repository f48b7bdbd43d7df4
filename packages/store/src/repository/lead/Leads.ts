/**
 * Repositories of leads, their scores and tasks. Rules about them belong in core. Tests:
 * `packages/testkit/src/suite/lead`, `packages/testkit/src/suite/task`.
 */
import { type Lead, LeadNotFound } from "@leadloom/core/domain/lead/Lead"
import { Leads } from "@leadloom/core/port/repository/lead/Leads"
import { Effect, Layer } from "effect"
import { Database } from "../../Database.ts"
import { contactList } from "../contact/ContactList.ts"
import { readArray, readObject } from "../../sql/Json.ts"
import { leadPages } from "./LeadPages.ts"
import { first } from "../../sql/Queries.ts"
import { table } from "../../sql/Table.ts"

interface LeadRow extends Omit<Lead, "factors" | "classification"> {
  readonly factors: string
  readonly classification: string | null
}

const leads = table<LeadRow>(
  "leads",
  {
    tenantId: "tenant_id",
    leadId: "lead_id",
    contactId: "contact_id",
    threadId: "thread_id",
    channel: "channel",
    source: "source",
    state: "state",
    score: "score",
    tier: "tier",
    assignee: "assignee",
    createdAt: "created_at",
    updatedAt: "updated_at",
    lastMessageAt: "last_message_at",
    mergedInto: "merged_into",
    subject: "subject",
    classification: "classification",
    factors: "factors"
  },
  ["tenantId", "leadId"]
)

const toRow = (lead: Lead): LeadRow => ({
  ...lead,
  factors: JSON.stringify(lead.factors),
  classification: lead.classification === null ? null : JSON.stringify(lead.classification)
})

const fromRow = (row: LeadRow): Lead => ({
  ...row,
  factors: readArray(row.factors),
  classification: row.classification === null ? null : readObject(row.classification)
})

/** Stores leads in SQL. */
export const layer: Layer.Layer<Leads, never, Database> = Layer.effect(
  Leads,
  Effect.map(Database, (database) => {
    const { command, isOneOf, query, whole } = database
    const { refreshState } = contactList(database)
    const insert = command(leads.insert)
    const find = query<LeadRow>(`SELECT ${leads.columns} FROM leads WHERE tenant_id = ? AND lead_id = ?`)
    const update = command(leads.replace)
    // Reads `leads_contact` backwards from the newest lead. It skips only won and merged leads.
    const newestNotWon = query<LeadRow>(
      `SELECT ${leads.columns} FROM leads
        WHERE tenant_id = ? AND contact_id = ? AND state <> 'won' AND merged_into IS NULL
        ORDER BY last_message_at DESC, lead_id DESC LIMIT 1`
    )
    const ofContact = query<LeadRow>(
      `SELECT ${leads.columns} FROM leads
        WHERE tenant_id = ? AND contact_id = ? ORDER BY last_message_at DESC, lead_id DESC LIMIT ?`
    )
    const page = leadPages<LeadRow>(database, leads.columnsOf("l"))
    // Searches one tenant after another, because every index of leads starts with the tenant.
    const located = (ofWhom: string) =>
      query<LeadRow>(
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
      insert: (lead) => insert(...leads.values(toRow(lead))),
      get: Effect.fnUntraced(function* (tenantId, leadId) {
        const row = first(yield* find(tenantId, leadId))
        return row === null ? yield* new LeadNotFound({ leadId }) : fromRow(row)
      }),
      update: (lead) =>
        whole(Effect.andThen(update(...leads.changes(toRow(lead))), refreshState(lead.tenantId, lead.contactId))),
      newestNotWon: (tenantId, contactId) =>
        Effect.map(newestNotWon(tenantId, contactId), (rows) => {
          const row = first(rows)
          return row === null ? null : fromRow(row)
        }),
      ofContact: (tenantId, contactId, limit) =>
        Effect.map(ofContact(tenantId, contactId, limit), (rows) => rows.map(fromRow)),
      page: (tenantId, requested, limit, after) =>
        Effect.map(page(tenantId, requested, limit, after), (rows) => rows.map(fromRow)),
      locate: Effect.fnUntraced(function* (tenants, leadId) {
        const found = tenants === "all" ? locateAnywhere(leadId) : locate(JSON.stringify(tenants), leadId)
        const row = first(yield* found)
        return row === null ? yield* new LeadNotFound({ leadId }) : fromRow(row)
      }),
      markMerged: (tenantId, into, from, at) =>
        from.length === 0 ? Effect.void : markMerged(into, at, tenantId, JSON.stringify(from))
    })
  })
)
