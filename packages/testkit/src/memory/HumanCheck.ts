import { Effect, Layer } from "effect"
import { HumanCheck, HumanCheckFailed } from "@leadloom/core/internal/port/provider/HumanCheck"

/** Provides a `HumanCheck` that accepts exactly these tokens. */
export const inMemoryHumanCheck = (tokens: ReadonlyArray<string>): Layer.Layer<HumanCheck> =>
  Layer.succeed(
    HumanCheck,
    HumanCheck.of({
      verify: (token) =>
        tokens.includes(token)
          ? Effect.succeed({ proofId: token })
          : Effect.fail(new HumanCheckFailed({ reason: "Unknown token." }))
    })
  )
