import { Clock, Effect, Result, Schedule } from "effect"
import {
  type MailboxAccount,
  mailboxSealContext,
  type MailboxSecret,
  type OAuthSecret,
  type TokenRenewal
} from "../../domain/mailbox/MailboxAccount.ts"
import { type ProviderFailure, signedOut, unavailable } from "../../domain/provider/ProviderFailure.ts"
import { OAuthProviders } from "../../port/provider/OAuthProviders.ts"
import { MailboxAccounts } from "../../port/repository/conversation/MailboxAccounts.ts"
import { Vault } from "../../port/system/Vault.ts"
import { withSpan } from "../WithSpan.ts"

/** The time before its expiry at which an access token is renewed, so that a login that has started can finish. */
export const renewalMillis = 5 * 60_000

/** The length of a claim. It is longer than a request to a token endpoint and the attempts to store the new tokens. */
export const renewalClaimMillis = 60_000

/** The interval at which a caller checks whether another one has renewed the token. */
const lookMillis = 100

/** The attempts to store new tokens, for ten seconds. The provider may no longer accept the former refresh token. */
const storeAgain = Schedule.spaced("500 millis").pipe(Schedule.upTo({ times: 20 }))

/** Seals the secret of an account for storage. */
export const sealMailboxSecret = (
  vault: Vault["Service"],
  { grantId, tenantId }: Pick<MailboxAccount, "grantId" | "tenantId">,
  secret: MailboxSecret
): string => vault.seal(JSON.stringify(secret), mailboxSealContext(tenantId, grantId))

/** Opens the sealed secret of an account. Fails with `UnsealFailed` when the operator has removed its key. */
export const openMailboxSecret = Effect.fnUntraced(function* ({ grantId, secret, tenantId }: MailboxAccount) {
  const opened: MailboxSecret = JSON.parse(yield* (yield* Vault).open(secret, mailboxSealContext(tenantId, grantId)))
  return opened
})

/** The current tokens of an account, and the state of their renewal. */
interface CurrentTokens {
  readonly account: MailboxAccount
  readonly renewal: TokenRenewal
  readonly secret: OAuthSecret
}

/** Ends a failed renewal. A failure counts only if the owner has not connected the mailbox again meanwhile. */
const renewalFailed = Effect.fnUntraced(function* (held: TokenRenewal, failure: ProviderFailure) {
  const isCurrent = yield* (yield* MailboxAccounts).endRenewal(held, null)
  return isCurrent ? failure : unavailable("mail", "the mailbox was connected again during the renewal of its token")
})

/**
 * Claims the renewal of the tokens of an account, and renews them. Returns null when another caller has claimed it. New
 * tokens are stored before they are used, because a provider may reject the former refresh token from then on. The
 * renewal is uninterruptible, so only a crash can lose the new tokens.
 */
const renew = Effect.fnUntraced(function* ({ account, renewal, secret: before }: CurrentTokens, until: number) {
  const accounts = yield* MailboxAccounts
  if (!(yield* accounts.claimRenewal(renewal, until))) return null
  const held: TokenRenewal = { ...renewal, claim: renewal.claim + 1, claimedUntil: until }
  const answer = yield* Effect.result((yield* OAuthProviders).refresh(before.provider, before.refreshToken))
  if (Result.isFailure(answer)) return yield* Effect.flatMap(renewalFailed(held, answer.failure), Effect.fail)
  const secret: OAuthSecret = { kind: "oauth", provider: before.provider, ...answer.success }
  const sealed = sealMailboxSecret(yield* Vault, account, secret)
  const isStored = yield* Effect.retry(accounts.endRenewal(held, sealed), storeAgain)
  return isStored
    ? secret
    : yield* unavailable("mail", "the mailbox was connected again during the renewal of its token")
}, Effect.uninterruptible)

/** Reads the current tokens of an account. */
const readTokens = Effect.fnUntraced(function* ({ grantId, tenantId }: MailboxAccount) {
  const accounts = yield* MailboxAccounts
  // The state of the renewal is read first: a claim of this state fails if the tokens have changed since.
  const renewal = yield* accounts.renewal(tenantId, grantId)
  const account = yield* accounts.find(tenantId, grantId)
  if (renewal === null || account === null) return yield* unavailable("mail", "the mailbox is no longer connected")
  const secret = yield* openMailboxSecret(account)
  if (secret.kind !== "oauth") return yield* unavailable("mail", "the mailbox was connected again with a password")
  return { account, renewal, secret } satisfies CurrentTokens
})

/**
 * Returns an access token of an account, and renews it before it expires. `rejected` is a token that the mail server has
 * rejected. All concurrent callers, on all servers, share one renewal, also if it fails. Fails with `SignedOut` when the
 * provider no longer accepts the consent of the owner. Must run outside a unit of work.
 */
export const freshAccessToken = Effect.fnUntraced(function* (account: MailboxAccount, rejected: string | null) {
  /** The claim of another caller for which this one has waited. */
  let awaited: number | null = null
  for (;;) {
    const current = yield* readTokens(account)
    const { accessToken, expiresAt } = current.secret
    const { claim, claimedUntil } = current.renewal
    const now = yield* Clock.currentTimeMillis
    const isGood = expiresAt > now && accessToken !== rejected
    const isClaimed = claimedUntil > now
    if (isGood && (isClaimed || awaited !== null || expiresAt > now + renewalMillis)) return accessToken
    if (isClaimed) {
      awaited = claim
      yield* Effect.sleep(lookMillis)
      continue
    }
    if (awaited !== null && awaited <= claim && claimedUntil === 0)
      return yield* unavailable("mail", "the renewal of the access token failed")
    const renewed = renew(current, now + renewalClaimMillis)
    // The former token is valid for some minutes, so the login does not fail if the provider is unavailable.
    const keep = isGood ? { accessToken } : null
    const secret = yield* keep === null
      ? renewed
      : Effect.catchReason(renewed, "ProviderFailure", "Unavailable", () => Effect.succeed(keep))
    if (secret !== null) return secret.accessToken
    awaited = claim + 1
  }
}, withSpan("freshAccessToken"))

/** Returns the failure for a secret that cannot be opened: the owner must then connect the mailbox again. */
export const unsealFailure = ({ reason }: { readonly reason: string }): ProviderFailure =>
  signedOut("mail", `the stored login cannot be opened: ${reason}`)
