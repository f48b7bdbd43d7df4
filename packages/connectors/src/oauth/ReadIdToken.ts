import { isEmail, normalizeEmail } from "@leadloom/core/internal/domain/address/Address"
import { decodeJwt, type JWTPayload } from "jose"
import { directoryPattern, type OAuthClient, personalDirectory } from "./OAuthClient.ts"

/** Returns the claims of a JWT without a verification; null for anything else. */
const claimsIn = (token: unknown): JWTPayload | null => {
  try {
    return typeof token === "string" ? decodeJwt(token) : null
  } catch {
    return null
  }
}

/**
 * Returns the issuer that the ID token of a response must have. Microsoft has one issuer per directory, and the token
 * names its directory (https://learn.microsoft.com/entra/identity-platform/access-tokens#validate-the-issuer).
 */
export const issuerFor = ({ issuer }: OAuthClient, idToken: unknown): string => {
  const directory = claimsIn(idToken)?.["tid"]
  return typeof directory === "string" && directoryPattern.test(directory)
    ? issuer.replace("{tenantid}", directory)
    : issuer
}

/** Returns whether a verified ID token belongs to a personal Microsoft account. */
export const isPersonal = (claims: JWTPayload): boolean => claims["tid"] === personalDirectory

/**
 * Returns the address in a verified ID token, or null. Microsoft lets administrators of a directory enter any address as
 * `email`. The caller therefore logs in to the mailbox of this address before it trusts it.
 */
export const addressIn = ({ provider }: OAuthClient, claims: JWTPayload): string | null => {
  const { email, email_verified: isVerified, preferred_username: username } = claims
  if (provider === "google" && isVerified !== true) return null
  const found = [email, provider === "microsoft" ? username : null].find((each) => typeof each === "string")
  const address = typeof found === "string" ? normalizeEmail(found) : ""
  return isEmail(address) ? address : null
}
