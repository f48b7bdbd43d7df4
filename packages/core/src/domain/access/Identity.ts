import { parseRole, type Role, roles, type TenantSet } from "./Principal.ts"

/** A person whom a verified ID token identifies, with role and tenants. */
export interface Identity {
  /** The identity provider's id of the person. Unlike an email address, it is never reused. */
  readonly subject: string
  /** Null if the token contains no known role. */
  readonly role: Role | null
  readonly tenants: TenantSet
}

/** The positions of role and tenants in the claims: names, or paths with dots (`realm_access.roles`). */
export interface ClaimPaths {
  readonly role: string
  readonly tenants: string
}

/** The claims of an ID token: untrusted JSON. */
export type Claims = Readonly<Record<string, unknown>>

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

/** Reads the identity from the claims of a verified token. Missing claims and claims of another type grant nothing. */
export const identityOf = (subject: string, claims: Claims, paths: ClaimPaths): Identity => ({
  subject,
  role: roleOf(claimAt(claims, paths.role)),
  tenants: tenantsOf(claimAt(claims, paths.tenants))
})
