import { Context, Effect, Layer } from "effect"
import { TaggedError } from "../../domain/TaggedError.ts"
import type { Identity } from "../../domain/access/Identity.ts"

/**
 * The token is not a valid ID token for this server, or it has expired. The reason is written to the log and contains
 * no part of the token.
 */
export class IdTokenInvalid extends TaggedError("IdTokenInvalid")<{ readonly reason: string }> {}

/**
 * The token cannot be verified now, because its signing key is unknown to this server and the identity provider cannot
 * be reached.
 */
export class IdTokensUnavailable extends TaggedError("IdTokensUnavailable")<{ readonly reason: string }> {}

/** Verifies ID tokens of the identity provider that the operator trusts. */
export class IdTokens extends Context.Service<
  IdTokens,
  {
    /** Returns the identity that a token (a JWT in compact form) proves. */
    readonly verify: (token: string) => Effect.Effect<Identity, IdTokenInvalid | IdTokensUnavailable>
  }
>()("core/port/provider/IdTokens") {
  /** The layer of a server without an identity provider. It rejects every token. */
  static readonly layerNone: Layer.Layer<IdTokens> = Layer.succeed(IdTokens, {
    verify: () => Effect.fail(new IdTokenInvalid({ reason: "no identity provider is configured" }))
  })
}
