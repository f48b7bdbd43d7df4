import { ConsoleSession } from "@leadloom/core/internal/domain/access/ConsoleSession"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authorization, Gate, gate, RequestValidation } from "../Access.ts"
import { BadRequest, keyErrors, NotFound } from "../errors.ts"
import { IdempotencyKey, nextCursor, optionalPage, TenantPath } from "../schema/Field.ts"
import { wire } from "../schema/Wire.ts"
import { Session } from "../workspace/Sessions.ts"

const consoleSession = wire(ConsoleSession, "ConsoleSession", {
  id: "sessionId",
  pick: ["sessionId", "userId", "role", "startedAt", "endsAt"],
  description: "A session of the web console that is still valid"
})

/** Encodes a session of the list. */
export const consoleSessionToJson = consoleSession.toJson

export const ConsoleSessionsGroup = HttpApiGroup.make("consoleSessions")
  .add(
    HttpApiEndpoint.get("list", "/tenants/:tenant_id/console-sessions", {
      params: TenantPath,
      query: optionalPage,
      success: Schema.Struct({
        console_sessions: Schema.Array(consoleSession.schema).annotate({ description: "The valid sessions" }),
        next_cursor: nextCursor
      }).annotate({ identifier: "ConsoleSessionList", description: "The sessions of the web console" }),
      error: [BadRequest, NotFound]
    })
      .annotate(OpenApi.Summary, "List the valid sessions of the web console, oldest first")
      .annotate(OpenApi.Description, "A session starts with its sign-in link, so the list contains unused links.")
      .annotate(Gate, gate("consoleSessions.list", { limiter: "admin" })),
    HttpApiEndpoint.delete("revoke", "/tenants/:tenant_id/console-sessions/:session_id", {
      params: { ...TenantPath, session_id: Schema.String.annotate({ description: "The id of the session" }) },
      success: HttpApiSchema.NoContent,
      error: NotFound
    })
      .annotate(OpenApi.Summary, "Revoke a session of the web console immediately")
      .annotate(OpenApi.Description, "Requests with its tokens receive 401 from now on. An unused link stops working.")
      .annotate(Gate, gate("consoleSessions.revoke", { limiter: "admin" })),
    HttpApiEndpoint.post("renew", "/console-sessions/renew", {
      headers: IdempotencyKey,
      success: Session,
      error: [BadRequest, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Create the next token of the own console session")
      .annotate(
        OpenApi.Description,
        "The new token is valid for one hour, and not longer than the session, which ends eight hours after its start. The earlier token remains valid until it expires. Other credentials receive 400."
      )
      .annotate(Gate, gate("consoleSessions.renew", { limiter: "admin", idempotency: "repeatable" })),
    HttpApiEndpoint.delete("end", "/console-sessions/current", { success: HttpApiSchema.NoContent, error: BadRequest })
      .annotate(OpenApi.Summary, "End the own console session")
      .annotate(OpenApi.Description, "All tokens of the session become invalid. Other credentials receive 400.")
      .annotate(Gate, gate("consoleSessions.end", { limiter: "admin" }))
  )
  .annotateMerge(OpenApi.annotations({ title: "Console sessions", description: "Sessions of the web console" }))
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")
