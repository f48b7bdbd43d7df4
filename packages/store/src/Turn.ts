/** The first eight bytes of "leadloom", the same for every version. */
const everybody = Buffer.from("leadloom").readBigInt64BE()

/** The statement by which a transaction on Postgres waits until nobody else writes units, of whatever tenant. */
export const takeEveryTurn = `SELECT pg_advisory_xact_lock(${everybody})`

/**
 * The statement by which a transaction waits until it is the only one that writes units of some tenants, a JSON array of
 * their ids, whichever server the others come from. The locks end with the transaction. They are taken in the order of
 * their keys, so that no two transactions wait for each other; two tenants of one key only share a turn. See
 * docs/decisions/0011-postgres-units.md.
 */
export const takeTurns = `SELECT pg_advisory_xact_lock_shared(${everybody}), pg_advisory_xact_lock(turns.key)
  FROM (SELECT DISTINCT hashtextextended(tenant.id, 0) AS key FROM jsonb_array_elements_text($1::jsonb) AS tenant(id)
    ORDER BY key) AS turns`
