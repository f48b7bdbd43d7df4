import { Effect } from "effect"
import { countBad } from "../middleware/Authorization.ts"
import { failure } from "../error/Failure.ts"

/**
 * The response to a request without the header of its signature. It is sent before the body is read, so such requests
 * are not counted.
 */
export const missingSignature = failure({ status: 401, message: "The signature is missing or invalid." })

/**
 * Rejects a request with an invalid signature and counts it against the caller's network. The body of a request is
 * verified even above the limit, because the provider may share its address with the sender of invalid ones.
 */
export const refuseSignature = countBad().pipe(
  Effect.as(missingSignature),
  Effect.catchTag("RateLimited", () =>
    Effect.succeed(failure({ status: 429, message: "Too many invalid signatures from this network. Try again later." }))
  )
)
