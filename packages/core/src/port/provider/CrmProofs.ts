import { Context, Effect, Layer } from "effect"
import { TaggedError } from "../../domain/TaggedError.ts"
import { notConfigured, type ProviderFailureOf } from "../../domain/provider/ProviderFailure.ts"

/** A user of the CRM who opens an embedded page. The CRM's encrypted proof identifies the user. */
export interface CrmVisitor {
  /** The CRM's id of the user. */
  readonly userId: string
  /** The user's current location. Null when the user works at the level of the agency. */
  readonly activeLocation: string | null
}

/**
 * The proof cannot be decrypted with the secret that the CRM shares with this server, or its content is invalid. All
 * causes have this one error, so that a caller cannot distinguish them.
 */
export class ProofInvalid extends TaggedError("ProofInvalid")<{}> {}

/** Decrypts the proofs of CRM users. The CRM passes a proof to each of this server's pages that it embeds. */
export class CrmProofs extends Context.Service<
  CrmProofs,
  {
    readonly open: (proof: string) => Effect.Effect<CrmVisitor, ProofInvalid | ProviderFailureOf<"NotConfigured">>
  }
>()("core/port/provider/CrmProofs") {
  /** The layer of a server without the shared secret. `setting` names the missing configuration variable. */
  static readonly closed = (setting: string): Layer.Layer<CrmProofs> =>
    Layer.succeed(CrmProofs, { open: () => Effect.fail(notConfigured("crm_proofs", setting)) })
}
