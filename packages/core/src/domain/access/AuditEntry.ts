import type { Id } from "../Id.ts"
import type { Json } from "../text/Json.ts"

/** The values before and after a privileged action. Contains no secrets. Of a contact, it contains only the id. */
export interface AuditChange {
  /** Null if the value did not exist. */
  readonly before: Json
  /** Null if the action removed the value. */
  readonly after: Json
}

/**
 * One privileged action: the actor, the action, its time and its origin. Written in the same unit of work as the
 * action, and immutable.
 */
export interface AuditEntry {
  readonly auditId: Id<"aud">
  /** Empty if the action concerns the deployment and not one tenant. */
  readonly tenantId: string
  /** Epoch milliseconds. */
  readonly at: number
  /** The name of the principal, from `principalName`. */
  readonly actor: string
  /** The name of the operation, for example `apiKeys.create`. */
  readonly action: string
  /** The path parameters other than the tenant, for example `{"key_id": "key_…"}`. */
  readonly target: Readonly<Record<string, string>>
  /** The network address of the caller; null if unknown. */
  readonly address: string | null
  readonly requestId: string | null
  /** Null if the action changes no values worth recording. */
  readonly change: AuditChange | null
}
