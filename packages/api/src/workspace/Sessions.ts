import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Gate, gate, RequestValidation, SessionAuthorization } from "../Access.ts"
import { BadRequest, NotFound, keyErrors } from "../errors.ts"
import { text, IdempotencyKey, unstated } from "../schema/Field.ts"
import { tenantId } from "../schema/Ids.ts"

/** The request for a session of a tenant. */
export const DirectSession = Schema.Struct({
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
      "The person as whom the session acts, instead of user_id. A person with an unknown address becomes a user with the role agent. Default: an ID token's own user; none for the admin key"
  })
}).check(
  Schema.makeFilter(({ user, user_id }) => user === undefined || user_id === undefined, {
    ...unstated,
    message: "Expected at most one of user_id and user"
  })
)

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
      "The session token: two base64url segments with a dot. It is opaque, is not a JWT, and cannot be revoked"
  }),
  tenant_id: tenantId,
  user_id: Schema.NullOr(Schema.String).annotate({
    description: "The user as whom the session acts (`usr_…`); null: it acts as no user"
  }),
  expires_at: Schema.Int.annotate({ description: "In Unix epoch milliseconds; one hour after the session starts" })
}).annotate({ identifier: "Session", description: "A session with the rights of an agent of one tenant" })

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
      payload: DirectSession,
      success: SignInTicket,
      error: [BadRequest, NotFound, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Create a sign-in ticket, which a browser exchanges once for a session")
      .annotate(
        OpenApi.Description,
        "A sign-in link contains the ticket after `#`, so that no server receives it in a URL: `https://<host>/sign-in#ticket=<ticket>`."
      )
      .annotate(Gate, gate("sessions.createTicket", { limiter: "admin", idempotency: "repeatable" }))
  )
  .annotateMerge(OpenApi.annotations({ title: "Sessions", description: "Short-lived credentials for agents" }))
  .middleware(RequestValidation)
  .middleware(SessionAuthorization)
  .prefix("/api/v1")
