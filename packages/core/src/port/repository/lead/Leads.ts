import { Context, type Effect } from "effect"
import type { LeadId } from "../../../domain/Id.ts"
import type { TenantSet } from "../../../domain/access/Principal.ts"
import type { Lead, LeadNotFound } from "../../../domain/lead/Lead.ts"
import type { LeadKey, LeadQuery } from "../../../domain/lead/LeadQuery.ts"
import type { ScoreRecord } from "../../../domain/lead/Score.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** Leads of all tenants. */
export class Leads extends Context.Service<
  Leads,
  {
    readonly insert: (lead: Lead) => Effect.Effect<void, StoreUnavailable>
    readonly get: (tenantId: string, leadId: string) => Effect.Effect<Lead, LeadNotFound | StoreUnavailable>
    /** Replaces a lead that has been read; where there is none, none is made. */
    readonly update: (lead: Lead) => Effect.Effect<void, StoreUnavailable>
    /**
     * The contact's lead with the newest message, of any channel, that is neither won nor merged, or null. It may be
     * lost or archived.
     */
    readonly newestNotWon: (tenantId: string, contactId: string) => Effect.Effect<Lead | null, StoreUnavailable>
    /** Leads of a contact, the one with the newest message first. */
    readonly ofContact: (
      tenantId: string,
      contactId: string,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Lead>, StoreUnavailable>
    /** Leads of a tenant that a query asks for, in its order, after `after`. */
    readonly page: (
      tenantId: string,
      query: LeadQuery,
      limit: number,
      after: LeadKey | null
    ) => Effect.Effect<ReadonlyArray<Lead>, StoreUnavailable>
    /** A lead by its id alone, of one of these tenants. What is of an archived tenant is not there. */
    readonly locate: (tenants: TenantSet, leadId: string) => Effect.Effect<Lead, LeadNotFound | StoreUnavailable>
    /** Marks leads as merged into an older one. */
    readonly markMerged: (
      tenantId: string,
      into: LeadId,
      from: ReadonlyArray<LeadId>,
      at: number
    ) => Effect.Effect<void, StoreUnavailable>
  }
>()("core/port/repository/lead/Leads") {}

/** Every score that leads were ever given. */
export class Scores extends Context.Service<
  Scores,
  {
    readonly insert: (score: ScoreRecord) => Effect.Effect<void, StoreUnavailable>
    /** Scores of a lead, newest first, those before the score `before`; null: from the newest on. */
    readonly ofLead: (
      tenantId: string,
      leadId: string,
      limit: number,
      before: string | null
    ) => Effect.Effect<ReadonlyArray<ScoreRecord>, StoreUnavailable>
  }
>()("core/port/repository/lead/Leads/Scores") {}
