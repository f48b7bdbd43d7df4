import { Principal } from "@leadloom/api/internal/Access"
import { Api } from "@leadloom/api/internal/Api"
import { agentDraftToJson, type DraftToSend } from "@leadloom/api/internal/inbox/Drafts"
import { principalName } from "@leadloom/core/internal/domain/access/Principal"
import { plainComposition } from "@leadloom/core/internal/domain/sending/Composition"
import { Tenants } from "@leadloom/core/internal/port/repository/tenant/Tenants"
import {
  createAgentDraft,
  type DraftPlace,
  listAgentDrafts,
  readAgentDraft,
  removeAgentDraft,
  sendAgentDraft,
  updateAgentDraft
} from "@leadloom/core/internal/workflow/draft/AgentDrafts"
import { type DraftToSchedule, scheduleAgentDraft } from "@leadloom/core/internal/workflow/schedule/ScheduleDraft"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { answer } from "../../error/errors.ts"
import { field } from "../../error/Field.ts"
import { optionsOf, scheduleOf } from "../../json/CompositionJson.ts"
import { setETag, versionsOf } from "../../middleware/ETag.ts"
import { receiptOf, sendWithOverride } from "../../middleware/Overrides.ts"
import { laterAnswer, laterReceiptOf, setSendHeaders } from "../../middleware/SendAnswer.ts"

const placeOf = (params: { readonly tenant_id: string; readonly contact_id: string }): DraftPlace => ({
  tenantId: params.tenant_id,
  contactId: params.contact_id
})

type IfMatch = { readonly "if-match"?: string }

/** Returns the versions that the caller has read. Fails if the request names none, so that no change is lost. */
const requireVersions = Effect.fnUntraced(function* ({ "if-match": header }: IfMatch, version: number | undefined) {
  const named = yield* versionsOf(header)
  if (version !== undefined) return named === null || named.includes(version) ? [version] : []
  return named ?? (yield* Effect.fail(field("version", "Send the version that you read, here or in If-Match.")))
})

/** Sends a draft, or turns it into a message that is sent later. */
const sendOrSchedule = Effect.fnUntraced(function* (
  draft: Omit<DraftToSchedule, "createdBy" | "schedule">,
  payload: typeof DraftToSend.Type
) {
  const { draftId, override, place, tenant, versions } = draft
  const schedule = scheduleOf(payload)
  if (schedule === null)
    return yield* answer(setSendHeaders(sendAgentDraft(tenant, place, draftId, versions, override)))
  const createdBy = principalName(yield* Principal)
  return yield* laterAnswer(answer(scheduleAgentDraft({ ...draft, schedule, createdBy })))
})

/** Endpoints for drafts that people write. */
export const layer = HttpApiBuilder.group(Api, "drafts", (handlers) =>
  handlers.handleAll({
    list: Effect.fnUntraced(function* ({ params }) {
      return { drafts: (yield* answer(listAgentDrafts(placeOf(params)))).map(agentDraftToJson) }
    }),
    create: Effect.fnUntraced(function* ({ params, payload }) {
      const { body, channel } = payload
      const composition = { ...plainComposition, ...(yield* optionsOf(payload)), body, channel }
      const by = principalName(yield* Principal)
      return agentDraftToJson(yield* answer(createAgentDraft(placeOf(params), composition, by)))
    }),
    get: Effect.fnUntraced(function* ({ params }) {
      const draft = yield* answer(readAgentDraft(placeOf(params), params.draft_id))
      yield* setETag(draft.version)
      return agentDraftToJson(draft)
    }),
    update: Effect.fnUntraced(function* ({ headers, params, payload }) {
      const { body, channel, version } = payload
      const changed = { ...(body !== undefined && { body }), ...(channel !== undefined && { channel }) }
      const changes = {
        composition: { ...(yield* optionsOf(payload)), ...changed },
        versions: yield* requireVersions(headers, version),
        by: principalName(yield* Principal)
      }
      const draft = yield* answer(updateAgentDraft(placeOf(params), params.draft_id, changes))
      yield* setETag(draft.version)
      return agentDraftToJson(draft)
    }),
    remove: Effect.fnUntraced(function* ({ headers, params }) {
      yield* answer(removeAgentDraft(placeOf(params), params.draft_id, yield* versionsOf(headers["if-match"])))
    }),
    send: Effect.fnUntraced(function* ({ headers, params, payload }) {
      const tenant = yield* Effect.flatMap(Tenants, (tenants) => answer(tenants.get(params.tenant_id)))
      const versions = yield* requireVersions(headers, payload.version)
      const { contact_id, draft_id: draftId } = params
      const target = { contact_id, draft_id: draftId }
      const requested = { tenantId: tenant.tenantId, action: "drafts.send", target, reasons: payload.override ?? [] }
      const draft = { tenant, place: placeOf(params), draftId, versions }
      const outcome = yield* sendWithOverride(requested, (override) => sendOrSchedule({ ...draft, override }, payload))
      return { message_id: outcome.messageId, ...laterReceiptOf(outcome), ...receiptOf(outcome.overridden) }
    })
  })
)
