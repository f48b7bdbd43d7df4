import { isSafeUrl } from "@leadloom/connectors/internal/oidc/Discovery"
import { type OidcAlgorithm, oidcAlgorithms, type OidcConfig } from "@leadloom/connectors/internal/oidc/OidcConfig"
import type { Variables } from "./Variables.ts"

/** The settings of the identity provider that a preset can supply. */
interface OidcDefaults {
  readonly issuer: string | null
  readonly audience: string | null
  readonly jwksUri: string | null
  readonly algorithms: ReadonlyArray<OidcAlgorithm>
}

const anybody: OidcDefaults = { issuer: null, audience: null, jwksUri: null, algorithms: oidcAlgorithms }

/**
 * The settings of Firebase Authentication and Identity Platform. Their discovery document contains no URL of a JWK set,
 * so the URL is fixed here (https://firebase.google.com/docs/auth/admin/verify-id-tokens).
 */
const firebase = (project: string): OidcDefaults => ({
  issuer: `https://securetoken.google.com/${project}`,
  audience: project,
  jwksUri: "https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com",
  algorithms: ["RS256"]
})

/** The format of Google Cloud project ids. */
const projectPattern = /^[a-z][a-z0-9-]{4,28}[a-z0-9]$/u

const readPreset = ({ text, wrong }: Variables): OidcDefaults => {
  const preset = text("LEADLOOM_OIDC_PRESET")
  const project = text("LEADLOOM_OIDC_PROJECT")
  if (preset === null) {
    return project === null
      ? anybody
      : wrong("LEADLOOM_OIDC_PROJECT", "requires LEADLOOM_OIDC_PRESET=firebase.", anybody)
  }
  if (preset !== "firebase") return wrong("LEADLOOM_OIDC_PRESET", `must be firebase, not "${preset}".`, anybody)
  if (project !== null && projectPattern.test(project)) return firebase(project)
  return wrong("LEADLOOM_OIDC_PROJECT", "must be the id of the Firebase project, for example my-app-1234.", anybody)
}

const listOf = (text: string): ReadonlyArray<string> =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "")

const readAlgorithms = ({ text, wrong }: Variables, defaults: OidcDefaults): ReadonlyArray<OidcAlgorithm> => {
  const given = text("LEADLOOM_OIDC_ALGORITHMS")
  if (given === null) return defaults.algorithms
  const requested = listOf(given)
  const known = oidcAlgorithms.filter((algorithm) => requested.includes(algorithm))
  return known.length === requested.length
    ? known
    : wrong("LEADLOOM_OIDC_ALGORITHMS", `must list only ${oidcAlgorithms.join(", ")}, not "${given}".`, known)
}

const isIssuer = (issuer: string): boolean => isSafeUrl(issuer) && !/[?#]/u.test(issuer)

/** Reads the identity provider; null if none is configured. */
export const readOidc = (variables: Variables): OidcConfig | null => {
  const { mistakes, text, wrong } = variables
  const before = mistakes.length
  const defaults = readPreset(variables)
  const issuer = text("LEADLOOM_OIDC_ISSUER") ?? defaults.issuer
  const audience = text("LEADLOOM_OIDC_AUDIENCE") ?? defaults.audience
  const jwksUri = text("LEADLOOM_OIDC_JWKS_URI") ?? defaults.jwksUri
  const algorithms = readAlgorithms(variables, defaults)
  const claims = {
    role: text("LEADLOOM_OIDC_ROLE_CLAIM") ?? "role",
    tenants: text("LEADLOOM_OIDC_TENANTS_CLAIM") ?? "tenants"
  }
  if (issuer === null) {
    const lost = audience !== null || jwksUri !== null
    return lost && mistakes.length === before
      ? wrong("LEADLOOM_OIDC_ISSUER", "is missing. Set it to the issuer of the ID tokens.", null)
      : null
  }
  if (!isIssuer(issuer)) {
    return wrong("LEADLOOM_OIDC_ISSUER", `must have the form https://login.example.com/realm, not "${issuer}".`, null)
  }
  if (jwksUri !== null && !isSafeUrl(jwksUri)) {
    return wrong("LEADLOOM_OIDC_JWKS_URI", `must be an https URL, not "${jwksUri}".`, null)
  }
  const audiences = listOf(audience ?? "")
  if (audiences.length === 0) {
    return wrong("LEADLOOM_OIDC_AUDIENCE", "is missing. Set it to the client id for which tokens are issued.", null)
  }
  const clients = listOf(text("LEADLOOM_OIDC_CLIENT_IDS") ?? "")
  return { issuer, audiences, clientIds: clients.length === 0 ? audiences : clients, jwksUri, algorithms, claims }
}

/** The client as which the web console signs people in at the identity provider. */
export interface ConsoleSignIn {
  readonly issuer: string
  readonly clientId: string
}

/** Reads the sign-in of the console. The server has to accept the ID tokens of its client; null if it is off. */
export const readConsoleSignIn = ({ text, wrong }: Variables, oidc: OidcConfig | null): ConsoleSignIn | null => {
  const name = "LEADLOOM_OIDC_CONSOLE_CLIENT_ID"
  const clientId = text(name)
  if (clientId === null) return null
  if (text("LEADLOOM_OIDC_PRESET") !== null) return wrong(name, "is not supported with LEADLOOM_OIDC_PRESET.", null)
  if (text("LEADLOOM_SESSION_SECRET") === null) return wrong(name, "requires LEADLOOM_SESSION_SECRET.", null)
  if (text("LEADLOOM_OIDC_ISSUER") === null) return wrong(name, "requires LEADLOOM_OIDC_ISSUER.", null)
  // Other mistakes in the settings of the provider are already reported.
  if (oidc === null) return null
  return oidc.audiences.includes(clientId) && oidc.clientIds.includes(clientId)
    ? { issuer: oidc.issuer, clientId }
    : wrong(name, "must be one of LEADLOOM_OIDC_AUDIENCE, and of LEADLOOM_OIDC_CLIENT_IDS if these are set.", null)
}
