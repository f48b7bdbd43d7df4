import { Effect } from "effect"
import { Hmac } from "../../port/system/Hmac.ts"
import { makeSigner, type Signer } from "./Signing.ts"
import type { Subscription } from "../../domain/webhook/Subscription.ts"
import { openSecret } from "./SubscriptionSecret.ts"

/** Who signs for a subscription: by its secret, and by the one before it, as long as that does. */
interface Signers {
  readonly current: readonly [Signer]
  readonly both: readonly [Signer, Signer] | null
  readonly until: number
}

/** Of subscriptions as they were read, so that what was opened is forgotten with them. */
const known = new WeakMap<Subscription, Signers>()

const makeSigners = Effect.fnUntraced(function* (subscription: Subscription) {
  const makeMac = yield* Hmac
  const { formerSecret, formerSecretUntil, secret } = subscription
  const current = makeSigner(yield* openSecret(subscription, secret), makeMac)
  // One that does not open any more is no reason not to sign by the new one.
  const before = formerSecret === null ? null : yield* Effect.option(openSecret(subscription, formerSecret))
  const both = before?._tag === "Some" ? ([current, makeSigner(before.value, makeMac)] as const) : null
  const signers: Signers = { current: [current], both, until: formerSecretUntil ?? 0 }
  known.set(subscription, signers)
  return signers
})

const signing = ({ both, current, until }: Signers, now: number): readonly [Signer, ...ReadonlyArray<Signer>] =>
  both !== null && now < until ? both : current

/** What signs for a subscription at a time (epoch milliseconds): the secret, then for a while the one before it. */
export const signersOf = (subscription: Subscription, now: number) => {
  const ready = known.get(subscription)
  return ready === undefined
    ? Effect.map(makeSigners(subscription), (made) => signing(made, now))
    : Effect.succeed(signing(ready, now))
}
