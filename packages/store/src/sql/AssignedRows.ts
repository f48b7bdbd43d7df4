import type { WorkHolder } from "@leadloom/core/internal/domain/user/Assignment"
import { Effect } from "effect"
import type { Queries } from "./Queries.ts"
import type { Query } from "./Statements.ts"

/** A table whose rows are assigned to users and teams. */
export interface AssignedTable<A> {
  readonly name: string
  readonly columns: string
  /** The condition of rows that count as the load of their user. */
  readonly isOpen: string
  /** The condition of rows that a deactivated user or a deleted team loses. */
  readonly isUnfinished: string
  /** The indexes that start with the tenant and the user, and with the tenant and the team. */
  readonly indexes: { readonly assignee: string; readonly team: string }
  readonly prepare: (text: string) => Query<A>
}

/** Creates the statements that count the open rows of users, and list the unfinished rows of a user or a team. */
export const assignedRows = <A>(
  { by, isOneOf, query }: Pick<Queries, "by" | "isOneOf" | "query">,
  { columns, indexes, isOpen, isUnfinished, name, prepare }: AssignedTable<A>
) => {
  const counts = query<{ readonly userId: string; readonly open: number }>(
    `SELECT assignee_id AS "userId", count(*) AS open FROM ${name} ${by(indexes.assignee)}
      WHERE tenant_id = ? AND ${isOneOf("assignee_id")} AND ${isOpen} GROUP BY assignee_id`
  )
  const heldBy = (holder: "assignee_id" | "team_id", index: string) =>
    prepare(
      `SELECT ${columns} FROM ${name} ${by(index)} WHERE tenant_id = ? AND ${holder} = ? AND ${isUnfinished} LIMIT ?`
    )
  const ofUser = heldBy("assignee_id", indexes.assignee)
  const ofTeam = heldBy("team_id", indexes.team)
  return {
    openCounts: (tenantId: string, userIds: ReadonlyArray<string>) =>
      Effect.map(
        counts(tenantId, JSON.stringify(userIds)),
        (found): ReadonlyMap<string, number> => new Map(found.map((row) => [row.userId, Number(row.open)]))
      ),
    heldBy: (tenantId: string, holder: WorkHolder, limit: number) =>
      "assigneeId" in holder ? ofUser(tenantId, holder.assigneeId, limit) : ofTeam(tenantId, holder.teamId, limit)
  }
}
