import { Context, Effect, Layer } from "effect"
import { TaggedError } from "../../domain/TaggedError.ts"

/** The form contains no valid proof that a person filled it in. */
export class HumanCheckFailed extends TaggedError("HumanCheckFailed")<{
  /** One sentence on the visitor's page that states what the visitor can do next. */
  readonly reason: string
}> {}

/** The verification service does not respond or is not configured. */
export class HumanCheckUnavailable extends TaggedError("HumanCheckUnavailable")<{ readonly reason: string }> {}

/** A proof that a person filled in a form. */
export interface HumanProof {
  /** The id of the proof. Callers accept each id only once. */
  readonly proofId: string
}

/** Distinguishes people from programs. */
export interface HumanVerifier {
  /**
   * Verifies the token of a form. `address` is the client's IP address, if known. Verifying the same token again may
   * succeed, so the caller must accept a proof only once. An adapter may use the network, so never call this method
   * inside a unit of work.
   */
  readonly verify: (
    token: string,
    address: string | null
  ) => Effect.Effect<HumanProof, HumanCheckFailed | HumanCheckUnavailable>
}

/** An external service that distinguishes people from programs. */
export class HumanCheck extends Context.Service<HumanCheck, HumanVerifier>()("core/port/provider/HumanCheck") {
  /** The layer of a server without such a service. `variable` names the missing configuration variable. */
  static readonly closed = (variable: string): Layer.Layer<HumanCheck> =>
    Layer.succeed(
      HumanCheck,
      HumanCheck.of({
        verify: () => Effect.fail(new HumanCheckUnavailable({ reason: `${variable} is not set.` }))
      })
    )
}
