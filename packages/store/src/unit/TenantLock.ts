/** The first eight bytes of "leadloom", the same for every version. */
const allTenants = Buffer.from("leadloom").readBigInt64BE()

/** The statement by which a transaction on Postgres waits until nobody else writes units, of whatever tenant. */
export const lockAllTenants = `SELECT pg_advisory_xact_lock(${allTenants})`

/**
 * The statement by which a transaction waits until it is the only one that writes units of a tenant, whichever server the
 * others come from. The lock ends with the transaction; two tenants of one key only share a turn. See
 * docs/decisions/0011-postgres-units.md.
 */
export const lockTenant = `SELECT pg_advisory_xact_lock_shared(${allTenants}),
  pg_advisory_xact_lock(hashtextextended($1::text, 0))`

/**
 * The statement by which it takes the turns of further tenants, a JSON array of their ids, that nobody else has right
 * now. It waits for none: who waits for one turn and holds another keeps all who want that one waiting, too.
 */
export const tryLockTenants = `SELECT tenant.id FROM jsonb_array_elements_text($1::jsonb) AS tenant(id)
  WHERE pg_try_advisory_xact_lock(hashtextextended(tenant.id, 0))`
