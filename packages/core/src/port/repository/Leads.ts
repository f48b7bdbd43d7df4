import { Context, Effect, Layer } from "effect"
import type { TenantSet } from "../../domain/access/Principal.ts"
import type { LeadId } from "../../domain/Id.ts"
import { type Lead, LeadNotFound } from "../../domain/lead/Lead.ts"
import type { LeadKey, LeadQuery } from "../../domain/lead/LeadQuery.ts"
import type { StoreUnavailable } from "../system/StoreUnavailable.ts"
import { addNew, by, keyOf, MemoryState, ofTenant } from "../../memory/MemoryState.ts"

const takesMessages = ({ mergedInto, state }: Lead): boolean => state !== "won" && mergedInto === null

const isListed = (lead: Lead, { assignee, contactId, from, state, tier, time, until }: LeadQuery): boolean =>
  lead.mergedInto === null &&
  (state === null || lead.state === state) &&
  (tier === null || (lead.tier ?? "none") === tier) &&
  (contactId === null || lead.contactId === contactId) &&
  (assignee === null || lead.assignee === assignee) &&
  (from === null || lead[time] >= from) &&
  (until === null || lead[time] < until)

const inOrder = ({ newestFirst, time }: LeadQuery) => {
  const oldestFirst = by<LeadKey>(
    ({ at }) => at,
    ({ leadId }) => leadId
  )
  const keyOfLead = (lead: Lead): LeadKey => ({ at: lead[time], leadId: lead.leadId })
  return (one: Lead, other: LeadKey | Lead): number => {
    const order = oldestFirst(keyOfLead(one), "at" in other ? other : keyOfLead(other))
    return newestFirst ? -order : order
  }
}

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
>()("core/port/repository/Leads") {
  static readonly layerMemory: Layer.Layer<Leads> = Layer.effect(
    Leads,
    Effect.map(MemoryState, (state) => {
      const oldestFirst = by<Lead>(
        (lead) => lead.lastMessageAt,
        (lead) => lead.leadId
      )
      return Leads.of({
        insert: (lead) => addNew(state.leads, keyOf(lead.tenantId, lead.leadId), lead),
        get: (tenantId, leadId) =>
          Effect.suspend(() => {
            const lead = state.leads.get(keyOf(tenantId, leadId))
            return lead === undefined ? Effect.fail(new LeadNotFound({ leadId })) : Effect.succeed(lead)
          }),
        update: (lead) =>
          Effect.sync(() => {
            const key = keyOf(lead.tenantId, lead.leadId)
            if (state.leads.has(key)) state.leads.set(key, lead)
          }),
        newestNotWon: (tenantId, contactId) =>
          Effect.sync(
            () =>
              ofTenant(state.leads, tenantId)
                .filter((lead) => lead.contactId === contactId && takesMessages(lead))
                .toSorted(oldestFirst)
                .at(-1) ?? null
          ),
        ofContact: (tenantId, contactId, limit) =>
          Effect.sync(() =>
            ofTenant(state.leads, tenantId)
              .filter((lead) => lead.contactId === contactId)
              .toSorted((one, other) => oldestFirst(other, one))
              .slice(0, limit)
          ),
        page: (tenantId, query, limit, after) =>
          Effect.sync(() => {
            const order = inOrder(query)
            return ofTenant(state.leads, tenantId)
              .filter((lead) => isListed(lead, query) && (after === null || order(lead, after) > 0))
              .toSorted(order)
              .slice(0, limit)
          }),
        locate: (tenants, leadId) =>
          Effect.suspend(() => {
            const lead = [...state.leads.values()].find((one) => one.leadId === leadId)
            const tenant = lead === undefined ? undefined : state.tenants.get(lead.tenantId)
            const reached = tenant?.archivedAt === null && (tenants === "all" || tenants.includes(tenant.tenantId))
            return lead === undefined || !reached ? Effect.fail(new LeadNotFound({ leadId })) : Effect.succeed(lead)
          }),
        markMerged: (tenantId, into, from, at) =>
          Effect.sync(() => {
            for (const leadId of from) {
              const lead = state.leads.get(keyOf(tenantId, leadId))
              if (lead !== undefined) {
                state.leads.set(keyOf(tenantId, leadId), { ...lead, mergedInto: into, updatedAt: at })
              }
            }
          })
      })
    })
  ).pipe(Layer.provide(MemoryState.layer))
}
