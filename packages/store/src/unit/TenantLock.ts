/** The first eight bytes of "leadloom", the same for every version. */
const allTenants = Buffer.from("leadloom").readBigInt64BE()

/** The statement by which a transaction on Postgres waits until nobody else writes units, of whatever tenant. */
export const lockAllTenants = `SELECT pg_advisory_xact_lock(${allTenants})`

/**
 * The statement by which a transaction waits until it is the only one that writes units of a tenant, whichever server the
 * others come from. The lock ends with the transaction; two tenants with the same hash share a lock. See
 * docs/decisions/0011-postgres-units.md.
 */
export const lockTenant = `SELECT pg_advisory_xact_lock_shared(${allTenants}),
  pg_advisory_xact_lock(hashtextextended($1::text, 0))`

/**
 * The statement that locks further tenants, a JSON array of their ids, whose lock is free now. It never waits: waiting for
 * one lock while holding another would block every unit that wants the held one.
 */
export const tryLockTenants = `SELECT tenant.id FROM jsonb_array_elements_text($1::jsonb) AS tenant(id)
  WHERE pg_try_advisory_xact_lock(hashtextextended(tenant.id, 0))`
