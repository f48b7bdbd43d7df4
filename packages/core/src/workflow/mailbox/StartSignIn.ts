import { Clock, Effect } from "effect"
import { Base64Url } from "effect/encoding"
import { Grants, SignIns } from "../../port/repository/conversation/Grants.ts"
import { HostedMail } from "../../port/provider/HostedMail.ts"
import { Randomness } from "../../port/system/Ids.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { ConnectionExists } from "../../domain/email/Grant.ts"
import { type HostedProvider, isHosted } from "../../domain/email/HostedMail.ts"
import { withSpan } from "../WithSpan.ts"
import { hashState, ownProvider, signInMillis, startOAuth } from "./OAuthSignIn.ts"

/**
 * Returns the URL of the page on which the owner of an account at Google or Microsoft authorises this server: at the
 * provider itself if the operator has an own client there, otherwise at the intermediary of hosted accounts. The callback is valid
 * once, for ten minutes, and only for this tenant and principal (RFC 6749 section 10.12). If the tenant has a connected
 * account, the owner can only sign in to that account again.
 */
export const startSignIn = Effect.fnUntraced(function* (
  tenantId: string,
  principal: string,
  provider: HostedProvider | null
) {
  const hosted = yield* HostedMail
  const connected = yield* (yield* Grants).current(tenantId)
  const own = yield* ownProvider(provider, connected)
  const state = Base64Url.encode((yield* Randomness).bytes(32))
  if (own !== null)
    return yield* startOAuth({ tenantId, principal, provider: own, state, email: connected?.email ?? null })
  yield* hosted.configured
  if (connected !== null && !isHosted(connected.provider)) return yield* new ConnectionExists(connected)
  const url = yield* hosted.signInUrl({ provider, state, email: connected?.email ?? null })
  const now = yield* Clock.currentTimeMillis
  const signIn = { tenantId, stateHash: hashState(state), principal, expiresAt: now + signInMillis, sealed: null }
  yield* (yield* Transactions).atomically(
    tenantId,
    Effect.flatMap(SignIns, (signIns) => signIns.begin(signIn, now))
  )
  return { url, expiresAt: signIn.expiresAt }
}, withSpan("startSignIn"))
