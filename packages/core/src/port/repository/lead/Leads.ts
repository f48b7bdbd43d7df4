/**
 * Ports to stored leads, scores and tasks. State transitions and scoring belong to `domain/lead` and `domain/task`.
 * Tests: `packages/testkit/src/suite/lead`, `packages/testkit/src/suite/task`.
 */
import { Context, type Effect } from "effect"
import type { LeadId } from "../../../domain/Id.ts"
import type { TenantSet } from "../../../domain/access/Principal.ts"
import type { Lead, LeadNotFound } from "../../../domain/lead/Lead.ts"
import type { DealKey, DealPage, DealQuery, LeadKey, LeadQuery } from "../../../domain/lead/LeadQuery.ts"
import type { WorkHolder } from "../../../domain/user/Assignment.ts"
import type { ScoreRecord } from "../../../domain/lead/Score.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** The leads of tenants. */
export class Leads extends Context.Service<
  Leads,
  {
    readonly insert: (lead: Lead) => Effect.Effect<void, StoreUnavailable>
    readonly get: (tenantId: string, leadId: string) => Effect.Effect<Lead, LeadNotFound | StoreUnavailable>
    /**
     * Replaces an existing lead. Does nothing for an unknown lead. `before` is the stored lead, if the same unit of work
     * has read or written it; then only the difference is written.
     */
    readonly update: (lead: Lead, before?: Lead) => Effect.Effect<void, StoreUnavailable>
    /**
     * Returns the contact's lead with the newest message on any channel, among the leads that are neither won nor
     * merged. It may be lost or archived. Returns null if there is none.
     */
    readonly newestNotWon: (tenantId: string, contactId: string) => Effect.Effect<Lead | null, StoreUnavailable>
    /** Lists the leads of a contact. The lead with the newest message comes first. */
    readonly ofContact: (
      tenantId: string,
      contactId: string,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Lead>, StoreUnavailable>
    /** Lists the leads of a tenant that match a query, in its order, after `after`. */
    readonly page: (
      tenantId: string,
      query: LeadQuery,
      limit: number,
      after: LeadKey | null
    ) => Effect.Effect<ReadonlyArray<Lead>, StoreUnavailable>
    /**
     * Lists leads as deals after `after`. Examines a limited number of leads, so that each call takes the same time
     * whatever the filters; the part can therefore be short or empty although more leads follow.
     */
    readonly deals: (
      tenantId: string,
      query: DealQuery,
      limit: number,
      after: DealKey | null
    ) => Effect.Effect<DealPage, StoreUnavailable>
    /**
     * Returns the lead with this id, if it belongs to one of these tenants. Leads of archived tenants are not found.
     */
    readonly locate: (tenants: TenantSet, leadId: string) => Effect.Effect<Lead, LeadNotFound | StoreUnavailable>
    /** Counts the open, engaged and qualified leads of each user. A user without such leads is missing. */
    readonly openCounts: (
      tenantId: string,
      userIds: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyMap<string, number>, StoreUnavailable>
    /** Lists open, engaged and qualified leads that are assigned to a user or to a team, up to `limit`. */
    readonly heldBy: (
      tenantId: string,
      holder: WorkHolder,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Lead>, StoreUnavailable>
    /** Marks leads as merged into an older lead. */
    readonly markMerged: (
      tenantId: string,
      into: LeadId,
      from: ReadonlyArray<LeadId>,
      at: number
    ) => Effect.Effect<void, StoreUnavailable>
  }
>()("core/port/repository/lead/Leads") {}

/** The history of the scores of leads. */
export class Scores extends Context.Service<
  Scores,
  {
    readonly insert: (score: ScoreRecord) => Effect.Effect<void, StoreUnavailable>
    /** Lists the scores of a lead before the score `before`, newest first. Null starts with the newest. */
    readonly ofLead: (
      tenantId: string,
      leadId: string,
      limit: number,
      before: string | null
    ) => Effect.Effect<ReadonlyArray<ScoreRecord>, StoreUnavailable>
  }
>()("core/port/repository/lead/Leads/Scores") {}
