import { Effect } from "effect"
import { type UnsealFailed, Vault } from "../../port/system/Vault.ts"
import { signingSecretPrefix } from "./Signing.ts"
import type { Subscription } from "../../domain/webhook/Subscription.ts"

/** Whose secret it is. */
interface Owner {
  readonly tenantId: string
  readonly webhookId: string
}

/** Where the signing secrets of a subscription belong (`Vault`). FROZEN: secrets are kept under it. */
export const signingSecretSealContext = ({ tenantId, webhookId }: Owner): string => `webhook:${tenantId}:${webhookId}`

/** Subscriptions from before secrets were sealed have them as they were shown. Nothing that is sealed begins like that. */
export const isUnsealed = (kept: string): boolean => kept.startsWith(signingSecretPrefix)

/** A signing secret as it is kept. */
export const sealSecret = (owner: Owner, secret: string): Effect.Effect<string, never, Vault> =>
  Effect.map(Vault, (vault) => vault.seal(secret, signingSecretSealContext(owner)))

/** A kept secret as it was shown. */
export const openSecret = (owner: Owner, kept: string): Effect.Effect<string, UnsealFailed, Vault> =>
  isUnsealed(kept)
    ? Effect.succeed(kept)
    : Effect.flatMap(Vault, (vault) => vault.open(kept, signingSecretSealContext(owner)))

/** A kept secret as it is to be kept from now on: sealed under the newest key. What does not open stays as it is. */
export const resealSecret = Effect.fnUntraced(function* (owner: Owner, kept: string) {
  const vault = yield* Vault
  if (!isUnsealed(kept) && !vault.isOld(kept)) return kept
  return yield* openSecret(owner, kept).pipe(
    Effect.flatMap((secret) => sealSecret(owner, secret)),
    Effect.catchTag("UnsealFailed", () => Effect.succeed(kept))
  )
})

/** A subscription with its secrets as they are to be kept. */
export const resealSecrets = Effect.fnUntraced(function* (subscription: Subscription) {
  const { formerSecret, secret } = subscription
  const after: Subscription = {
    ...subscription,
    secret: yield* resealSecret(subscription, secret),
    formerSecret: formerSecret === null ? null : yield* resealSecret(subscription, formerSecret)
  }
  return after
})
