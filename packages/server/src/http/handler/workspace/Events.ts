import { Api } from "@leadloom/api/internal/Api"
import { ingestEvent, routeEvent } from "@leadloom/core/internal/workflow/intake/IngestEvent"
import { Tenants } from "@leadloom/core/internal/port/repository/tenant/Tenants"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { answer } from "../../error/errors.ts"
import { eventFromJson } from "../../json/EventJson.ts"
import { messageKey } from "../../middleware/Idempotency.ts"
import { setReplayHeader } from "../../middleware/SendAnswer.ts"

/** The response to an event in default mode while the store does not answer. The event is not stored. */
export const skipped = { status: "skipped", reason: "state_store_unavailable" } as const

const accept = Effect.fnUntraced(
  function* (tenantId: string, input: Omit<Parameters<typeof ingestEvent>[0], "tenant">) {
    const tenant = yield* (yield* Tenants).get(tenantId)
    const { accepted, eventId } = yield* ingestEvent({ tenant, ...input })
    if (input.requestKey !== null && accepted.outcome === "duplicate_of") yield* setReplayHeader
    return { event_id: eventId, status: "accepted" as const }
  },
  Effect.catchTag("StoreUnavailable", () => Effect.succeed(skipped))
)

const route = Effect.fnUntraced(function* (tenantId: string, input: Omit<Parameters<typeof routeEvent>[0], "tenant">) {
  const tenant = yield* (yield* Tenants).get(tenantId)
  const { actions, eventId, matchedRules } = yield* routeEvent({ tenant, ...input })
  return {
    event_id: eventId,
    status: "processed" as const,
    classification: null,
    matched_rules: matchedRules,
    actions_triggered: actions
  }
})

/**
 * Endpoints for custom events. An event is stored and processed by the workers. With `mode=sync`, the rules only
 * evaluate the event, and nothing is stored.
 */
export const layer = HttpApiBuilder.group(Api, "events", (handlers) =>
  handlers.handleAll({
    send: Effect.fnUntraced(function* ({ headers, params, payload, query }) {
      const event = yield* eventFromJson(payload)
      const sourceId = params.source_id
      if (query.mode === "sync") return yield* answer(route(params.tenant_id, { sourceId, event }))
      const requestKey = messageKey(headers, payload)
      return yield* answer(accept(params.tenant_id, { sourceId, event, requestKey }))
    })
  })
)
