import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"
import { Clock, Effect } from "effect"
import { Base64Url } from "effect/encoding"
import { Grants, SignIns } from "../../port/repository/conversation/Grants.ts"
import { HostedMail } from "../../port/provider/HostedMail.ts"
import { Randomness } from "../../port/system/Ids.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { ConnectionExists } from "../../domain/email/Grant.ts"
import { type HostedProvider, isHosted } from "../../domain/email/HostedMail.ts"

/** How long the owner of an account has to come back from the provider. */
export const signInMillis = 10 * 60_000

/** What is kept of the secret that travels: who reads the store cannot come back in somebody's place. */
export const hashState = (state: string): string => bytesToHex(sha256(utf8ToBytes(state)))

/**
 * Where the owner of a hosted account lets this server in. What comes back with the code names this tenant and this
 * caller, is good once and for ten minutes (RFC 6749 section 10.12). A tenant whose account is connected and working has
 * nothing to sign in to but that account again.
 */
export const startSignIn = Effect.fn("startSignIn")(function* (
  tenantId: string,
  principal: string,
  provider: HostedProvider | null
) {
  const hosted = yield* HostedMail
  yield* hosted.configured
  const connected = yield* (yield* Grants).current(tenantId)
  if (connected !== null && !isHosted(connected.provider)) return yield* new ConnectionExists(connected)
  const state = Base64Url.encode((yield* Randomness).bytes(32))
  const url = yield* hosted.signInUrl({ provider, state, email: connected?.email ?? null })
  const now = yield* Clock.currentTimeMillis
  const signIn = { tenantId, stateHash: hashState(state), principal, expiresAt: now + signInMillis }
  yield* (yield* Transactions).atomically(
    tenantId,
    Effect.flatMap(SignIns, (signIns) => signIns.begin(signIn, now))
  )
  return { url, expiresAt: signIn.expiresAt }
})
