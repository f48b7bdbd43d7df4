import { Effect, Layer } from "effect"
import { HumanCheck, HumanCheckFailed } from "@leadloom/core/port/provider/HumanCheck"

/** Believes these tokens, for tests. */
export const inMemoryHumanCheck = (tokens: ReadonlyArray<string>): Layer.Layer<HumanCheck> =>
  Layer.succeed(
    HumanCheck,
    HumanCheck.of({
      verify: (token) =>
        tokens.includes(token)
          ? Effect.succeed({ proofId: token })
          : Effect.fail(new HumanCheckFailed({ reason: "This token is not known." }))
    })
  )
