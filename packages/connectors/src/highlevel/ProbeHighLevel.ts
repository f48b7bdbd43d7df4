import { Crm } from "@leadloom/core/internal/port/provider/Crm"
import { Effect, Redacted } from "effect"
import type { HighLevelConfig } from "./HighLevelConfig.ts"
import * as HighLevelCrm from "./HighLevelCrm.ts"

/** The result of the check of the app's credentials. */
export interface HighLevelSeen {
  /**
   * `unclear`: the marketplace responds, but its error does not show whether it knows the app. `unasked`: the
   * marketplace does not respond.
   */
  readonly app: "known" | "unknown" | "unclear" | "unasked"
  /** The error message; empty when the app is known. */
  readonly reason: string
}

/** The invalid refresh token that the check sends. */
const probeCode = Redacted.make("leadloom-doctor-asks-whether-this-app-is-known")

const seen = (app: HighLevelSeen["app"], reason = ""): Effect.Effect<HighLevelSeen> => Effect.succeed({ app, reason })

/**
 * Checks the app's credentials by requesting the renewal of an invalid token, which always fails. The error names the
 * cause: the token or the app is unknown (RFC 6749 section 5.2). The check needs no location and changes nothing.
 */
export const probeHighLevel = (config: HighLevelConfig): Effect.Effect<HighLevelSeen> =>
  Effect.flatMap(Crm, (crm) => crm.refresh(probeCode, "location")).pipe(
    Effect.flatMap(() => seen("known")),
    Effect.catchReasons("ProviderFailure", {
      SignedOut: ({ detail }) => (/grant|token/iu.test(detail) ? seen("known") : seen("unclear", detail)),
      Refused: ({ detail }) => seen(/client/iu.test(detail) ? "unknown" : "unclear", detail)
    }),
    Effect.catch(({ message }) => seen("unasked", message)),
    Effect.provide(HighLevelCrm.layer(config))
  )
