import { type ArrivalOutcome, Arrival } from "@leadloom/core/domain/conversation/Arrival"
import { Arrivals } from "@leadloom/core/port/repository/conversation/Arrivals"
import { Effect, Layer } from "effect"
import { Database } from "../../Database.ts"
import { table } from "../../sql/Table.ts"

const arrivals = table(Arrival, { name: "arrivals", key: ["tenantId", "arrivalId"] })

/** Stores the inbound ledger in SQL. */
export const layer: Layer.Layer<Arrivals, never, Database> = Layer.effect(
  Arrivals,
  Effect.map(Database, ({ command, query, whole }) => {
    const insert = command(arrivals.insert)
    const count = command(
      `INSERT INTO arrival_counts (tenant_id, outcome, arrivals) VALUES (?, ?, 1)
        ON CONFLICT (tenant_id, outcome) DO UPDATE SET arrivals = arrival_counts.arrivals + 1`
    )
    const counts = query<{ readonly outcome: ArrivalOutcome; readonly count: number }>(
      `SELECT outcome, arrivals AS "count" FROM arrival_counts WHERE tenant_id = ? ORDER BY outcome`
    )
    return Arrivals.of({
      record: (arrival) =>
        whole(Effect.andThen(insert(...arrivals.values(arrival)), count(arrival.tenantId, arrival.outcome))),
      counts
    })
  })
)
