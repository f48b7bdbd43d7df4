import { inMemoryVault } from "@leadloom/testkit/memory/Vault"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { UnsealFailed, Vault } from "../../../src/port/system/Vault.ts"
import { openSecret, resealSecret, sealSecret } from "../../../src/workflow/webhook/SubscriptionSecret.ts"

const owner = { tenantId: "acme", webhookId: "whk_00000000000000000000000001" } as const
const other = { tenantId: "acme", webhookId: "whk_00000000000000000000000002" } as const
const shown = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

/** A vault whose key was rotated after `old:` values were sealed. */
const changed = Layer.succeed(Vault, {
  seal: (secret, place) => `new:${place}:${secret}`,
  open: (sealed, place) => {
    const prefix = `old:${place}:`
    return sealed.startsWith(prefix)
      ? Effect.succeed(sealed.slice(prefix.length))
      : Effect.fail(new UnsealFailed({ reason: "another place" }))
  },
  isOld: (sealed) => sealed.startsWith("old:"),
  keys: ["new", "old"]
})

describe("a signing secret", () => {
  it.effect("is stored sealed, and opens only for its own subscription", () =>
    Effect.gen(function* () {
      const kept = yield* sealSecret(owner, shown)
      expect(kept).not.toBe(shown)
      expect(yield* openSecret(owner, kept)).toBe(shown)
      expect((yield* Effect.flip(openSecret(other, kept)))._tag).toBe("UnsealFailed")
      expect(yield* resealSecret(owner, kept)).toBe(kept)
    }).pipe(Effect.provide(inMemoryVault))
  )

  it.effect("that was stored unsealed can be read, and is sealed when it is written again", () =>
    Effect.gen(function* () {
      expect(yield* openSecret(owner, shown)).toBe(shown)
      const kept = yield* resealSecret(owner, shown)
      expect(kept.startsWith("whsec_")).toBe(false)
      expect(yield* openSecret(owner, kept)).toBe(shown)
    }).pipe(Effect.provide(inMemoryVault))
  )

  it.effect(
    "sealed with a former key is sealed again when it is written; a secret that cannot be opened stays unchanged",
    () =>
      Effect.gen(function* () {
        const place = `webhook:acme:${owner.webhookId}`
        expect(yield* resealSecret(owner, `old:${place}:${shown}`)).toBe(`new:${place}:${shown}`)
        expect(yield* resealSecret(other, `old:${place}:${shown}`)).toBe(`old:${place}:${shown}`)
      }).pipe(Effect.provide(changed))
  )
})
