import { Api } from "@leadloom/api/internal/Api"
import { authenticate } from "@leadloom/core/internal/workflow/access/Authenticate"
import type { Secrets } from "@leadloom/core/internal/domain/access/Secrets"
import type { ApiKeys } from "@leadloom/core/internal/port/repository/tenant/ApiKeys"
import { Events } from "@leadloom/core/internal/port/repository/webhook/Events"
import type { IdTokens } from "@leadloom/core/internal/port/provider/IdTokens"
import type { Sources } from "@leadloom/core/internal/port/repository/tenant/Sources"
import { eventEnvelope } from "@leadloom/core/internal/domain/webhook/Event"
import { readEvents, parseEventTypes } from "@leadloom/core/internal/workflow/webhook/ReadEvents"
import { Effect, Redacted } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder, HttpApiSecurity } from "effect/http-api"
import { answer } from "../../error/errors.ts"
import { followEvents, lastSeen } from "../../stream/FollowEvents.ts"

/** The default number of events per page. */
const defaultPageSize = 100

/**
 * Returns an effect that checks again whether the credential of a request is valid. The credential counts as valid
 * while the identity provider does not answer.
 */
const goodCredential = Effect.gen(function* () {
  const credential = Redacted.value(yield* HttpApiBuilder.securityDecode(HttpApiSecurity.bearer))
  const services = yield* Effect.context<ApiKeys | IdTokens | Secrets | Sources>()
  return authenticate(credential).pipe(
    Effect.as(true),
    Effect.catchTags({
      CredentialInvalid: () => Effect.succeed(false),
      IdTokensUnavailable: () => Effect.succeed(true)
    }),
    Effect.provideContext(services)
  )
})

/** Endpoints that list outbound events or stream them. */
export const layer = HttpApiBuilder.group(Api, "eventFeed", (handlers) =>
  handlers.handleAll({
    list: Effect.fnUntraced(function* ({ params, query }) {
      const { after = 0, limit = defaultPageSize } = query
      const types = yield* answer(parseEventTypes(query.types ?? null))
      const page = yield* answer(readEvents(params.tenant_id, { after, limit, types }))
      // The response is not encoded by a schema, because events of earlier versions keep their stored form.
      return HttpServerResponse.jsonUnsafe({
        events: page.events.map(({ event, sequence }) => ({ sequence, event: eventEnvelope(event) })),
        next_after: page.nextAfter,
        has_more: page.hasMore,
        oldest_sequence: page.oldest
      })
    }),
    stream: Effect.fnUntraced(function* ({ headers, params, query }) {
      const types = yield* answer(parseEventTypes(query.types ?? null))
      const { last } = yield* answer((yield* Events).range(params.tenant_id))
      const seen = yield* answer(lastSeen(headers["last-event-id"]))
      const body = yield* answer(
        followEvents({
          tenantId: params.tenant_id,
          types,
          after: seen ?? query.after ?? last,
          follow: query.follow !== "false",
          isGood: yield* goodCredential
        })
      )
      return HttpServerResponse.stream(body, {
        contentType: "text/event-stream",
        headers: { "cache-control": "no-store", "x-accel-buffering": "no" }
      })
    })
  })
)
