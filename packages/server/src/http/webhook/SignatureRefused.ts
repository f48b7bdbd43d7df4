import { Effect } from "effect"
import { refuseCredential } from "../middleware/Authorization.ts"
import { failure } from "../error/Failure.ts"

/** Refuses what does not prove whose it is, and counts it against the network that it came from. */
export const refuseSignature = (signature: string) =>
  refuseCredential(signature).pipe(
    Effect.catchTags({
      Unauthorized: () => Effect.succeed(failure({ status: 401, message: "The signature is missing or not ours." })),
      RateLimited: () => Effect.succeed(failure({ status: 429, message: "Too many bad signatures from this network." }))
    })
  )
