import type { ContactMerge, MovedKind } from "@leadloom/core/internal/domain/contact/ContactMerge"
import type { ContactMerges } from "@leadloom/core/internal/port/repository/contact/ContactMerges"
import { type Context, Effect } from "effect"
import { itemsOf, note, ofLead } from "./MergeItems.ts"
import { sinceOfNumbers } from "./MergedNumbers.ts"
import type { Queries } from "../../sql/Queries.ts"

/** A table whose rows belong to a contact. A merge moves each row by the key of the row. */
interface Owned {
  readonly kind: MovedKind
  readonly table: string
  readonly key: string
}

const owned: ReadonlyArray<Owned> = [
  { kind: "identity", table: "identities", key: "identity" },
  { kind: "message", table: "messages", key: "message_id" },
  { kind: "lead", table: "leads", key: "lead_id" },
  { kind: "task", table: "tasks", key: "task_id" },
  { kind: "draft", table: "drafts", key: "draft_id" },
  { kind: "activity", table: "activities", key: "activity_id" },
  { kind: "call", table: "calls", key: "call_id" },
  { kind: "note", table: "notes", key: "note_id" },
  { kind: "scheduled_send", table: "scheduled_sends", key: "message_id" },
  { kind: "agent_draft", table: "agent_drafts", key: "draft_id" },
  { kind: "enrolment", table: "enrolments", key: "enrolment_id" },
  { kind: "trigger_run", table: "trigger_runs", key: "trigger_run_id" }
]

/**
 * The CRM links of a contact. The key of a row is the CRM's contact id, although the primary key does not start with
 * it.
 */
const linked: Owned = { kind: "crm_link", table: "crm_links", key: "crm_contact_id" }

/** Tables whose rows move together with a message. `item` derives the key of the row from the id of the message. */
const followers: ReadonlyArray<Readonly<Record<"table" | "key" | "item", string>> & { readonly index?: string }> = [
  { table: "signals", key: "signal_id", item: "'sig_' || substr(i.item_id, 5)" },
  { table: "runs", key: "signal_id", item: "'sig_' || substr(i.item_id, 5)" },
  { table: "sends", key: "message_id", item: "i.item_id" },
  { table: "tracked_links", key: "message_id", item: "i.item_id", index: "tracked_links_message" }
]

const passing = ({ by, command }: Queries) => ({
  note: [...owned, linked].map(({ key, kind, table }) =>
    command(note(kind, `t.${key} FROM ${table} t WHERE t.tenant_id = ? AND t.contact_id = ?`))
  ),
  /**
   * Statements that move the recorded rows of a merge. They skip rows that no longer belong to the source contact.
   * Guardrail evaluations move with their message.
   */
  pass: [
    ...owned,
    { ...linked, table: `crm_links ${by("crm_links_contact")}` },
    { kind: "message", table: `guard_evaluations ${by("guard_evaluations_contact")}`, key: "message_id" } as const
  ].map(({ key, kind, table }) =>
    command(`UPDATE ${table} SET contact_id = ? WHERE tenant_id = ? AND contact_id = ? AND ${key} IN ${itemsOf(kind)}`)
  ),
  follow: followers.map(({ index, item, key, table }) =>
    command(
      `UPDATE ${table} ${index === undefined ? "" : by(index)} SET contact_id = ? WHERE tenant_id = ? AND ${key} IN ${itemsOf("message", item)}`
    )
  )
})

/**
 * Statements that record rows from the time after a merge that belong to the contact that an undo restores. Run them in
 * this order.
 */
