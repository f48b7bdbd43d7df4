import { Effect } from "effect"
import { Hmac } from "../../port/system/Hmac.ts"
import { makeSigner, type Signer } from "./SignWebhook.ts"
import type { Subscription } from "../../domain/webhook/Subscription.ts"
import { openSecret } from "./SubscriptionSecret.ts"

/** The signers of a subscription: one for its secret, and one for the former secret until that expires. */
interface Signers {
  readonly current: readonly [Signer]
  readonly both: readonly [Signer, Signer] | null
  readonly until: number
}

/** Keyed by the loaded subscription, so that decrypted secrets are freed with it. */
const known = new WeakMap<Subscription, Signers>()

const makeSigners = Effect.fnUntraced(function* (subscription: Subscription) {
  const makeMac = yield* Hmac
  const { formerSecret, formerSecretUntil, secret } = subscription
  const current = makeSigner(yield* openSecret(subscription, secret), makeMac)
  // A former secret that cannot be decrypted does not prevent signing with the new one.
  const before = formerSecret === null ? null : yield* Effect.option(openSecret(subscription, formerSecret))
  const both = before?._tag === "Some" ? ([current, makeSigner(before.value, makeMac)] as const) : null
  const signers: Signers = { current: [current], both, until: formerSecretUntil ?? 0 }
  known.set(subscription, signers)
  return signers
})

const signing = ({ both, current, until }: Signers, now: number): readonly [Signer, ...ReadonlyArray<Signer>] =>
  both !== null && now < until ? both : current

/**
 * Returns the signers of a subscription at a time (epoch milliseconds): the current secret, then the former one while
 * it is valid.
 */
export const signersOf = (subscription: Subscription, now: number) => {
  const ready = known.get(subscription)
  return ready === undefined
    ? Effect.map(makeSigners(subscription), (made) => signing(made, now))
    : Effect.succeed(signing(ready, now))
}
