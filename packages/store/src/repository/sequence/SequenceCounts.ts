import type { Sequences } from "@leadloom/core/internal/port/repository/sequence/Sequences"
import { type Context, Effect } from "effect"
import { first, type Queries } from "../../sql/Queries.ts"

/** The columns of incidents. */
const columns = { bounced: "bounced", complained: "complained", optedOut: "opted_out" } as const

interface Sums {
  readonly emails: number
  readonly texts: number
  readonly bounced: number
  readonly complained: number
  readonly optedOut: number
}

/** Prepares the statements that count the messages of sequences and their incidents, per period. */
export const counting = ({
  command,
  query
}: Pick<Queries, "command" | "query">): Pick<
  Context.Service.Shape<typeof Sequences>,
  "countIncident" | "countMessage" | "countsSince" | "expireCounts"
> => {
  const add = (column: "emails" | "texts") =>
    command(
      `INSERT INTO sequence_counts (tenant_id, sequence_id, starts_at, emails, texts, bounced, complained, opted_out)
        VALUES (?, ?, ?, ${column === "emails" ? "1, 0" : "0, 1"}, 0, 0, 0)
        ON CONFLICT (tenant_id, sequence_id, starts_at) DO UPDATE SET ${column} = sequence_counts.${column} + 1`
    )
  const messages = { emails: add("emails"), texts: add("texts") }
  const incident = (column: (typeof columns)[keyof typeof columns]) =>
    command(
      `UPDATE sequence_counts SET ${column} = ${column} + 1 WHERE tenant_id = ? AND sequence_id = ? AND starts_at =
        (SELECT max(starts_at) FROM sequence_counts WHERE tenant_id = ? AND sequence_id = ? AND starts_at <= ?)`
    )
  const incidents = {
    bounced: incident("bounced"),
    complained: incident("complained"),
    optedOut: incident("opted_out")
  }
  const expire = query(
    `DELETE FROM sequence_counts WHERE tenant_id = ? AND (sequence_id, starts_at) IN (SELECT sequence_id, starts_at
      FROM sequence_counts WHERE tenant_id = ? AND starts_at < ? ORDER BY starts_at LIMIT ?) RETURNING sequence_id`
  )
  const sums = query<Sums>(
    `SELECT coalesce(sum(emails), 0) AS emails, coalesce(sum(texts), 0) AS texts, coalesce(sum(bounced), 0) AS bounced,
      coalesce(sum(complained), 0) AS complained, coalesce(sum(opted_out), 0) AS "optedOut"
      FROM sequence_counts WHERE tenant_id = ? AND sequence_id = ? AND starts_at >= ?`
  )
  return {
    countMessage: (tenantId, sequenceId, startsAt, field) => messages[field](tenantId, sequenceId, startsAt),
    countIncident: (tenantId, sequenceId, sentAt, field) =>
      incidents[field](tenantId, sequenceId, tenantId, sequenceId, sentAt),
    expireCounts: (tenantId, before, limit) =>
      Effect.map(expire(tenantId, tenantId, before, limit), (rows) => rows.length),
    countsSince: (tenantId, sequenceId, since) =>
      Effect.map(sums(tenantId, sequenceId, since), (rows) => {
        const row = first(rows)
        return {
          emails: Number(row?.emails ?? 0),
          texts: Number(row?.texts ?? 0),
          bounced: Number(row?.bounced ?? 0),
          complained: Number(row?.complained ?? 0),
          optedOut: Number(row?.optedOut ?? 0)
        }
      })
  }
}
