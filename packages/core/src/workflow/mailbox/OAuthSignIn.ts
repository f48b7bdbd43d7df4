import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"
import { Clock, Effect, Result } from "effect"
import { Base64Url } from "effect/encoding"
import { EmailRequestInvalid } from "../../domain/email/Grant.ts"
import type { HostedProvider } from "../../domain/email/HostedMail.ts"
import type { MailboxAccount } from "../../domain/mailbox/MailboxAccount.ts"
import { tenantLoginRate } from "../../domain/mailbox/MailboxLimits.ts"
import { HostedMail } from "../../port/provider/HostedMail.ts"
import { Mailboxes } from "../../port/provider/Mailboxes.ts"
import { OAuthProviders, type OAuthSecrets } from "../../port/provider/OAuthProviders.ts"
import { SignIns } from "../../port/repository/conversation/Grants.ts"
import { Ids, Randomness } from "../../port/system/Ids.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { Vault } from "../../port/system/Vault.ts"
import { log } from "../LogEvents.ts"
import { openMailboxSecret } from "./AccessTokens.ts"
import { connectionOf, storeMailbox } from "./ConnectMailbox.ts"
import { checkAddress, countAttempt } from "./DiscoverMailServers.ts"

/** The maximum time between the start of a sign-in and the owner's return from the provider. */
export const signInMillis = 10 * 60_000

/** Returns the hash of the state, which is stored. Nobody who reads the store can complete a sign-in with it. */
export const hashState = (state: string): string => bytesToHex(sha256(utf8ToBytes(state)))

/** The secrets of a sign-in as they are sealed (JSON). */
interface OAuthSignIn extends OAuthSecrets {
  readonly provider: HostedProvider
}

/** The place of the sealed secrets of a sign-in (`Vault`). */
export const signInSealContext = (tenantId: string, stateHash: string): string => `sign_in:${tenantId}:${stateHash}`

const providerMissing = new EmailRequestInvalid({
  issues: [{ path: "provider", message: "Send provider=google or provider=microsoft." }]
})

/**
 * Returns the provider at which the owner signs in with the operator's own client. Returns null when the intermediary of
 * hosted accounts signs the owner in, because the operator has no client of its own.
 */
export const ownProvider = Effect.fnUntraced(function* (chosen: HostedProvider | null) {
  const { providers } = yield* OAuthProviders
  if (chosen !== null) return providers.includes(chosen) ? chosen : null
  const [only, another] = providers
  if (only === undefined || Result.isSuccess(yield* Effect.result((yield* HostedMail).configured))) return null
  return another === undefined ? only : yield* providerMissing
})

/** The start of a sign-in with the operator's own client. */
interface OAuthStart {
  readonly tenantId: string
  readonly principal: string
  readonly provider: HostedProvider
  readonly state: string
  /** The address of the connected mailbox, which the provider suggests; null for none. */
  readonly email: string | null
}

/**
 * Starts a sign-in at the provider, with PKCE (RFC 7636), a nonce and a state. The start counts as an attempt to log in,
 * because it permits one exchange of a code and one login.
 */
export const startOAuth = Effect.fnUntraced(function* ({ email, principal, provider, state, tenantId }: OAuthStart) {
  const { bytes } = yield* Randomness
  yield* countAttempt(tenantId, "mailbox_login", tenantLoginRate)
  const secrets: OAuthSignIn = { provider, nonce: Base64Url.encode(bytes(32)), verifier: Base64Url.encode(bytes(32)) }
  const url = yield* (yield* OAuthProviders).signInUrl({ ...secrets, state, email })
  const stateHash = hashState(state)
  const sealed = (yield* Vault).seal(JSON.stringify(secrets), signInSealContext(tenantId, stateHash))
  const now = yield* Clock.currentTimeMillis
  const signIn = { tenantId, stateHash, principal, expiresAt: now + signInMillis, sealed }
  yield* (yield* Transactions).atomically(
    tenantId,
    Effect.flatMap(SignIns, (signIns) => signIns.begin(signIn, now))
  )
  return { url, expiresAt: signIn.expiresAt }
})

/** A consumed sign-in and the code with which the owner returned. */
interface OAuthCallback {
  readonly tenantId: string
  readonly stateHash: string
  readonly sealed: string
  readonly code: string
}

/**
 * Connects the mailbox whose owner has signed in. The address comes from the verified ID token. Both logins are verified
 * with it before anything is stored, so they prove that the mailbox of this address belongs to the owner. A mailbox that
 * is already connected keeps its grant.
 */
export const finishOAuth = Effect.fnUntraced(function* ({ code, sealed, stateHash, tenantId }: OAuthCallback) {
  const opened = yield* (yield* Vault).open(sealed, signInSealContext(tenantId, stateHash))
  const signIn: OAuthSignIn = JSON.parse(opened)
  const { email: signedIn, imap, smtp, tokens } = yield* (yield* OAuthProviders).exchange(code, signIn)
  const email = yield* checkAddress(signedIn)
  const before = yield* connectionOf(tenantId, email)
  const login = { email, username: email, imap, smtp }
  yield* (yield* Mailboxes).verify({ ...login, credential: { _tag: "AccessToken", token: tokens.accessToken } })
  const newId = yield* (yield* Ids).next("grant")
  const secret = { kind: "oauth", provider: signIn.provider, ...tokens } as const
  const request = { name: null, sinceDays: null, setsFlags: null }
  const stored = storeMailbox({ tenantId, request, login, secret }, newId)
  const grant = yield* (yield* Transactions).atomically(tenantId, stored)
  return { grant, signedInAgain: before !== null }
})

/** Revokes the consent to a removed mailbox at its provider. A failure is logged, and has no further effect. */
export const revokeConsent = Effect.fnUntraced(function* (account: MailboxAccount) {
  const { grantId, tenantId } = account
  const secret = yield* Effect.orElseSucceed(openMailboxSecret(account), () => null)
  if (secret?.kind !== "oauth") return
  yield* (yield* OAuthProviders)
    .revoke(secret.provider, secret.refreshToken)
    .pipe(
      Effect.catchTag("ProviderFailure", ({ message }) =>
        log("grant.revoke_failed", { tenant: tenantId, provider_grant: grantId, reason: message })
      )
    )
})
