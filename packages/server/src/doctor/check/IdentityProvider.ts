import type { OidcConfig } from "@leadloom/connectors/internal/oidc/OidcConfig"
import { type IssuerSeen, probeIssuer } from "@leadloom/connectors/internal/oidc/ProbeIssuer"
import { Effect } from "effect"
import type { Check } from "../Check.ts"
import { healthy, type Finding, problem, warning } from "../Finding.ts"

const judge = (
  { algorithms: allowed, issuer }: OidcConfig,
  { algorithms, ambiguous, keys }: IssuerSeen
): ReadonlyArray<Finding> => {
  if (algorithms.length === 0) {
    const next = `Configure the provider to sign ID tokens with one of these algorithms, or add its algorithm to LEADLOOM_OIDC_ALGORITHMS if Leadloom supports it.`
    return [
      problem(
        `${issuer} has ${keys} keys, but none of them supports the accepted algorithms ${allowed.join(", ")}.`,
        next
      )
    ]
  }
  const found = healthy(`${issuer} answers and has keys for ${algorithms.join(", ")}.`)
  if (ambiguous.length === 0) return [found]
  const unnamed = `${issuer} has several keys for ${ambiguous.join(", ")}, and some of them lack a key id (kid).`
  return [
    found,
    warning(unnamed, "Configure the provider to give every key an id. Tokens without a key id are rejected.")
  ]
}

/** Checks that the identity provider answers with the configured issuer, and that its keys can verify ID tokens. */
export const identityProvider: Check = {
  name: "identity provider",
  run: ({ config, hide }) =>
    Effect.gen(function* () {
      const oidc = config?.oidc ?? null
      if (oidc === null)
        return [healthy("LEADLOOM_OIDC_ISSUER is not set: sign-in with an identity provider is disabled.")]
      return yield* Effect.match(probeIssuer(oidc), {
        onSuccess: (seen) => judge(oidc, seen),
        onFailure: ({ reason }) => [
          problem(
            `The keys of ${oidc.issuer} are not available: ${hide(reason)}`,
            "Write LEADLOOM_OIDC_ISSUER exactly as the provider does, including a trailing slash. If the provider has no discovery document, set LEADLOOM_OIDC_JWKS_URI. Otherwise wait until it answers: docs/how-to/identity-provider.md"
          )
        ]
      })
    })
}
