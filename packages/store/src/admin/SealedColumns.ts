import { retellSealContext } from "@leadloom/core/internal/domain/assistant/AssistantAccess"
import { crmSealContext } from "@leadloom/core/internal/domain/crm/Location"
import { mailboxSealContext } from "@leadloom/core/internal/domain/mailbox/MailboxAccount"
import { ticketSealContext } from "@leadloom/core/internal/workflow/access/StreamTickets"
import { signInSealContext } from "@leadloom/core/internal/workflow/mailbox/OAuthSignIn"
import { answerSealContext } from "@leadloom/core/internal/workflow/access/RunIdempotent"
import { isUnsealed, signingSecretSealContext } from "@leadloom/core/internal/workflow/webhook/SubscriptionSecret"

/**
 * A column with texts that the `Vault` has encrypted ("sealed"). An empty text or null means that there is no secret.
 */
export interface SealedColumn {
  readonly table: string
  readonly column: string
  /** The columns of the primary key. All of them are text. */
  readonly key: ReadonlyArray<string>
  /** Returns the context with which the secret of a row is sealed. It is derived from the key of the row. */
  readonly place: (key: ReadonlyArray<string>) => string
  /** Returns whether a text is an unencrypted secret of an older version. Such secrets are sealed too. */
  readonly isUnsealed: (text: string) => boolean
}

const never = (): boolean => false

const tokens = (column: string): SealedColumn => ({
  table: "crm_installs",
  column,
  key: ["tenant_id", "location_id"],
  place: ([tenantId = "", locationId = ""]) => crmSealContext(tenantId, locationId),
  isUnsealed: never
})

const signingSecrets = (column: string): SealedColumn => ({
  table: "webhook_subscriptions",
  column,
  key: ["tenant_id", "webhook_id"],
  place: ([tenantId = "", webhookId = ""]) => signingSecretSealContext({ tenantId, webhookId }),
  isUnsealed
})

/**
 * All columns with sealed texts. A column that is missing here would keep its old key, and its secrets would become
 * unreadable when the operator removes this key.
 */
export const sealedColumns: ReadonlyArray<SealedColumn> = [
  {
    table: "assistants",
    column: "retell_key",
    key: ["tenant_id"],
    place: ([tenantId = ""]) => retellSealContext(tenantId),
    isUnsealed: never
  },
  tokens("sealed_access"),
  tokens("sealed_refresh"),
  {
    table: "idempotency_records",
    column: "answer",
    key: ["tenant_id", "credential", "route", "idempotency_key"],
    place: ([tenantId = "", credential = "", route = "", key = ""]) =>
      answerSealContext({ tenantId, credential, route, key }),
    isUnsealed: never
  },
  {
    table: "mailbox_accounts",
    column: "secret",
    key: ["tenant_id", "grant_id"],
    place: ([tenantId = "", grantId = ""]) => mailboxSealContext(tenantId, grantId),
    isUnsealed: never
  },
  {
    table: "sign_ins",
    column: "sealed",
    key: ["tenant_id", "state_hash"],
    place: ([tenantId = "", stateHash = ""]) => signInSealContext(tenantId, stateHash),
    isUnsealed: never
  },
  {
    table: "stream_tickets",
    column: "sealed",
    key: ["tenant_id", "hash"],
    place: ([tenantId = "", hash = ""]) => ticketSealContext(tenantId, hash),
    isUnsealed: never
  },
  signingSecrets("secret"),
  signingSecrets("former_secret")
]
