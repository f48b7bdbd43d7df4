import type { KeyId, UserId } from "../Id.ts"
import type { UserRole } from "../user/User.ts"
import type { TenantId } from "../TenantId.ts"

/** The role of a person. Each role includes the roles before it. */
export type Role = "agent" | "manager" | "admin" | "superuser"

/** Every role, lowest first. */
export const roles: ReadonlyArray<Role> = ["agent", "manager", "admin", "superuser"]

/** Returns whether `role` includes the rights of `needed`. */
export const includesRole = (role: Role, needed: Role): boolean => roles.indexOf(role) >= roles.indexOf(needed)

/** Parses a role from a claim. Returns null for other values. The comparison is case-sensitive. */
export const parseRole = (claim: unknown): Role | null => roles.find((role) => role === claim) ?? null

/**
 * The scopes of an API key. `read`: reading data. `messages`: sending and changing messages, contacts, leads and tasks.
 * `pipeline`: running the pipeline. `Permission` defines the operations of each scope.
 */
export const scopes = ["read", "messages", "pipeline"] as const

export type Scope = (typeof scopes)[number]

/** The tenants that a credential covers. */
export type TenantSet = ReadonlyArray<TenantId> | "all"

/** A program of the tenant, identified by its API key. It has access to one tenant and has no role. */
export interface ApiKeyPrincipal {
  readonly _tag: "ApiKey"
  readonly tenantId: TenantId
  readonly keyId: KeyId
  /** The scopes of the key; null if the key is not restricted. */
  readonly scopes: ReadonlyArray<Scope> | null
}

/** An embedded page or the web console, identified by its session token. */
export interface SessionPrincipal {
  readonly _tag: "Session"
  readonly tenantId: TenantId
  /** The id of the token, for the audit trail. */
  readonly jti: string
  /** The user as whom the session acts. Absent: the session acts as no user. */
  readonly userId?: UserId
  /** The role of a session of the web console. Absent: the session of an embedded page, with the rights of an agent. */
  readonly role?: UserRole
}

/** The operator, identified by the admin key of the deployment. */
export interface AdminPrincipal {
  readonly _tag: "Admin"
  /**
   * Tells two valid admin keys apart. It is a keyed hash that does not reveal the key. Absent if there is only one key.
   */
  readonly key?: string
}

/** The name and address of a person, as the identity provider states them. */
export interface PersonalProfile {
  readonly name: string | null
  /** In lower case. Null if the provider states none, or states that it is not verified. */
  readonly email: string | null
  /** Whether the provider states that the address belongs to the person. */
  readonly isEmailVerified: boolean
}

/** A person, identified by a verified ID token of the identity provider. */
export interface IdTokenPrincipal {
  readonly _tag: "IdToken"
  readonly subject: string
  /** Null if the ID token contains no known role. */
  readonly role: Role | null
  /** The tenants in the claim of the token. A superuser reaches every tenant regardless of this claim. */
  readonly tenants: TenantSet
  readonly profile?: PersonalProfile
}

/** A sender of custom events, identified by its source key. */
export interface SourcePrincipal {
  readonly _tag: "Source"
  readonly sourceId: string
  readonly tenantId: TenantId | "all"
}

/** The caller of a request, after its credential has been verified. */
export type Principal = ApiKeyPrincipal | SessionPrincipal | AdminPrincipal | IdTokenPrincipal | SourcePrincipal

/**
 * Returns the only tenant that a principal belongs to. Returns null for a principal that may reach several tenants,
 * because its records belong to no tenant.
 */
export const homeOf = (principal: Principal): TenantId | null => {
  switch (principal._tag) {
    case "ApiKey":
    case "Session":
      return principal.tenantId
    case "Source":
      return principal.tenantId === "all" ? null : principal.tenantId
    case "Admin":
    case "IdToken":
      return null
  }
}

/**
 * Returns the tenants that a principal reaches. `Permission` decides which operations the principal may perform in
 * them.
 */
export const tenantsOf = (principal: Principal): TenantSet => {
  switch (principal._tag) {
    case "ApiKey":
    case "Session":
      return [principal.tenantId]
    case "Admin":
      return "all"
    case "IdToken":
      return principal.role === "superuser" ? "all" : principal.tenants
    case "Source":
      return principal.tenantId === "all" ? "all" : [principal.tenantId]
  }
}

/** Returns a short name of the caller for logs and audit entries. It contains no secret. */
export const principalName = (principal: Principal): string => {
  switch (principal._tag) {
    case "ApiKey":
      return principal.keyId
    case "Session":
      return `session:${principal.jti}`
    case "Admin":
      return principal.key === undefined ? "admin" : `admin:${principal.key}`
    case "IdToken":
      return `user:${principal.subject}`
    case "Source":
      return `source:${principal.sourceId}`
  }
}

/**
 * Returns the owner of a caller's idempotency keys. All admin keys share one owner, so a client may repeat a request
 * with the new admin key during a rotation.
 */
export const keyHolder = (principal: Principal): string =>
  principal._tag === "Admin" ? "admin" : principalName(principal)
