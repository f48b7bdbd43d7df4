import type { KeyId } from "../Id.ts"
import type { TenantId } from "../TenantId.ts"

/** What a person may do, least first; each role includes the ones before it. */
export type Role = "agent" | "manager" | "admin" | "superuser"

/** Every role, least first. */
export const roles: ReadonlyArray<Role> = ["agent", "manager", "admin", "superuser"]

/** Whether `role` includes the rights of `needed`. */
export const includesRole = (role: Role, needed: Role): boolean => roles.indexOf(role) >= roles.indexOf(needed)

/** Reads a role from a claim; null when it names none. Exact: a role in another case is none. */
export const parseRole = (claim: unknown): Role | null => roles.find((role) => role === claim) ?? null

/**
 * What an API key may be limited to: `read` what is there, send and write `messages` (and contacts, leads, tasks), run
 * the `pipeline`. What each covers is decided in `Permission`.
 */
export const scopes = ["read", "messages", "pipeline"] as const

/** A limit of an API key. */
export type Scope = (typeof scopes)[number]

/** Which tenants a credential is good for. */
export type TenantSet = ReadonlyArray<TenantId> | "all"

/** A program of the tenant, by its API key. Has the tenant's scope and no role. */
export interface ApiKeyPrincipal {
  readonly _tag: "ApiKey"
  readonly tenantId: TenantId
  readonly keyId: KeyId
  /** What the key is limited to; null: it may do everything that a key may do. */
  readonly scopes: ReadonlyArray<Scope> | null
}

/** An embedded console, by its session token. Has agent rights. */
export interface SessionPrincipal {
  readonly _tag: "Session"
  readonly tenantId: TenantId
  /** Identifies the token, for the audit trail. */
  readonly jti: string
}

/** The operator, by the admin key of the deployment. */
export interface AdminPrincipal {
  readonly _tag: "Admin"
  /** Which of two live admin keys, by a keyed hash that gives nothing of it away; absent while there is but one. */
  readonly key?: string
}

/** A person, by a verified ID token of the identity provider. */
export interface IdTokenPrincipal {
  readonly _tag: "IdToken"
  readonly subject: string
  /** Null: the identity provider knows the person, and gives no role here. */
  readonly role: Role | null
  /** The claim as given. A superuser reaches every tenant whatever it says. */
  readonly tenants: TenantSet
}

/** A sender of custom events, by its source key. */
export interface SourcePrincipal {
  readonly _tag: "Source"
  readonly sourceId: string
  readonly tenantId: TenantId | "all"
}

/** Who is calling, once the credential has been verified. */
export type Principal = ApiKeyPrincipal | SessionPrincipal | AdminPrincipal | IdTokenPrincipal | SourcePrincipal

/** The one tenant that a principal belongs to; null: it may reach several, and what is kept of it is nobody's. */
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

/** The tenants a principal reaches. What it may do there is another question (`Permission`). */
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

/** A short text that names the caller in logs and audit entries; holds no secret. */
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
 * Under which name the `Idempotency-Key`s of a caller are kept. The operator has one, whichever admin key is shown: a
 * request that comes again while one key takes the place of the other is the same request.
 */
export const keyHolder = (principal: Principal): string =>
  principal._tag === "Admin" ? "admin" : principalName(principal)
