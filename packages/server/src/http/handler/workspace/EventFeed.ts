import { Api } from "@leadloom/api/internal/Api"
import { isoTime } from "@leadloom/api/internal/schema/Field"
import { ActingUser } from "@leadloom/core/internal/workflow/ActingUser"
import { createStreamTicket } from "@leadloom/core/internal/workflow/access/StreamTickets"
import { Users } from "@leadloom/core/internal/port/repository/tenant/Users"
import { authenticate } from "@leadloom/core/internal/workflow/access/Authenticate"
import type { Secrets } from "@leadloom/core/internal/domain/access/Secrets"
import type { ApiKeys } from "@leadloom/core/internal/port/repository/tenant/ApiKeys"
import type { ConsoleSessions } from "@leadloom/core/internal/port/repository/tenant/ConsoleSessions"
import { Events } from "@leadloom/core/internal/port/repository/webhook/Events"
import type { IdTokens } from "@leadloom/core/internal/port/provider/IdTokens"
import type { Sources } from "@leadloom/core/internal/port/repository/tenant/Sources"
import { eventEnvelope } from "@leadloom/core/internal/domain/webhook/Event"
import { readEvents, parseEventTypes } from "@leadloom/core/internal/workflow/webhook/ReadEvents"
import { Effect, Redacted } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder, HttpApiSecurity } from "effect/http-api"
import { answer } from "../../error/errors.ts"
import { actingUserHeader } from "../../middleware/ActingUser.ts"
import { followEvents, lastSeen } from "../../stream/FollowEvents.ts"

/** The default number of events per page. */
const defaultPageSize = 100

const bearerCredential = Effect.map(HttpApiBuilder.securityDecode(HttpApiSecurity.bearer), Redacted.value)

/**
 * Returns an effect that checks again whether the credential of a request is valid and its user is active. The
 * credential counts as valid while the identity provider does not answer.
 */
const goodCredential = Effect.gen(function* () {
  const credential = yield* bearerCredential
  const user = yield* ActingUser
  const services = yield* Effect.context<ApiKeys | ConsoleSessions | IdTokens | Secrets | Sources | Users>()
  const active = Effect.gen(function* () {
    yield* authenticate(credential)
    return user === null || (yield* (yield* Users).get(user.tenantId, user.userId)).active
  })
  return active.pipe(
    Effect.catchTags({
      CredentialInvalid: () => Effect.succeed(false),
      UserNotFound: () => Effect.succeed(false),
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
    createTicket: Effect.fnUntraced(function* ({ params }) {
      const { headers } = yield* HttpServerRequest.HttpServerRequest
      const grant = { credential: yield* bearerCredential, actingUser: headers[actingUserHeader] ?? null }
      const { expiresAt, ticket } = yield* answer(createStreamTicket(params.tenant_id, grant))
      return { ticket, expires_at: isoTime(expiresAt) }
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
          presence: query.presence === "true",
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
