import { Effect } from "effect"
import { type UnsealFailed, Vault } from "../../port/system/Vault.ts"
import { signingSecretPrefix } from "./SignWebhook.ts"
import type { Subscription } from "../../domain/webhook/Subscription.ts"

/** The subscription to which a secret belongs. */
interface Owner {
  readonly tenantId: string
  readonly webhookId: string
}

/**
 * FROZEN, because stored secrets are sealed with this text. Returns the seal context (`Vault`) of a subscription's
 * secret.
 */
export const signingSecretSealContext = ({ tenantId, webhookId }: Owner): string => `webhook:${tenantId}:${webhookId}`

/**
 * Returns whether a stored secret is not sealed. This is the case in rows that were stored before secrets were sealed.
 * A sealed value never starts with this prefix.
 */
export const isUnsealed = (kept: string): boolean => kept.startsWith(signingSecretPrefix)

/** Seals a signing secret for storage. */
export const sealSecret = (owner: Owner, secret: string): Effect.Effect<string, never, Vault> =>
  Effect.map(Vault, (vault) => vault.seal(secret, signingSecretSealContext(owner)))

/** Opens a stored secret. */
export const openSecret = (owner: Owner, kept: string): Effect.Effect<string, UnsealFailed, Vault> =>
  isUnsealed(kept)
    ? Effect.succeed(kept)
    : Effect.flatMap(Vault, (vault) => vault.open(kept, signingSecretSealContext(owner)))

/** Seals a stored secret again with the newest key. A secret that cannot be opened does not change. */
export const resealSecret = Effect.fnUntraced(function* (owner: Owner, kept: string) {
  const vault = yield* Vault
  if (!isUnsealed(kept) && !vault.isOld(kept)) return kept
  return yield* openSecret(owner, kept).pipe(
    Effect.flatMap((secret) => sealSecret(owner, secret)),
    Effect.catchTag("UnsealFailed", () => Effect.succeed(kept))
  )
})

/** Returns a subscription whose secrets are sealed with the newest key. */
export const resealSecrets = Effect.fnUntraced(function* (subscription: Subscription) {
  const { formerSecret, secret } = subscription
  const after: Subscription = {
    ...subscription,
    secret: yield* resealSecret(subscription, secret),
    formerSecret: formerSecret === null ? null : yield* resealSecret(subscription, formerSecret)
  }
  return after
})
