import { Effect } from "effect"
import type { Subscription } from "../../domain/webhook/Subscription.ts"
import { Hmac } from "../../port/system/Hmac.ts"
import { makeSigner, type Signer } from "./SignWebhook.ts"
import { openSecret } from "./SubscriptionSecret.ts"

/**
 * The signers of a subscription: one for its secret, and one for the former secret, which is used until the time
 * `until`.
 */
export interface Signers {
  readonly current: readonly [Signer]
  readonly both: readonly [Signer, Signer] | null
  readonly until: number
}

/** Opens the secrets of a subscription, and prepares their keys. The result can be used for several attempts. */
export const openSigners = Effect.fnUntraced(function* (subscription: Subscription) {
  const makeMac = yield* Hmac
  const { formerSecret, formerSecretUntil, secret } = subscription
  const current = makeSigner(yield* openSecret(subscription, secret), makeMac)
  // If the former secret cannot be opened, the new one still signs.
  const before = formerSecret === null ? null : yield* Effect.option(openSecret(subscription, formerSecret))
  const both = before?._tag === "Some" ? ([current, makeSigner(before.value, makeMac)] as const) : null
  const signers: Signers = { current: [current], both, until: formerSecretUntil ?? 0 }
  return signers
})

/**
 * Returns the signers to use at a time (epoch milliseconds): that of the current secret, then that of the former secret
 * while it is valid.
 */
export const signersAt = (
  { both, current, until }: Signers,
  now: number
): readonly [Signer, ...ReadonlyArray<Signer>] => (both !== null && now < until ? both : current)
