import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"
import { Clock, Effect } from "effect"
import { Base64Url } from "effect/encoding"
import { Grants, SignIns } from "../../port/repository/conversation/Grants.ts"
import { HostedMail } from "../../port/provider/HostedMail.ts"
import { Randomness } from "../../port/system/Ids.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { AccountLimit } from "../../domain/email/Accounts.ts"
import { type HostedProvider, isHosted } from "../../domain/email/HostedMail.ts"
import { requireFreePlace } from "./Accounts.ts"
import { withSpan } from "../WithSpan.ts"

/** The maximum time between the start of a sign-in and the owner's return from the provider. */
export const signInMillis = 10 * 60_000

/** Returns the hash of the state, which is stored. Nobody who reads the store can complete a sign-in with it. */
export const hashState = (state: string): string => bytesToHex(sha256(utf8ToBytes(state)))

/**
 * Returns the URL of the page on which the owner of a hosted account authorises this server. The callback is valid
 * once, for ten minutes, and only for this tenant and principal (RFC 6749 section 10.12). If the tenant may not connect
 * another account, the owner can only sign in to a connected one again.
 */
export const startSignIn = Effect.fnUntraced(function* (
  tenantId: string,
  principal: string,
  provider: HostedProvider | null
) {
  const hosted = yield* HostedMail
  yield* hosted.configured
  const accounts = yield* (yield* Grants).list(tenantId)
  const signedIn = accounts.filter((each) => isHosted(each.provider))
  if (signedIn.length === 0) yield* requireFreePlace(accounts)
  const isFull = accounts.length >= (yield* AccountLimit)
  const connected = isFull && signedIn.length === 1 ? signedIn[0] : null
  const state = Base64Url.encode((yield* Randomness).bytes(32))
  const url = yield* hosted.signInUrl({ provider, state, email: connected?.email ?? null })
  const now = yield* Clock.currentTimeMillis
  const signIn = { tenantId, stateHash: hashState(state), principal, expiresAt: now + signInMillis }
  yield* (yield* Transactions).atomically(
    tenantId,
    Effect.flatMap(SignIns, (signIns) => signIns.begin(signIn, now))
  )
  return { url, expiresAt: signIn.expiresAt }
}, withSpan("startSignIn"))
