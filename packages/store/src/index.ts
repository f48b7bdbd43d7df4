/**
 * The public API of the package: a layer that opens a database and provides all repositories of core. All other modules
 * are internal (`docs/decisions/0086-packages.md`). `docs/reference/packages.md` lists the names.
 */
export { type DatabaseUnusable, layer, ping, type Store, type StoreConfig, StoreUrlUnsupported } from "./Store.ts"
export { type DatabaseUrl, readDatabaseUrl } from "./DatabaseUrl.ts"
export { CopyUnfinished, DatabaseTooNew } from "./migration/Migrations.ts"
