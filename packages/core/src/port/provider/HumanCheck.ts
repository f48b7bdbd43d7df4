import { Context, Data, Effect, Layer } from "effect"

/** Nothing shows that a person has filled the form in. */
export class HumanCheckFailed extends Data.TaggedError("HumanCheckFailed")<{
  /** What the visitor's page can do about it, a sentence. */
  readonly reason: string
}> {}

/** Whoever could tell does not answer, or is not configured. */
export class HumanCheckUnavailable extends Data.TaggedError("HumanCheckUnavailable")<{ readonly reason: string }> {}

/** What shows that a person has filled a form in. */
export interface HumanProof {
  /** Names the proof, so that it counts once. */
  readonly proofId: string
}

/** Tells people from programs. */
export interface HumanVerifier {
  /**
   * Looks at what a form brought along for it. `address` is the client's, where it is known. The same token may be asked
   * about twice: that it counts once is up to the caller. May ask over the network: never inside a unit of work.
   */
  readonly verify: (
    token: string,
    address: string | null
  ) => Effect.Effect<HumanProof, HumanCheckFailed | HumanCheckUnavailable>
}

/** The service outside that tells people from programs. */
export class HumanCheck extends Context.Service<HumanCheck, HumanVerifier>()("core/port/provider/HumanCheck") {
  /** Of a server that has none: `variable` is what would have to be set. */
  static readonly closed = (variable: string): Layer.Layer<HumanCheck> =>
    Layer.succeed(
      HumanCheck,
      HumanCheck.of({
        verify: () => Effect.fail(new HumanCheckUnavailable({ reason: `${variable} is not set.` }))
      })
    )
}
