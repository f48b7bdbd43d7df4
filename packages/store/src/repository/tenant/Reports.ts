import { Fact } from "@leadloom/core/internal/domain/report/Fact"
import type { FactSum, ReportGroup } from "@leadloom/core/internal/domain/report/Report"
import {
  type Recount,
  Reports,
  reportStreams,
  type SumQuery
} from "@leadloom/core/internal/port/repository/tenant/Reports"
import { type Context, Effect, Layer } from "effect"
import { Database } from "../../Database.ts"
import { first, type Queries } from "../../sql/Queries.ts"
import { table } from "../../sql/Table.ts"
import { reportLeads } from "./ReportLeads.ts"
import { reportRows } from "./ReportRows.ts"

type Port = Context.Service.Shape<typeof Reports>

const factTable = table(Fact, { name: "report_facts", key: ["tenantId", "factId", "metric"] })

/** The statements of facts. Triggers maintain their sums. */
const facts = (all: Queries): Pick<Port, "facts" | "change"> => {
  const { commandEach, isOneOf, rows, whole } = all
  const stored = factTable
    .reading(all)
    .all(`SELECT ${factTable.columns} FROM report_facts WHERE tenant_id = ? AND ${isOneOf("fact_id")}`)
  const insert = rows(factTable.inserting)
  const remove = commandEach("DELETE FROM report_facts WHERE tenant_id = ? AND fact_id = ? AND metric = ?")
  return {
    facts: (tenantId, factIds) => stored(tenantId, JSON.stringify(factIds)),
    change: (tenantId, { added, removed }) =>
      added.length + removed.length === 0
        ? Effect.void
        : whole(
            Effect.andThen(
              remove(removed.map(({ factId, metric }) => [tenantId, factId, metric])),
              insert(added.map((fact) => factTable.values(fact)))
            )
          )
  }
}

/** The statements of the positions of the streams. */
const positions = ({ command, query }: Queries): Pick<Port, "position" | "setPosition"> => {
  const position = query<{ readonly position: string }>(
    "SELECT position FROM report_positions WHERE tenant_id = ? AND stream = ?"
  )
  return {
    position: (tenantId, stream) => Effect.map(position(tenantId, stream), (found) => first(found)?.position ?? ""),
    setPosition: command(
      `INSERT INTO report_positions (tenant_id, stream, position) VALUES (?, ?, ?)
        ON CONFLICT (tenant_id, stream) DO UPDATE SET position = excluded.position`
    )
  }
}

/** The statements of recounts. */
const recounts = ({
  command,
  commandEach,
  query
}: Queries): Pick<Port, "nextRecount" | "recountAll" | "moveRecount" | "endRecount"> => {
  const key = "WHERE tenant_id = ? AND subject_id = ? AND stream = ?"
  const next = query<Recount>(
    `SELECT subject_id AS "subjectId", stream, position FROM report_recounts WHERE tenant_id = ?
      ORDER BY subject_id, stream LIMIT 1`
  )
  const begin = commandEach(
    `INSERT INTO report_recounts (tenant_id, subject_id, stream, position) VALUES (?, '', ?, '')
      ON CONFLICT (tenant_id, subject_id, stream) DO UPDATE SET position = ''`
  )
  const move = command(`UPDATE report_recounts SET position = ? ${key}`)
  const end = command(`DELETE FROM report_recounts ${key}`)
  return {
    nextRecount: (tenantId) => Effect.map(next(tenantId), first),
    recountAll: (tenantId) => begin(reportStreams.map((stream) => [tenantId, stream])),
    moveRecount: (tenantId, { subjectId, position, stream }) => move(position, tenantId, subjectId, stream),
    endRecount: (tenantId, { subjectId, stream }) => end(tenantId, subjectId, stream)
  }
}

/** The statements that sum counts by one group. Counts with an empty tag contain all facts. */
const sumsBy = ({ isOneOf, query }: Queries, column: string) => {
  const text = (tags: string): string =>
    `SELECT ${column} AS "group", metric, detail, bucket, CAST(sum("count") AS bigint) AS "count",
        CAST(sum(seconds) AS bigint) AS seconds
      FROM report_counts WHERE tenant_id = ? AND ${isOneOf("metric")} AND day >= ? AND day <= ? AND ${tags}
        AND (CAST(? AS text) = '' OR channel = ?) AND (CAST(? AS text) = '' OR user_id = ?)
        AND (CAST(? AS text) = '' OR team_id = ?)
      GROUP BY ${column}, metric, detail, bucket`
  const ofTag = query<FactSum>(text("tag = ?"))
  const ofEachTag = query<FactSum>(text("tag <> ''"))
  return (tenantId: string, { filter, from, groupBy, metrics, to }: SumQuery) => {
    const period = [tenantId, JSON.stringify(metrics), from, to] as const
    const others = [filter.channel, filter.userId, filter.teamId].flatMap((value) => [value ?? "", value ?? ""])
    return groupBy === "tag" && filter.tag === null
      ? ofEachTag(...period, ...others)
      : ofTag(...period, filter.tag ?? "", ...others)
  }
}

const sums = (all: Queries): Pick<Port, "sums"> => {
  const prepared: Readonly<Record<ReportGroup, ReturnType<typeof sumsBy>>> = {
    day: sumsBy(all, "day"),
    channel: sumsBy(all, "channel"),
    user: sumsBy(all, "user_id"),
    source: sumsBy(all, "source"),
    team: sumsBy(all, "team_id"),
    tag: sumsBy(all, "tag"),
    pipeline: sumsBy(all, "pipeline_id")
  }
  return { sums: (tenantId, query) => prepared[query.groupBy](tenantId, query) }
}

/** Stores the facts of reports in SQL. */
export const layer: Layer.Layer<Reports, never, Database> = Layer.effect(
  Reports,
  Effect.map(Database, (database) =>
    Reports.of({
      ...reportRows(database),
      ...reportLeads(database),
      ...facts(database),
      ...positions(database),
      ...recounts(database),
      ...sums(database)
    })
  )
)
