import { callToJson } from "@leadloom/api/internal/inbox/Calls"
import { Principal } from "@leadloom/api/internal/Access"
import { Api } from "@leadloom/api/internal/Api"
import type * as Wire from "@leadloom/api/internal/inbox/Calls"
import { principalName } from "@leadloom/core/internal/domain/access/Principal"
import type { Call } from "@leadloom/core/internal/domain/call/Call"
import { listCalls, readRecording } from "@leadloom/core/internal/workflow/call/Calls"
import { type CallOrder, placeCall } from "@leadloom/core/internal/workflow/call/PlaceCall"
import { transferCall } from "@leadloom/core/internal/workflow/call/TransferCall"
import { Tenants } from "@leadloom/core/internal/port/repository/tenant/Tenants"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { disposition } from "../../stream/Download.ts"
import { answer } from "../../error/errors.ts"
import { idempotencyKeyOf, setReplayHeader } from "../../middleware/SendAnswer.ts"

/** The default number of calls per page. */
const defaultPageSize = 50

const list = Effect.fnUntraced(function* (
  tenantId: string,
  requested: {
    readonly contact_id?: string
    readonly status?: Call["status"]
    readonly direction?: Call["direction"]
    readonly limit?: number
    readonly cursor?: string
  }
) {
  const {
    contact_id: contactId = null,
    cursor = null,
    direction = null,
    limit = defaultPageSize,
    status = null
  } = requested
  const { items, nextCursor } = yield* answer(listCalls(tenantId, { contactId, status, direction }, { limit, cursor }))
  return { calls: items.map(callToJson), next_cursor: nextCursor }
})

const place = Effect.fnUntraced(function* (
  tenantId: string,
  { agent_phone, contact_id, phone, record }: typeof Wire.PlaceCall.Type,
  idempotencyKey: string | null
) {
  const tenant = yield* answer((yield* Tenants).get(tenantId))
  const whom: CallOrder["whom"] = contact_id === undefined ? { phone: phone ?? "" } : { contactId: contact_id }
  const requestedBy = principalName(yield* Principal)
  const order = { tenant, whom, agentPhone: agent_phone ?? null, record: record ?? null, requestedBy, idempotencyKey }
  const { call, replayed } = yield* answer(placeCall(order))
  if (replayed) yield* setReplayHeader
  return callToJson(call)
})

/** Streams a recording from the provider, so that the client never learns the provider's URL. */
const recording = Effect.fnUntraced(function* (tenantId: string, contactId: string) {
  const { call, sound } = yield* answer(readRecording(tenantId, contactId))
  const isSound = /^audio\/[\w.+-]+$/u.test(sound.mediaType)
  return HttpServerResponse.stream(sound.bytes, {
    contentType: isSound ? sound.mediaType : "application/octet-stream",
    ...(sound.size === null ? {} : { contentLength: sound.size }),
    headers: {
      "content-disposition": disposition(`${call.callId}.mp3`),
      "x-content-type-options": "nosniff",
      "content-security-policy": "sandbox; default-src 'none'",
      "cache-control": "private, no-store"
    }
  })
})

/** Endpoints for telephone calls with contacts. */
export const layer = HttpApiBuilder.group(Api, "calls", (handlers) =>
  handlers.handleAll({
    list: ({ params, query }) => list(params.tenant_id, query),
    outbound: Effect.fnUntraced(function* ({ headers, params, payload }) {
      return yield* place(params.tenant_id, payload, yield* idempotencyKeyOf(headers))
    }),
    transfer: Effect.fnUntraced(function* ({ params, payload }) {
      const tenant = yield* answer((yield* Tenants).get(params.tenant_id))
      return callToJson(yield* answer(transferCall(tenant, params.call_session_id, payload.to)))
    }),
    recording: ({ params }) => recording(params.tenant_id, params.contact_id)
  })
)
