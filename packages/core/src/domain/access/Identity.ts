import { parseRole, type Role, roles, type TenantSet } from "./Principal.ts"

/** Who a verified ID token speaks of, and what it gives them. */
export interface Identity {
  /** The identity provider's own id of the person: never reused, unlike an address. */
  readonly subject: string
  /** Null: no role that is known here. */
  readonly role: Role | null
  readonly tenants: TenantSet
}

/** Where in the claims role and tenants stand: names, or paths with dots (`realm_access.roles`). */
export interface ClaimPaths {
  readonly role: string
  readonly tenants: string
}

/** What claims are: JSON that somebody else wrote. */
export type Claims = Readonly<Record<string, unknown>>

/** In place of a list of tenants: every tenant. */
export const everyTenant = "*"

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined

/** The claim at a path. A claim of the very name comes first: names with dots in them are URLs, as Auth0 wants them. */
const claimAt = (claims: Claims, path: string): unknown =>
  Object.hasOwn(claims, path) ? claims[path] : path.split(".").reduce<unknown>(fieldOf, claims)

const textsOf = (claim: unknown): ReadonlyArray<string> =>
  (Array.isArray(claim) ? claim : [claim]).filter((each) => typeof each === "string")

/** The highest of the roles that a claim names, because a person has all of them; others are not ours. */
const roleOf = (claim: unknown): Role | null => {
  const named = textsOf(claim).map(parseRole)
  return roles.findLast((role) => named.includes(role)) ?? null
}

const tenantsOf = (claim: unknown): TenantSet => {
  const named = textsOf(claim)
  return named.includes(everyTenant) ? "all" : named
}

/** Reads what the claims of a verified token say. Claims that are missing or of another kind give nothing. */
export const identityOf = (subject: string, claims: Claims, paths: ClaimPaths): Identity => ({
  subject,
  role: roleOf(claimAt(claims, paths.role)),
  tenants: tenantsOf(claimAt(claims, paths.tenants))
})
