import { leadChangeOf, leadToJson, scoreToJson } from "@leadloom/api/internal/workspace/Leads"
import { Principal } from "@leadloom/api/internal/Access"
import { Api } from "@leadloom/api/internal/Api"
import { tenantsOf } from "@leadloom/core/internal/domain/access/Principal"
import type { PageRequest } from "@leadloom/core/internal/domain/conversation/ReadPage"
import type { Lead } from "@leadloom/core/internal/domain/lead/Lead"
import { appendEntries } from "@leadloom/core/internal/workflow/lead/AppendEntries"
import { createLead } from "@leadloom/core/internal/workflow/lead/CreateLead"
import { findLead, readLeadConversation } from "@leadloom/core/internal/workflow/lead/FindLead"
import { importEntries } from "@leadloom/core/internal/workflow/lead/ImportEntries"
import { placeLead, withPlaces } from "@leadloom/core/internal/workflow/deal/LeadPlaces"
import { listDeals } from "@leadloom/core/internal/workflow/deal/ListDeals"
import { moveLead } from "@leadloom/core/internal/workflow/lead/MoveLead"
import { listLeads } from "@leadloom/core/internal/workflow/lead/ListLeads"
import { listScores } from "@leadloom/core/internal/workflow/lead/Scores"
import { scoreLead } from "@leadloom/core/internal/workflow/pipeline/ScoreLead"
import { transitionLead } from "@leadloom/core/internal/workflow/lead/TransitionLead"
import { updateLead } from "@leadloom/core/internal/workflow/lead/UpdateLead"
import { Leads } from "@leadloom/core/internal/port/repository/lead/Leads"
import { Tenants } from "@leadloom/core/internal/port/repository/tenant/Tenants"
import { identifyUser } from "@leadloom/core/internal/workflow/user/IdentifyUser"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { messageEncoder } from "../inbox/Conversations.ts"
import { answer, type DomainError } from "../../error/errors.ts"
import { type LeadFilter, leadQueryOf } from "../../json/LeadFilter.ts"
import { createFromJson, entryFromJson, storedToJson } from "../../json/LeadJson.ts"

/** The default number of leads or scores per page. */
const defaultPageSize = 50
/** The default number of messages per page. */
const defaultMessageLimit = 100

const tenantOf = Effect.fnUntraced(function* (tenantId: string) {
  const tenants = yield* Tenants
  return yield* answer(tenants.get(tenantId))
})

const withPlacedItems = <A extends { readonly items: ReadonlyArray<Lead> }>(page: A) =>
  Effect.map(withPlaces(page.items), (items) => ({ ...page, items }))

const placed = <E extends DomainError, R>(lead: Effect.Effect<Lead, E, R>) => answer(Effect.flatMap(lead, placeLead))

/** Answers a request with a lead and its place in a pipeline. */
const placedToJson = <E extends DomainError, R>(lead: Effect.Effect<Lead, E, R>) => Effect.map(placed(lead), leadToJson)

/** Answers a request for a page of leads. */
const listPage = Effect.fnUntraced(function* (tenantId: string, filter: LeadFilter, page: PageRequest) {
  const requested = yield* leadQueryOf(filter)
  const { items, nextCursor } = yield* answer(
    "order" in requested
      ? listDeals(tenantId, requested, page)
      : Effect.flatMap(listLeads(tenantId, requested, page), withPlacedItems)
  )
  return { leads: items.map(leadToJson), next_cursor: nextCursor }
})

/** Endpoints for leads, their messages and scores. */
export const layer = HttpApiBuilder.group(Api, "leads", (handlers) =>
  handlers.handleAll({
    list: ({ params, query: { cursor = null, limit = defaultPageSize, ...filter } }) =>
      listPage(params.tenant_id, filter, { limit, cursor }),
    create: Effect.fnUntraced(function* ({ params, payload }) {
      const tenant = yield* tenantOf(params.tenant_id)
      return yield* placedToJson(createLead(createFromJson(tenant, payload)))
    }),
    get: Effect.fnUntraced(function* ({ params }) {
      const leads = yield* Leads
      return yield* placedToJson(leads.get(params.tenant_id, params.lead_id))
    }),
    update: Effect.fnUntraced(function* ({ params, payload }) {
      return yield* placedToJson(updateLead(params.tenant_id, params.lead_id, leadChangeOf(payload)))
    }),
    append: Effect.fnUntraced(function* ({ params, payload }) {
      const tenant = yield* tenantOf(params.tenant_id)
      const entries = payload.entries.map(entryFromJson)
      const input = { tenant, leadId: params.lead_id, entries, runPipeline: payload.run_pipeline ?? false }
      const { leadId, results } = yield* answer(appendEntries(input))
      return storedToJson(leadId, results)
    }),
    import: Effect.fnUntraced(function* ({ params, payload }) {
      const tenant = yield* tenantOf(params.tenant_id)
      const input = { tenant, leadId: params.lead_id, entries: payload.entries.map(entryFromJson) }
      const { leadId, results } = yield* answer(importEntries(input))
      return storedToJson(leadId, results)
    }),
    score: Effect.fnUntraced(function* ({ params }) {
      const tenant = yield* tenantOf(params.tenant_id)
      return scoreToJson(yield* answer(scoreLead(tenant, params.lead_id)))
    }),
    listScores: Effect.fnUntraced(function* ({ params, query: { cursor = null, limit = defaultPageSize } }) {
      const { items, nextCursor } = yield* answer(listScores(params.tenant_id, params.lead_id, { limit, cursor }))
      return { scores: items.map(scoreToJson), next_cursor: nextCursor }
    }),
    transition: ({ params, payload: { loss_reason = null, reason = null, state } }) =>
      placedToJson(transitionLead(params.tenant_id, params.lead_id, state, reason, loss_reason)),
    move: ({ params, payload: { loss_reason = null, reason = null, stage_id } }) =>
      placedToJson(moveLead(params.tenant_id, params.lead_id, stage_id, reason, loss_reason)),
    find: Effect.fnUntraced(function* ({ params }) {
      const principal = yield* Principal
      const found = yield* placed(findLead(tenantsOf(principal), params.lead_id))
      yield* answer(identifyUser(found.tenantId, principal))
      return leadToJson(found)
    }),
    conversation: Effect.fnUntraced(function* ({ params, query: { cursor = null, limit = defaultMessageLimit } }) {
      const principal = yield* Principal
      const read = yield* answer(readLeadConversation(tenantsOf(principal), params.lead_id, { limit, cursor }))
      yield* answer(identifyUser(read.lead.tenantId, principal))
      const messages = read.items.map(yield* messageEncoder)
      return { lead_id: read.lead.leadId, messages, next_cursor: read.nextCursor }
    })
  })
)
