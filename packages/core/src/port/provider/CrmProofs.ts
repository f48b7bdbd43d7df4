import { Context, Data, Effect, Layer } from "effect"

/** Who somebody is in the CRM, by the CRM's own sealed word. */
export interface CrmVisitor {
  /** The CRM's id of the person. */
  readonly userId: string
  /** The location that the person is in; null: in none, but in the agency above them. */
  readonly activeLocation: string | null
}

/** Nobody sealed this with the secret that the CRM shares with us. One answer for every reason. */
export class ProofInvalid extends Data.TaggedError("ProofInvalid")<{}> {}

/** The secret that the CRM seals with is not configured. */
export class ProofsNotConfigured extends Data.TaggedError("ProofsNotConfigured")<{ readonly setting: string }> {}

/** Opens what the CRM seals about its user for a page that it embeds. */
export class CrmProofs extends Context.Service<
  CrmProofs,
  {
    readonly open: (proof: string) => Effect.Effect<CrmVisitor, ProofInvalid | ProofsNotConfigured>
  }
>()("core/port/provider/CrmProofs") {
  /** Nothing opens; `setting` is what an operator would have to set. */
  static readonly closed = (setting: string): Layer.Layer<CrmProofs> =>
    Layer.succeed(CrmProofs, { open: () => Effect.fail(new ProofsNotConfigured({ setting })) })
}
