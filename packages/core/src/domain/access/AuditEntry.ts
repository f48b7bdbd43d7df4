import { Schema } from "effect"
import { idOf, UserId } from "../Id.ts"
import type { Json } from "../text/Json.ts"
import { Time, unchecked, UserName } from "../Field.ts"

/**
 * The values before and after a privileged action. They contain no secrets. If the action concerns a contact, they
 * contain only the contact's id.
 */
export interface AuditChange {
  /** Null if the action created the value. */
  readonly before: Json
  /** Null if the action removed the value. */
  readonly after: Json
}

/**
 * One privileged action: the actor, the action, its time and its origin. It is written in the same unit of work as the
 * action and never changes.
 */
export class AuditEntry extends Schema.Opaque<AuditEntry>()(
  Schema.Struct({
    auditId: idOf("aud").annotate({ description: "Id of the entry (`aud_…`)" }),
    /** Empty if the action concerns the deployment and not one tenant. */
    tenantId: Schema.String,
    at: Time.annotate({ description: "The time of the action (ISO 8601 in UTC)", column: "happened_at" }),
    /** The name of the principal, from `principalName`. */
    actor: Schema.String.annotate({
      description: "`admin`, `user:<subject>`, `session:<id>` or the id of an API key"
    }),
    /** Null if the credential acts as no user. */
    userId: Schema.NullOr(UserId).annotate({
      description: "The user as whom the caller acts (`usr_…`); null: it acts as no user"
    }),
    userName: UserName,
    /** The name of the operation, for example `apiKeys.create`. */
    action: Schema.String.annotate({
      description: "The name of the operation, for example `apiKeys.create`"
    }),
    /** The path parameters other than the tenant, for example `{"key_id": "key_…"}`. */
    target: Schema.Record(Schema.String, Schema.String).annotate({
      description: "The ids of the objects that the action affected"
    }),
    /** The network address of the caller; null if unknown. */
    address: Schema.NullOr(Schema.String).annotate({ description: "The network address of the caller" }),
    requestId: Schema.NullOr(Schema.String).annotate({
      description: "The `X-Request-Id` of the request; null: not known"
    }),
    /** Null if the audit trail records no values for this action. */
    change: Schema.NullOr(unchecked<AuditChange>())
  })
) {}
