import { HumanCheck } from "@leadloom/core/port/provider/HumanCheck"
import { Effect } from "effect"
import { layer, type TurnstileConfig } from "./Turnstile.ts"

/** What siteverify makes of a proof that nobody has given: `refused` is as it should be. */
export type TurnstileSeen =
  | { readonly _tag: "Refused" }
  /** Everybody passes: a secret for tests. */
  | { readonly _tag: "Passed" }
  /** It does not answer, or does not know the secret. */
  | { readonly _tag: "Failed"; readonly reason: string }

/** Asks siteverify about a proof that is none. Nothing is used up by it. */
export const probeTurnstile = (config: TurnstileConfig): Effect.Effect<TurnstileSeen> =>
  Effect.flatMap(HumanCheck, (check) => check.verify("leadloom-doctor", null)).pipe(
    Effect.match({
      onSuccess: (): TurnstileSeen => ({ _tag: "Passed" }),
      onFailure: (failure): TurnstileSeen =>
        failure._tag === "HumanNotShown" ? { _tag: "Refused" } : { _tag: "Failed", reason: failure.reason }
    }),
    Effect.provide(layer(config))
  )
