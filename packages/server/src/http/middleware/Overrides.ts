import { Principal } from "@leadloom/api/internal/Access"
import type { SendReceipt } from "@leadloom/api/internal/schema/Override"
import { principalName } from "@leadloom/core/internal/domain/access/Principal"
import { type PrivilegedAction, audited } from "@leadloom/core/internal/workflow/access/Audited"
import type { OverridableReason, SendOverride } from "@leadloom/core/internal/domain/consent/Override"
import { Effect, Option } from "effect"
import { HttpServerRequest } from "effect/http"
import { requireRight } from "./Authorization.ts"
import { CurrentRequestId } from "./RequestId.ts"

/** The properties of a request that sends a message. */
interface Requested extends Pick<PrivilegedAction, "action" | "target"> {
  readonly tenantId: string
  /** The denial reasons that the caller overrides. */
  readonly reasons: ReadonlyArray<OverridableReason>
}

/**
 * Carries out a send with the caller's overrides. An override requires the rights of a manager. The audit trail records
 * the override in the unit of work that reserves the message.
 */
export const sendWithOverride = Effect.fnUntraced(function* <A, E, R>(
  { action, reasons, target, tenantId }: Requested,
  send: (override: SendOverride | null) => Effect.Effect<A, E, R>
) {
  if (reasons.length === 0) return yield* send(null)
  const principal = yield* Principal
  yield* requireRight(principal, "manage", tenantId)
  const { remoteAddress } = yield* HttpServerRequest.HttpServerRequest
  const by = principalName(principal)
  const requestId = yield* CurrentRequestId
  const acting = { actor: by, action, target, address: Option.getOrNull(remoteAddress), requestId }
  return yield* audited(acting, tenantId, send({ reasons: [...new Set(reasons)], by }))
})

/**
 * Returns the response field that lists the overridden reasons and the person who overrode them. Empty without an
 * override.
 */
export const receiptOf = (overridden: SendOverride | null): { readonly receipt?: typeof SendReceipt.Type } =>
  overridden === null ? {} : { receipt: { verdict: "allow", overridden: overridden.reasons, by: overridden.by } }