const since = ({ command }: Queries) => {
  const written = (whose: string): string =>
    `EXISTS (SELECT 1 FROM messages m WHERE m.tenant_id = t.tenant_id AND m.lead_id = t.lead_id
      AND m.actor = 'contact' AND m.contact_id = t.contact_id AND m.message_id ${whose} ${itemsOf("message")})`
  const young = ({ column, table, key }: { column: string; table: string; key: string }) =>
    `t.${key} FROM ${table} t WHERE t.tenant_id = ? AND t.contact_id = ? AND t.${column} > ? AND ${ofLead}`
  return {
    fromAddresses: command(
      note(
        "message",
        `t.message_id FROM messages t WHERE t.tenant_id = ? AND t.contact_id = ? AND t.received_at > ?
          AND ('email:' || t.from_address) IN ${itemsOf("identity")}`
      )
    ),
    leads: command(
      note(
        "lead",
        `t.lead_id FROM leads t WHERE t.tenant_id = ? AND t.contact_id = ? AND t.created_at > ?
          AND ${written("IN")} AND NOT ${written("NOT IN")}`
      )
    ),
    restOfLeads: [
      command(note("task", young({ table: "tasks", key: "task_id", column: "created_at" }))),
      command(note("draft", young({ table: "drafts", key: "draft_id", column: "created_at" }))),
      command(note("activity", young({ table: "activities", key: "activity_id", column: "happened_at" })))
    ]
  }
}

const draftsOf = ({ command }: Queries) => ({
  noteOlder: command(
    note(
      "superseded_draft",
      `t.draft_id FROM drafts t JOIN drafts o ON o.tenant_id = t.tenant_id AND o.state = 'pending' AND o.contact_id = ?
        WHERE t.tenant_id = ? AND t.contact_id = ? AND t.state = 'pending'
          AND (o.created_at, o.draft_id) > (t.created_at, t.draft_id)`
    )
  ),
  supersede: command(
    `UPDATE drafts SET state = 'superseded' WHERE tenant_id = ? AND draft_id IN ${itemsOf("superseded_draft")}`
  ),
  restore: command(
    `UPDATE drafts SET state = 'pending'
      WHERE tenant_id = ? AND state = 'superseded' AND draft_id IN ${itemsOf("superseded_draft")}
        AND NOT EXISTS (SELECT 1 FROM drafts o WHERE o.tenant_id = drafts.tenant_id
          AND o.contact_id = drafts.contact_id AND o.state = 'pending')
        AND NOT EXISTS (SELECT 1 FROM messages m WHERE m.tenant_id = drafts.tenant_id
          AND m.contact_id = drafts.contact_id AND m.received_at > ?)`
  )
})

const ages = [
  ["messages", "received_at"],
  ["leads", "created_at"],
  ["tasks", "created_at"],
  ["drafts", "created_at"],
  ["activities", "happened_at"],
  ["calls", "started_at"],
  ["notes", "created_at"],
  ["scheduled_sends", "created_at"],
  ["agent_drafts", "created_at"],
  ["enrolments", "created_at"],
  ["trigger_runs", "created_at"]
] as const

type Moves = Pick<Context.Service.Shape<typeof ContactMerges>, "youngest" | "move" | "moveBack" | "restoreDrafts">

/** Moves the recorded rows of a merge from one contact to the other. */
const passNoted = (all: Queries) => {
  const { follow, pass } = passing(all)
  return Effect.fnUntraced(function* ({ mergeId, tenantId }: ContactMerge, from: string, to: string) {
    for (const statement of pass) yield* statement(to, tenantId, from, tenantId, mergeId)
    for (const statement of follow) yield* statement(to, tenantId, tenantId, mergeId)
  })
}

const moving = (all: Queries): Pick<Moves, "move"> => {
  const { note } = passing(all)
  const drafts = draftsOf(all)
  const pass = passNoted(all)
  const counts = all.query<{ readonly kind: MovedKind; readonly count: number }>(
    `SELECT kind, count(*) AS count FROM contact_merge_items WHERE tenant_id = ? AND merge_id = ? GROUP BY kind`
  )
  const unit = Effect.fnUntraced(function* (merge: ContactMerge) {
    const { duplicateId, mergeId, primaryId, tenantId } = merge
    yield* drafts.noteOlder(mergeId, primaryId, tenantId, duplicateId)
    yield* drafts.noteOlder(mergeId, duplicateId, tenantId, primaryId)
    yield* drafts.supersede(tenantId, tenantId, mergeId)
    for (const statement of note) yield* statement(mergeId, tenantId, duplicateId)
    yield* pass(merge, duplicateId, primaryId)
    const found = new Map((yield* counts(tenantId, mergeId)).map(({ count, kind }) => [kind, Number(count)]))
    const count = (kind: MovedKind): number => found.get(kind) ?? 0
    return {
      identity: count("identity"),
      message: count("message"),
      lead: count("lead"),
      task: count("task"),
      draft: count("draft"),
      superseded_draft: count("superseded_draft"),
      activity: count("activity"),
      call: count("call"),
      note: count("note")
    }
  })
  return { move: (merge) => all.whole(unit(merge)) }
}

