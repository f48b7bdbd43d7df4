import { Context, Data, Effect, Layer } from "effect"
import type { Identity } from "../../domain/access/Identity.ts"

/** Not a token of the identity provider for us, or not one any more. The reason is for the log; it quotes nothing. */
export class IdTokenInvalid extends Data.TaggedError("IdTokenInvalid")<{ readonly reason: string }> {}

/** The token may be good: the key that it names is not known here, and the identity provider cannot be asked for it. */
export class IdTokensUnavailable extends Data.TaggedError("IdTokensUnavailable")<{ readonly reason: string }> {}

/** The ID tokens of the identity provider that the operator trusts. */
export class IdTokens extends Context.Service<
  IdTokens,
  {
    /** Who a token (a JWT, in its compact form) speaks of. */
    readonly verify: (token: string) => Effect.Effect<Identity, IdTokenInvalid | IdTokensUnavailable>
  }
>()("core/port/provider/IdTokens") {
  /** No identity provider is trusted: no token is good. */
  static readonly layerNone: Layer.Layer<IdTokens> = Layer.succeed(IdTokens, {
    verify: () => Effect.fail(new IdTokenInvalid({ reason: "no identity provider is configured" }))
  })
}
