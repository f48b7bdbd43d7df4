import type { Id } from "../Id.ts"
import type { Json } from "../text/Json.ts"

/** What was different after a privileged action. Holds no secret and nothing of a contact but ids. */
export interface AuditChange {
  /** Null: it was not there. */
  readonly before: Json
  /** Null: it is gone. */
  readonly after: Json
}

/** One privileged action: who did what, when, from where. Written with what it tells of, and never changed. */
export interface AuditEntry {
  readonly auditId: Id<"aud">
  /** Empty: it concerned the deployment, not one tenant. */
  readonly tenantId: string
  /** Epoch milliseconds. */
  readonly at: number
  /** Name of the principal (`principalName`). */
  readonly actor: string
  /** Name of the operation, for example `apiKeys.create`. */
  readonly action: string
  /** What it was done to: what the path names beside the tenant, for example `{"key_id": "key_…"}`. */
  readonly target: Readonly<Record<string, string>>
  /** The network address it came from; null: unknown. */
  readonly address: string | null
  readonly requestId: string | null
  /** Null where the action has nothing to tell beyond its name. */
  readonly change: AuditChange | null
}
