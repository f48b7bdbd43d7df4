import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** The column types and table options of each SQL dialect. */
const sqlite = { text: "TEXT", int: "INTEGER", clustered: "STRICT, WITHOUT ROWID" }
const postgres = { text: 'text COLLATE "C"', int: "bigint", clustered: "" }

const statements = ({ clustered, int, text }: typeof sqlite): ReadonlyArray<string> => [
  `CREATE TABLE billing_accounts (
    tenant_id ${text} NOT NULL, plan ${text}, status ${text} NOT NULL, trial_ends_at ${int}, period_starts_at ${int},
    period_ends_at ${int}, cancel_at_period_end ${int} NOT NULL, unpaid_since ${int}, customer_id ${text},
    subscription_id ${text}, given_plan ${text}, looks ${int} NOT NULL, look_taken ${int} NOT NULL,
    PRIMARY KEY (tenant_id)) ${clustered}`,
  // Finds the tenant of a provider event, which names only the customer.
  `CREATE INDEX billing_accounts_customer ON billing_accounts (customer_id) WHERE customer_id IS NOT NULL`,
  // Lines of the ledger never change. `number` counts the lines of a tenant. `balance` is the balance after the line.
  `CREATE TABLE credit_transactions (
    tenant_id ${text} NOT NULL, number ${int} NOT NULL, transaction_id ${text} NOT NULL, kind ${text} NOT NULL,
    amount ${int} NOT NULL, balance ${int} NOT NULL, reference ${text} NOT NULL, note ${text}, created_at ${int} NOT NULL,
    PRIMARY KEY (tenant_id, number)) ${clustered}`,
  `CREATE UNIQUE INDEX credit_transactions_reference ON credit_transactions (tenant_id, reference)`
]

/** Adds the billing accounts of tenants, and the ledger of their credits. FROZEN. */
export const billing: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const words = sql.onDialectOrElse({ pg: () => postgres, orElse: () => sqlite })
  yield* Effect.forEach(statements(words), (statement) => sql.unsafe(statement), { discard: true })
})
