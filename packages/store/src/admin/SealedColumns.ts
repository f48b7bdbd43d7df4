import { retellSealContext } from "@leadloom/core/domain/assistant/AssistantAccess"
import { crmSealContext } from "@leadloom/core/domain/crm/Location"
import { answerSealContext } from "@leadloom/core/workflow/access/RunIdempotent"
import { isUnsealed, signingSecretSealContext } from "@leadloom/core/workflow/delivery/SubscriptionSecret"

/** A column whose texts the `Vault` has sealed; empty or null where there is nothing to keep. */
export interface SealedColumn {
  readonly table: string
  readonly column: string
  /** The columns of the primary key, all of them texts. */
  readonly key: ReadonlyArray<string>
  /** Where the secret of a row belongs, by the values of its key. */
  readonly place: (key: ReadonlyArray<string>) => string
  /** Whether a text is a secret from before secrets were sealed, to be sealed now. */
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

/** Everything in a database that is sealed. A column that is missing here stays under a key that is thought to be gone. */
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
  signingSecrets("secret"),
  signingSecrets("former_secret")
]
