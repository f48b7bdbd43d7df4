import { Effect } from "effect"
import { Grants } from "../../port/repository/conversation/Grants.ts"
import { EmailNotConnected, GrantNotFound } from "../../domain/email/Grant.ts"

/** The tenant's connected account. */
export const connectedGrant = Effect.fnUntraced(function* (tenantId: string) {
  return (yield* (yield* Grants).current(tenantId)) ?? (yield* new EmailNotConnected({ tenantId }))
})

/** The connected account of this id. */
export const readGrant = Effect.fn("readGrant")(function* (tenantId: string, grantId: string) {
  const grant = yield* (yield* Grants).current(tenantId)
  return grant?.grantId === grantId ? grant : yield* new GrantNotFound({ grantId })
})
