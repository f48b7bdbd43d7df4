import type { OidcConfig } from "@leadloom/connectors/oidc/OidcConfig"
import { type IssuerSeen, probeIssuer } from "@leadloom/connectors/oidc/ProbeIssuer"
import { Effect } from "effect"
import type { Check } from "../Check.ts"
import { healthy, type Finding, problem, warning } from "../Finding.ts"

const judge = (
  { algorithms: allowed, issuer }: OidcConfig,
  { algorithms, ambiguous, keys }: IssuerSeen
): ReadonlyArray<Finding> => {
  if (algorithms.length === 0) {
    const next = `Let it sign ID tokens with one of them, or name its way in LEADLOOM_OIDC_ALGORITHMS, if it is one of those.`
    return [problem(`${issuer} has ${keys} keys, and none that ${allowed.join(", ")} can be checked with.`, next)]
  }
  const found = healthy(`${issuer} answers, and has keys for ${algorithms.join(", ")}.`)
  if (ambiguous.length === 0) return [found]
  const unnamed = `${issuer} has several keys for ${ambiguous.join(", ")}, and not all of them have a name (kid).`
  return [found, warning(unnamed, "Let it name its keys: a token that does not say which one it means is refused.")]
}

/** The identity provider answers as the one that is meant, with keys that its tokens can be checked with. */
export const identityProvider: Check = {
  name: "identity provider",
  run: ({ config, hide }) =>
    Effect.gen(function* () {
      const oidc = config?.oidc ?? null
      if (oidc === null) return [healthy("LEADLOOM_OIDC_ISSUER is not set: nobody comes in by an identity provider.")]
      return yield* Effect.match(probeIssuer(oidc), {
        onSuccess: (seen) => judge(oidc, seen),
        onFailure: ({ reason }) => [
          problem(
            `The keys of ${oidc.issuer} cannot be had: ${hide(reason)}`,
            "Spell LEADLOOM_OIDC_ISSUER as it writes itself, to the slash at the end; where it has no discovery document, set LEADLOOM_OIDC_JWKS_URI; or wait until it answers: docs/how-to/identity-provider.md"
          )
        ]
      })
    })
}
