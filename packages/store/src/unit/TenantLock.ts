/** The key of the lock for all tenants: the first eight bytes of "leadloom". All versions must use the same value. */
const allTenants = Buffer.from("leadloom").readBigInt64BE()

/** Waits until no other Postgres transaction writes units of any tenant. */
export const lockAllTenants = `SELECT pg_advisory_xact_lock(${allTenants})`

/**
 * Waits until no other transaction on any server writes units of the tenant. The lock ends with the transaction.
 * Tenants whose ids have the same hash share a lock. See docs/decisions/0011-postgres-units.md.
 */
export const lockTenant = `SELECT pg_advisory_xact_lock_shared(${allTenants}),
  pg_advisory_xact_lock(hashtextextended($1::text, 0))`

/**
 * Locks further tenants whose locks are free, without waiting. The parameter is a JSON array of tenant ids. If a
 * transaction waited for a second lock, it would delay all units that need its first one.
 */
export const tryLockTenants = `SELECT tenant.id FROM jsonb_array_elements_text($1::jsonb) AS tenant(id)
  WHERE pg_try_advisory_xact_lock(hashtextextended(tenant.id, 0))`
