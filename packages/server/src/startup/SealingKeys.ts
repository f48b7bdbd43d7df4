import { Vault } from "@leadloom/core/internal/port/system/Vault"
import { forgetSealingKey, noteSealingKey, sealingKeys } from "@leadloom/store/internal/deployment/SealingKeys"
import { Effect, Layer } from "effect"
import type { ServerConfig } from "../config/Config.ts"
import { StartupFailed } from "./StartupFailed.ts"

const unknown = (ids: ReadonlyArray<string>): string =>
  `Secrets in this database are encrypted with a key that this server does not have (id ${ids.join(", ")}). Set the ` +
  "same LEADLOOM_VAULT_KEYS on all servers, and remove an old key only after leadloom db reseal reports that no secret " +
  "needs it. If the key is lost, set LEADLOOM_SECRET_KEY_LOST=yes for one start, and enter those secrets again."

/**
 * Checks that the server has every key that encrypts secrets in the database. The database stores the ids of these
 * keys. A server that lacks one of them does not start, because it could not decrypt all secrets.
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
