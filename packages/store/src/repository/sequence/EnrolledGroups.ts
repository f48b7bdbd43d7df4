import type { Enrolments } from "@leadloom/core/internal/port/repository/sequence/Enrolments"
import { type Context, Effect } from "effect"
import type { Queries } from "../../sql/Queries.ts"

interface GroupRow {
  readonly heldOut: number
  readonly contacts: number
  readonly answered: number
  readonly won: number
  readonly since: number
}

/**
 * Prepares the statement that counts the contacts of a sequence by group. Each enrolment costs a lookup in the index of
 * the contact's messages and one of the lead.
 */
export const countGroups = ({
  by,
  query
}: Pick<Queries, "by" | "query">): Context.Service.Shape<typeof Enrolments>["groups"] => {
  const groups = query<GroupRow>(
    `SELECT held_out AS "heldOut", count(*) AS contacts, sum(answered) AS answered, sum(won) AS won, min(since) AS since
      FROM (SELECT e.contact_id, CASE WHEN e.state = 'held_out' THEN 1 ELSE 0 END AS held_out, min(e.created_at) AS since,
        max(CASE WHEN e.answered_at IS NOT NULL OR EXISTS (SELECT 1 FROM messages AS m ${by("messages_from_contact")}
          WHERE m.tenant_id = e.tenant_id AND m.contact_id = e.contact_id AND m.actor = 'contact' AND m.auto IS NULL
            AND m.received_at > coalesce(e.replies_after, e.created_at)) THEN 1 ELSE 0 END) AS answered,
        max(CASE WHEN EXISTS (SELECT 1 FROM leads AS l WHERE l.tenant_id = e.tenant_id AND l.lead_id = e.lead_id
          AND l.state = 'won') THEN 1 ELSE 0 END) AS won
        FROM (SELECT tenant_id, contact_id, lead_id, state, replies_after, answered_at, created_at FROM enrolments
          ${by("enrolments_sequence")} WHERE tenant_id = ? AND sequence_id = ? ORDER BY enrolment_id DESC LIMIT ?) AS e
        GROUP BY e.contact_id, CASE WHEN e.state = 'held_out' THEN 1 ELSE 0 END) AS counted
      GROUP BY held_out ORDER BY held_out`
  )
  return (tenantId, sequenceId, limit) =>
    Effect.map(groups(tenantId, sequenceId, limit), (rows) =>
      rows.map(({ answered, contacts, heldOut, since, won }) => ({
        heldOut: Number(heldOut) === 1,
        contacts: Number(contacts),
        answered: Number(answered),
        won: Number(won),
        since: Number(since)
      }))
    )
}
