/**
 * The statement by which a transaction on Postgres waits until it is the only one that writes units, whichever server
 * they come from; the lock ends with the transaction. The key is the first eight bytes of "leadloom" and the same for
 * every version: see docs/decisions/0011-postgres-units.md.
 */
export const takeTurn = `SELECT pg_advisory_xact_lock(${Buffer.from("leadloom").readBigInt64BE()})`
