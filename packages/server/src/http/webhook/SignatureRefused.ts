import { Effect } from "effect"
import { refuseCredential } from "../middleware/Authorization.ts"
import { failure } from "../error/Failure.ts"

/** Rejects a request with an invalid signature and counts it against the caller's network. */
export const refuseSignature = (signature: string) =>
  refuseCredential(signature).pipe(
    Effect.catchTags({
      Unauthorized: () => Effect.succeed(failure({ status: 401, message: "The signature is missing or invalid." })),
      RateLimited: () =>
        Effect.succeed(
          failure({ status: 429, message: "Too many invalid signatures from this network. Try again later." })
        )
    })
  )
