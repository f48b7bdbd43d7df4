import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Gate, gate, RequestValidation, SessionAuthorization } from "../Access.ts"
import { BadRequest, NotFound, keyErrors } from "../errors.ts"
import { text, IdempotencyKey, unstated } from "../schema/Field.ts"
import { tenantId } from "../schema/Ids.ts"
import { type UserRole, userRoles } from "@leadloom/core/internal/domain/user/User"

const fields = {
  tenant_id: Schema.String.check(Schema.isNonEmpty()).annotate({
    description: "The tenant of the session. Requires a credential for this tenant"
  }),
  user_id: Schema.optionalKey(Schema.String).annotate({
    description:
      "The user as whom the session acts. Only the admin key and admins may name another user than themselves"
  }),
  user: Schema.optionalKey(
    Schema.Struct({
      name: text(200).annotate({ description: "The display name of the person; 1 to 200 characters" }),
      email: text(320).annotate({ description: "The address of the person, by which a known user is found" })
    })
  ).annotate({
    description:
      "The person as whom the session acts, instead of user_id. A person with an unknown address becomes a user. Default: an ID token's own user; none for the admin key"
  })
}

const namesOnePerson = Schema.makeFilter(
  ({ user, user_id }: { readonly user?: unknown; readonly user_id?: unknown }) =>
    user === undefined || user_id === undefined,
  { ...unstated, message: "Expected at most one of user_id and user" }
)

/** The request for a session of a tenant. */
export const DirectSession = Schema.Struct(fields).check(namesOnePerson)

/** The request for a sign-in ticket, whose session may have a role. */
export const TicketRequest = Schema.Struct({
  ...fields,
  role: Schema.optionalKey(Schema.Literals(userRoles)).annotate({
    description:
      "The role of a session without a user, or of a new user; at most the role of the caller. Default: agent. The session of a known user has the role of the user"
  })
})
  .check(namesOnePerson)
  .annotate({ identifier: "TicketRequest", description: "A tenant, and the person or the role of the session" })

const ByLocation = Schema.Struct({
  location_id: text(128).annotate({ description: "A CRM location assigned to the tenant" }),
  proof: Schema.optionalKey(text(4_096)).annotate({
    description: "The encrypted user data that the CRM passes to its embedded page; required in session mode sso"
  })
})

const ByTicket = Schema.Struct({
  ticket: text(512).annotate({ description: "A sign-in ticket of `POST …/sessions/tickets`; valid once" })
})

/**
 * The request for a session, which names a tenant, a CRM location or a sign-in ticket. A request for a tenant requires a
 * credential; the other requests do not.
 */
export const MintSession = Schema.Union([DirectSession, ByLocation, ByTicket]).annotate({
  identifier: "MintSession",
  description: "A tenant (with a credential), or a CRM location or a sign-in ticket (without one)"
})

/** A ticket with which a browser signs in. */
export const SignInTicket = Schema.Struct({
  ticket: Schema.String.annotate({
    description: "Send it as `ticket` to `POST …/sessions`. It is valid once. Do not log it."
  }),
  expires_at: Schema.Int.annotate({ description: "In Unix epoch milliseconds; ten minutes after the creation" })
}).annotate({ identifier: "SignInTicket", description: "A ticket that becomes one session" })

export const Session = Schema.Struct({
  token: Schema.String.annotate({
    description:
      "The session token: two base64url segments with a dot. It is opaque and is not a JWT. Only a token of a console session can be revoked"
  }),
  tenant_id: tenantId,
  user_id: Schema.NullOr(Schema.String).annotate({
    description: "The user as whom the session acts (`usr_…`); null: it acts as no user"
  }),
  role: Schema.Literals(userRoles).annotate({ description: "The role of the session" }),
  expires_at: Schema.Int.annotate({
    description: "In Unix epoch milliseconds; one hour after the creation of the token"
  }),
  ends_at: Schema.NullOr(Schema.Int).annotate({
    description:
      "In Unix epoch milliseconds: until this time, a console session can be renewed; null: not a console session"
  })
}).annotate({ identifier: "Session", description: "A session of one tenant" })

/** A token with the facts about its session. Times are in Unix epoch milliseconds. */
export interface StartedSession {
  readonly token: string
  readonly tenantId: string
  readonly userId: string | null
  readonly role: UserRole
  readonly expiresAt: number
  readonly endsAt: number | null
}

/** Encodes a started session. */
export const sessionToJson = ({ endsAt, expiresAt, role, tenantId: of, token, userId }: StartedSession) => ({
  token,
  tenant_id: of,
  user_id: userId,
  role,
  expires_at: expiresAt,
  ends_at: endsAt
})

export const SessionsGroup = HttpApiGroup.make("sessions")
  .add(
    HttpApiEndpoint.post("mint", "/sessions", {
      headers: IdempotencyKey,
      payload: MintSession,
      success: Session,
      error: [BadRequest, NotFound, ...keyErrors]
    })
      .annotate(
        OpenApi.Summary,
        "Create a session token, which grants the rights of an agent of one tenant for one hour"
      )
      .annotate(
        OpenApi.Description,
        "The token cannot be revoked before it expires. A location without a session mode `open` or a valid proof receives 403."
      )
      .annotate(Gate, gate("sessions.mint", { limiter: "admin", idempotency: "repeatable" })),
    HttpApiEndpoint.post("createTicket", "/sessions/tickets", {
      headers: IdempotencyKey,
      payload: TicketRequest,
      success: SignInTicket,
      error: [BadRequest, NotFound, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Create a sign-in ticket, which a browser exchanges once for a session")
      .annotate(
        OpenApi.Description,
        "The ticket starts a console session, which can be renewed for eight hours and revoked. A sign-in link contains the ticket after `#`, so that no server receives it in a URL: `https://<host>/sign-in#ticket=<ticket>`."
      )
      .annotate(Gate, gate("sessions.createTicket", { limiter: "admin", idempotency: "repeatable" }))
  )
  .annotateMerge(OpenApi.annotations({ title: "Sessions", description: "Short-lived credentials for agents" }))
  .middleware(RequestValidation)
  .middleware(SessionAuthorization)
  .prefix("/api/v1")
