import { isEmail, normalizeEmail } from "../address/Address.ts"
import { trimToNull } from "../text/TrimToNull.ts"
import { parseRole, type PersonalProfile, type Role, roles, type TenantSet } from "./Principal.ts"

/** A person whom a verified ID token identifies, with role and tenants. */
export interface Identity {
  /** The identity provider's id of the person. Unlike an email address, it is never reused. */
  readonly subject: string
  /** Null if the token contains no known role. */
  readonly role: Role | null
  readonly tenants: TenantSet
  /** Absent if the adapter reads no name and address. */
  readonly profile?: PersonalProfile
}

/** The positions of role and tenants in the claims: names, or paths with dots (`realm_access.roles`). */
export interface ClaimPaths {
  readonly role: string
  readonly tenants: string
}

/** The claims of an ID token: untrusted JSON. */
export type Claims = Readonly<Record<string, unknown>>

/** The maximum number of characters of a name; a longer one is cut. */
const maxProfileName = 200

/** The claim value that means every tenant. */
export const everyTenant = "*"

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined

/**
 * Returns the claim at a path. A claim whose name equals the whole path has precedence over a nested claim. Auth0 needs
 * this, because it requires URLs as claim names, and URLs contain dots.
 */
const claimAt = (claims: Claims, path: string): unknown =>
  Object.hasOwn(claims, path) ? claims[path] : path.split(".").reduce<unknown>(fieldOf, claims)

const textsOf = (claim: unknown): ReadonlyArray<string> =>
  (Array.isArray(claim) ? claim : [claim]).filter((each) => typeof each === "string")

/**
 * Returns the highest known role in a claim. Each role includes the lower ones, so a person with several roles has the
 * rights of all of them. Unknown roles are ignored.
 */
const roleOf = (claim: unknown): Role | null => {
  const named = textsOf(claim).map(parseRole)
  return roles.findLast((role) => named.includes(role)) ?? null
}

const tenantsOf = (claim: unknown): TenantSet => {
  const named = textsOf(claim)
  return named.includes(everyTenant) ? "all" : named
}

const textAt = (claims: Claims, name: string): string | null => {
  const value = claimAt(claims, name)
  return typeof value === "string" ? trimToNull(value) : null
}

/**
 * Reads name and address from the standard claims (OpenID Connect Core 1.0 section 5.1). An address that the provider
 * marks as unverified is ignored, because anybody can enter it.
 */
const profileOf = (claims: Claims): PersonalProfile => {
  const email = normalizeEmail(textAt(claims, "email") ?? "")
  const isUsable = isEmail(email) && claims["email_verified"] !== false
  return {
    name: textAt(claims, "name")?.slice(0, maxProfileName) ?? null,
    email: isUsable ? email : null,
    isEmailVerified: isUsable && claims["email_verified"] === true
  }
}

/** Reads the identity from the claims of a verified token. Missing claims and claims of another type grant nothing. */
export const identityOf = (subject: string, claims: Claims, paths: ClaimPaths): Identity => ({
  subject,
  role: roleOf(claimAt(claims, paths.role)),
  tenants: tenantsOf(claimAt(claims, paths.tenants)),
  profile: profileOf(claims)
})
