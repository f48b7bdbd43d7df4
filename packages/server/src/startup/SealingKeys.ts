import { Vault } from "@leadloom/core/port/system/Vault"
import { forgetSealingKey, noteSealingKey, sealingKeys } from "@leadloom/store/deployment/SealingKeys"
import { Effect, Layer } from "effect"
import type { ServerConfig } from "../config/Config.ts"
import { StartupFailed } from "./StartupFailed.ts"

const unknown = (ids: ReadonlyArray<string>): string =>
  `Secrets in this database are sealed under a key that this server does not have (id ${ids.join(", ")}). Give all ` +
  "servers the same LEADLOOM_VAULT_KEYS, and take an old key away only when leadloom db reseal says that nothing is " +
  "left under it. If it is lost, set LEADLOOM_SECRET_KEY_LOST=yes once; then those secrets have to be set anew."

/**
 * A database remembers which keys its secrets may be sealed under. A server that lacks one of them does not start,
 * rather than fail to open what the others have sealed.
 */
export const layer = ({ secretKeyLost }: Pick<ServerConfig, "secretKeyLost">) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const { keys } = yield* Vault
      const missing = (yield* sealingKeys).filter((id) => !keys.includes(id))
      if (secretKeyLost) yield* Effect.forEach(missing, forgetSealingKey, { discard: true })
      else if (missing.length > 0) return yield* new StartupFailed({ line: unknown(missing) })
      yield* noteSealingKey(keys[0])
    }).pipe(
      Effect.catchTag("StoreUnavailable", ({ reason }) =>
        Effect.fail(new StartupFailed({ line: `The database does not answer: ${reason.replace(/\s+/gu, " ")}` }))
      )
    )
  )
