import { Context, Data, Effect, Layer } from "effect"

/** The form carries no valid proof that a person filled it in. */
export class HumanCheckFailed extends Data.TaggedError("HumanCheckFailed")<{
  /** A sentence for the visitor's page: what the visitor can do next. */
  readonly reason: string
}> {}

/** The verification service does not answer or is not configured. */
export class HumanCheckUnavailable extends Data.TaggedError("HumanCheckUnavailable")<{ readonly reason: string }> {}

/** A proof that a person filled in a form. */
export interface HumanProof {
  /** Identifies the proof, so that callers accept it once only. */
  readonly proofId: string
}

/** Distinguishes people from programs. */
export interface HumanVerifier {
  /**
   * Verifies the token of a form. `address` is the client's IP address, if known. The same token may be verified twice;
   * the caller makes sure that it counts once. An adapter may use the network: never call it inside a unit of work.
   */
  readonly verify: (
    token: string,
    address: string | null
  ) => Effect.Effect<HumanProof, HumanCheckFailed | HumanCheckUnavailable>
}

/** An external service that distinguishes people from programs. */
export class HumanCheck extends Context.Service<HumanCheck, HumanVerifier>()("core/port/provider/HumanCheck") {
  /** A server without such a service. `variable` names the missing configuration variable. */
  static readonly closed = (variable: string): Layer.Layer<HumanCheck> =>
    Layer.succeed(
      HumanCheck,
      HumanCheck.of({
        verify: () => Effect.fail(new HumanCheckUnavailable({ reason: `${variable} is not set.` }))
      })
    )
}
