import { crmReason } from "@leadloom/core/domain/crm/CrmFailure"
import { Crm } from "@leadloom/core/port/provider/Crm"
import { Effect, Redacted } from "effect"
import type { HighLevelConfig } from "./HighLevelConfig.ts"
import * as HighLevelCrm from "./HighLevelCrm.ts"

/** What the marketplace makes of this app. */
export interface HighLevelSeen {
  /** `unclear`: it answers, and not in words that tell whether it knows the app. */
  readonly app: "known" | "unknown" | "unclear" | "unasked"
  /** What it said, or why it could not be asked; empty where it knows the app. */
  readonly reason: string
}

/** A token that nobody was ever given. */
const probeCode = Redacted.make("leadloom-doctor-asks-whether-this-app-is-known")

const seen = (app: HighLevelSeen["app"], reason = ""): Effect.Effect<HighLevelSeen> => Effect.succeed({ app, reason })

/**
 * Asks the marketplace to renew a token that there is not, which it refuses whoever asks: whether it is the token or the
 * app that it does not know stands in its words (RFC 6749 section 5.2). No location is needed, and nothing changes.
 */
export const probeHighLevel = (config: HighLevelConfig): Effect.Effect<HighLevelSeen> =>
  Effect.flatMap(Crm, (crm) => crm.refresh(probeCode, "location")).pipe(
    Effect.flatMap(() => seen("known")),
    Effect.catchTags({
      CrmSignedOut: ({ reason }) => (/grant|token/iu.test(reason) ? seen("known") : seen("unclear", reason)),
      CrmRefused: ({ reason }) => seen(/client/iu.test(reason) ? "unknown" : "unclear", reason)
    }),
    Effect.catch((failure) => seen("unasked", crmReason(failure))),
    Effect.provide(HighLevelCrm.layer(config))
  )
