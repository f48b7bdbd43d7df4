import { createHmac } from "node:crypto"
import { Secrets } from "@leadloom/core/access/Secrets"
import { agreeOn, changeTo } from "@leadloom/store/Deployment"
import { Effect, Layer } from "effect"
import type { ServerConfig } from "./Config.ts"
import { StartupFailed } from "./StartupFailed.ts"

/** FROZEN: databases hold it. Tells one secret from another and nothing else about it. */
export const fingerprintOf = (pepper: Uint8Array): string =>
  createHmac("sha256", pepper).update("leadloom/deployment/1").digest("hex").slice(0, 32)

/** What the database calls it. */
export const setting = "secret_key"

const another =
  "This database was made under another secret key: every credential in it would be refused. Give all servers the same " +
  "LEADLOOM_SECRET_KEY, or the secret.key of the first one's data directory. If it is lost, set " +
  "LEADLOOM_SECRET_KEY_LOST=yes once; then every API key and source key has to be made anew."

/**
 * All servers on one database have to have one secret key: credentials are kept as hashes under it. A server with
 * another one does not start, rather than refuse what the others accept.
 */
export const layer = ({ secretKeyLost }: Pick<ServerConfig, "secretKeyLost">) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const mine = fingerprintOf((yield* Secrets).pepper)
      if (secretKeyLost) {
        yield* changeTo(setting, mine)
        yield* Effect.logWarning("LEADLOOM_SECRET_KEY_LOST: this server's secret key is in force now; unset it again")
      }
      if ((yield* agreeOn(setting, mine)) !== mine) return yield* new StartupFailed({ line: another })
    }).pipe(
      Effect.catchTag("StoreUnavailable", ({ reason }) =>
        Effect.fail(new StartupFailed({ line: `The database does not answer: ${reason.replace(/\s+/gu, " ")}` }))
      )
    )
  )
