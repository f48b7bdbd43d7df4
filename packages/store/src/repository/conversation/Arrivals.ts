import { type ArrivalOutcome, Arrival } from "@leadloom/core/internal/domain/conversation/Arrival"
import { Arrivals } from "@leadloom/core/internal/port/repository/conversation/Arrivals"
import { Effect, Layer } from "effect"
import { Database } from "../../Database.ts"
import { totals } from "../../sql/ArrayRows.ts"
import type { RowsForm } from "../../unit/RowsForm.ts"
import { table } from "../../sql/Table.ts"

const arrivals = table(Arrival, { name: "arrivals", key: ["tenantId", "arrivalId"] })

/** Every accepted message adds a line, so a stored line proves that its transaction was committed. */
const adding: RowsForm = {
  ...arrivals.inserting,
  witness: {
    text: "SELECT 1 AS found FROM arrivals WHERE arrival_id = $1 AND tenant_id = $2",
    params: (row) => row.slice(0, 2)
  }
}

const countText = (source: string): string =>
  `INSERT INTO arrival_counts (tenant_id, outcome, arrivals) ${source}
    ON CONFLICT (tenant_id, outcome) DO UPDATE SET arrivals = arrival_counts.arrivals + excluded.arrivals`

/** The values of a row are in the order of the columns. */
const counting: RowsForm = {
  text: countText("VALUES (?, ?, ?)"),
  types: ["text", "text", "bigint"],
  batch: (source) => countText(`SELECT * FROM ${source}`),
  combine: totals
}

/** Stores the inbound ledger in SQL. */
export const layer: Layer.Layer<Arrivals, never, Database> = Layer.effect(
  Arrivals,
  Effect.map(Database, ({ query, rows, whole }) => {
    const insert = rows(adding)
    const count = rows(counting)
    const counts = query<{ readonly outcome: ArrivalOutcome; readonly count: number }>(
      `SELECT outcome, arrivals AS "count" FROM arrival_counts WHERE tenant_id = ? ORDER BY outcome`
    )
    return Arrivals.of({
      record: (arrival) =>
        whole(Effect.andThen(insert([arrivals.values(arrival)]), count([[arrival.tenantId, arrival.outcome, 1]]))),
      counts
    })
  })
)
