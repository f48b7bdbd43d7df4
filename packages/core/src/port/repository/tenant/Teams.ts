import { Context, type Effect } from "effect"
import type { Team, TeamExists, TeamNotFound } from "../../../domain/user/Team.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** The teams of tenants and their members. */
export class Teams extends Context.Service<
  Teams,
  {
    /** Fails with `TeamExists` when another team of the tenant has the name. */
    readonly insert: (team: Team) => Effect.Effect<void, TeamExists | StoreUnavailable>
    /** Fails with `TeamNotFound` for an unknown id and for another tenant's. */
    readonly get: (tenantId: string, teamId: string) => Effect.Effect<Team, TeamNotFound | StoreUnavailable>
    /** Replaces an existing team. Fails with `TeamExists` when another team of the tenant has the name. */
    readonly update: (team: Team) => Effect.Effect<void, TeamExists | StoreUnavailable>
    readonly remove: (tenantId: string, teamId: string) => Effect.Effect<void, TeamNotFound | StoreUnavailable>
    /** Lists teams after an id, oldest first. */
    readonly page: (
      tenantId: string,
      limit: number,
      after: string | null
    ) => Effect.Effect<ReadonlyArray<Team>, StoreUnavailable>
    readonly count: (tenantId: string) => Effect.Effect<number, StoreUnavailable>
  }
>()("core/port/repository/tenant/Teams") {}
