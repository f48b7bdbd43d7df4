import { Effect, Layer } from "effect"
import { Vault, UnsealFailed } from "@leadloom/core/internal/port/system/Vault"

/** Provides a `Vault` that does not encrypt. A sealed text contains the place and the secret in plain text. */
export const inMemoryVault: Layer.Layer<Vault> = Layer.succeed(Vault, {
  seal: (secret, place) => JSON.stringify({ place, secret }),
  open: (sealed, place) =>
    Effect.suspend(() => {
      const prefix = `{"place":${JSON.stringify(place)},"secret":`
      if (!sealed.startsWith(prefix)) return Effect.fail(new UnsealFailed({ reason: "sealed for another place" }))
      return Effect.succeed(String(JSON.parse(sealed.slice(prefix.length, -1))))
    }),
  isOld: () => false,
  keys: ["memory"]
})