const movingBack = (all: Queries): Pick<Moves, "moveBack"> => {
  const later = since(all)
  const numbers = sinceOfNumbers(all)
  const pass = passNoted(all)
  const returned = all.query<{ readonly identity: string }>(
    `SELECT i.item_id AS identity FROM contact_merge_items i
        JOIN identities t ON t.tenant_id = i.tenant_id AND t.identity = i.item_id AND t.contact_id = ?
      WHERE i.tenant_id = ? AND i.merge_id = ? AND i.kind = 'identity'`
  )
  const giveBack = all.command(
    `INSERT INTO identities (tenant_id, identity, contact_id, created_at)
      SELECT i.tenant_id, i.item_id, ?, ? FROM contact_merge_items i
      WHERE i.tenant_id = ? AND i.merge_id = ? AND i.kind = 'identity' ON CONFLICT (tenant_id, identity) DO NOTHING`
  )
  const ofLeads = Effect.fnUntraced(function* ({ mergeId, primaryId, tenantId, watermark }: ContactMerge) {
    const young = [mergeId, tenantId, primaryId, watermark] as const
    const noted = [tenantId, mergeId] as const
    yield* numbers.callsOfLeads(...young, ...noted, ...noted)
    yield* numbers.messagesOfCalls(...young, ...noted)
    yield* numbers.messagesOfLeads(...young, ...noted, ...noted, ...noted)
  })
  const unit = Effect.fnUntraced(function* (merge: ContactMerge) {
    const { duplicateId, mergeId, primaryId, tenantId, watermark } = merge
    const young = [mergeId, tenantId, primaryId, watermark] as const
    yield* giveBack(primaryId, watermark, tenantId, mergeId)
    yield* later.fromAddresses(...young, tenantId, mergeId)
    yield* numbers.texts(...young, tenantId, mergeId)
    yield* numbers.calls(...young, tenantId, mergeId)
    yield* ofLeads(merge)
    yield* later.leads(...young, tenantId, mergeId, tenantId, mergeId)
    yield* ofLeads(merge)
    for (const statement of later.restOfLeads) yield* statement(...young, tenantId, mergeId)
    yield* pass(merge, primaryId, duplicateId)
    const rows = yield* returned(duplicateId, tenantId, mergeId)
    return new Set(rows.map(({ identity }) => identity))
  })
  return { moveBack: (merge) => all.whole(unit(merge)) }
}

/**
 * Moves all rows of one contact to another contact, and back. Uses one statement per table, because a contact may have
 * thousands of rows.
 */
export const contactMoves = (all: Queries): Moves => {
  const { restore } = draftsOf(all)
  const age = ages.map(([table, column]) =>
    all.query<{ readonly youngest: number | null }>(
      `SELECT max(t.${column}) AS youngest FROM ${table} t WHERE t.tenant_id = ? AND t.contact_id = ?`
    )
  )
  return {
    ...moving(all),
    ...movingBack(all),
    youngest: Effect.fnUntraced(function* (tenantId, contactIds) {
      let found = 0
      for (const contactId of contactIds) {
        for (const statement of age) {
          found = Math.max(found, Number((yield* statement(tenantId, contactId))[0]?.youngest ?? 0))
        }
      }
      return found
    }),
    restoreDrafts: ({ mergeId, tenantId, watermark }) => restore(tenantId, tenantId, mergeId, watermark)
  }
}
