import { Clock, Effect } from "effect"
import { Base64Url } from "effect/encoding"
import { Grants, SignIns } from "../../port/repository/conversation/Grants.ts"
import { HostedMail } from "../../port/provider/HostedMail.ts"
import { Randomness } from "../../port/system/Ids.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { AccountLimit } from "../../domain/email/Accounts.ts"
import type { Grant } from "../../domain/email/Grant.ts"
import { type HostedProvider, isHosted } from "../../domain/email/HostedMail.ts"
import { requireFreePlace } from "./Accounts.ts"
import { withSpan } from "../WithSpan.ts"
import { hashState, ownProvider, signInMillis, startOAuth } from "./OAuthSignIn.ts"

/** Returns the address that the provider suggests: that of the only account to which the owner can sign in. */
const onlyAddress = (isFull: boolean, [only, another]: ReadonlyArray<Grant>): string | null =>
  isFull && only !== undefined && another === undefined ? only.email : null

/**
 * Returns the URL of the page on which the owner of an account at Google or Microsoft authorises this server: at the
 * provider itself if the operator has an own client there, otherwise at the intermediary of hosted accounts. The callback
 * is valid once, for ten minutes, and only for this tenant and principal (RFC 6749 section 10.12). If the tenant may not
 * connect another account, the owner can only sign in to a connected one again.
 */
export const startSignIn = Effect.fnUntraced(function* (
  tenantId: string,
  principal: string,
  provider: HostedProvider | null
) {
  const hosted = yield* HostedMail
  const accounts = yield* (yield* Grants).list(tenantId)
  const isFull = accounts.length >= (yield* AccountLimit)
  // An own client signs in to mailboxes only, and the intermediary to hosted accounts only.
  const mailboxes = accounts.filter((each) => each.provider === "imap")
  const hostedAccounts = accounts.filter((each) => isHosted(each.provider))
  const own = !isFull || mailboxes.length > 0 ? yield* ownProvider(provider) : null
  const state = Base64Url.encode((yield* Randomness).bytes(32))
  if (own !== null)
    return yield* startOAuth({ tenantId, principal, provider: own, state, email: onlyAddress(isFull, mailboxes) })
  yield* hosted.configured
  if (hostedAccounts.length === 0) yield* requireFreePlace(accounts)
  const url = yield* hosted.signInUrl({ provider, state, email: onlyAddress(isFull, hostedAccounts) })
  const now = yield* Clock.currentTimeMillis
  const signIn = { tenantId, stateHash: hashState(state), principal, expiresAt: now + signInMillis, sealed: null }
  yield* (yield* Transactions).atomically(
    tenantId,
    Effect.flatMap(SignIns, (signIns) => signIns.begin(signIn, now))
  )
  return { url, expiresAt: signIn.expiresAt }
}, withSpan("startSignIn"))
