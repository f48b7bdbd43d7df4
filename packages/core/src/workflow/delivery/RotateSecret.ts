import { Clock, Effect } from "effect"
import { Randomness } from "../../port/system/Randomness.ts"
import { Subscriptions } from "../../port/repository/webhook/Subscriptions.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { mintSigningSecret } from "./Signing.ts"
import { rotationGraceHours, type WithSecret } from "../../domain/webhook/Subscription.ts"
import { resealSecret, sealSecret } from "./SubscriptionSecret.ts"

/** Gives a subscription a new secret, shown this once. The one before signs beside it for `rotationGraceHours`. */
export const rotateSecret = Effect.fn("rotateSecret")(function* (tenantId: string, webhookId: string) {
  const now = yield* Clock.currentTimeMillis
  const shown = mintSigningSecret((yield* Randomness).bytes)
  const subscriptions = yield* Subscriptions
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const before = yield* subscriptions.get(tenantId, webhookId)
      const after = {
        ...before,
        secret: yield* sealSecret(before, shown),
        formerSecret: yield* resealSecret(before, before.secret),
        formerSecretUntil: now + rotationGraceHours * 3_600_000,
        updatedAt: now
      }
      yield* subscriptions.update(after)
      const rotated: WithSecret = { subscription: after, shown }
      return rotated
    })
  )
})
