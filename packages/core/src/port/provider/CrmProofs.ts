import { Context, Data, Effect, Layer } from "effect"
import { notConfigured, type ProviderFailureOf } from "../../domain/provider/ProviderFailure.ts"

/** A user of the CRM, as the CRM's encrypted proof identifies the person. */
export interface CrmVisitor {
  /** The CRM's id of the user. */
  readonly userId: string
  /** The user's current location. Null when the user is in the agency and in no location. */
  readonly activeLocation: string | null
}

/**
 * The proof was not encrypted with the secret that the CRM shares with this server. All causes share this error, so
 * that a caller cannot tell them apart.
 */
export class ProofInvalid extends Data.TaggedError("ProofInvalid")<{}> {}

/** Decrypts the proofs of CRM users. The CRM passes a proof to each page that it embeds. */
export class CrmProofs extends Context.Service<
  CrmProofs,
  {
    readonly open: (proof: string) => Effect.Effect<CrmVisitor, ProofInvalid | ProviderFailureOf<"NotConfigured">>
  }
>()("core/port/provider/CrmProofs") {
  /** A server without the shared secret. `setting` names the missing configuration variable. */
  static readonly closed = (setting: string): Layer.Layer<CrmProofs> =>
    Layer.succeed(CrmProofs, { open: () => Effect.fail(notConfigured("crm_proofs", setting)) })
}
