// Authorisation: credentials, principals, permissions, sessions and request limits. This folder decides what a caller
// may do in a tenant. HTTP headers and status codes do not belong here; `packages/api` and `packages/server` define
// them. Tests: `packages/core/test/domain/access`, `packages/testkit/src/suite/access`.

import type { TenantId } from "../TenantId.ts"
import { includesRole, type Principal, type Role, type Scope, type SessionPrincipal, tenantsOf } from "./Principal.ts"

/** Classes of operations. Every endpoint belongs to exactly one class. */
export type Operation =
  /** Needs no credential and accepts every credential. */
  | "public"
  /**
   * Contacts, conversations, private notes, search, leads, tasks, calls, sending email, running macros, rendering canned
   * replies, and reading aliases, stored runs and outbound events.
   */
  | "agent"
  /** The full pipeline, standalone actions, and dry runs. */
  | "pipeline"
  /**
   * Configuration, teams, canned replies, macros, guardrails, back-tests, batches, subscriptions, SMS filters, email settings and accounts, email
   * import, CRM installations, raw messages and their repeated parsing, exports and erasures, listing API keys, and
   * reading billing.
   */
  | "manage"
  /**
   * Creating and changing users and their roles; creating, revoking and rotating API keys; applying a preset (`config.scaffold`); importing an archive; choosing and
   * paying a plan (`billing.activate`, `billing.checkout`, `billing.portal`); reading usage and the audit trail; and
   * the assistant's secret and Retell key.
   */
  | "administer"
  /** `/admin/*`. */
  | "operate"
  /**
   * Settings that only the operator may change: a tenant's plan, its HIPAA status, its credits, and an email account
   * that the provider already hosts.
   */
  | "provision"
  /** Writing usage, which only a superuser may do. */
  | "superuse"
  /** `POST /sessions` with a tenant id. */
  | "mintSession"
  /** Operations on the credential of the request itself. */
  | "self"
  /** `POST /events/{tenant_id}/{source_id}`. */
  | "sendEvent"
  /** `POST /actions/crm/{action_key}`. */
  | "crmAction"
  /** Provider events of Nylas, Stripe, Twilio and HighLevel. */
  | "providerEvent"
  /** The tool calls of a voice assistant during a telephone call. */
  | "assistantTool"

/** Secrets that authorise an operation without identifying a person: shared secrets and the signatures of providers. */
export type SharedSecret = "workflow" | "assistant" | "provider"

/** Whether an operation only reads data, or also changes data or sends something. */
export type Access = "read" | "write"

/** The kinds of credentials that authorise the operations of a class. Each credential is limited to its own tenants. */
interface Grant {
  /** A tenant API key. */
  readonly apiKey: boolean
  /** A session token. */
  readonly session: boolean
  /** The operator's admin key. */
  readonly admin: boolean
  /** The lowest sufficient role of an ID token; null if no role is sufficient. */
  readonly role: Role | null
  /** The key of an event source. */
  readonly source: boolean
  /** The sufficient shared secret; null if there is none. */
  readonly secret: SharedSecret | null
}

const nobody: Grant = { apiKey: false, session: false, admin: false, role: null, source: false, secret: null }

/**
 * The permission table. The session of an agent may use the `agent` class but not the `pipeline` class. The contract
 * reserves the pipeline routes for the tenant's API key, and a token in a browser must not cause model costs.
 */
const grants: Readonly<Record<Operation, Grant>> = {
  public: { apiKey: true, session: true, admin: true, role: "agent", source: true, secret: null },
  agent: { ...nobody, apiKey: true, session: true, admin: true, role: "agent" },
  pipeline: { ...nobody, apiKey: true, admin: true, role: "agent" },
  manage: { ...nobody, admin: true, role: "manager" },
  administer: { ...nobody, admin: true, role: "admin" },
  operate: { ...nobody, admin: true, role: "admin" },
  provision: { ...nobody, admin: true, role: "admin" },
  superuse: { ...nobody, role: "superuser" },
  mintSession: { ...nobody, admin: true, role: "agent" },
  self: { ...nobody, apiKey: true, session: true, admin: true, role: "agent" },
  sendEvent: { ...nobody, source: true },
  crmAction: { ...nobody, apiKey: true, admin: true, secret: "workflow" },
  providerEvent: { ...nobody, secret: "provider" },
  assistantTool: { ...nobody, secret: "assistant" }
}

/**
 * The operations that each scope of an API key covers. Scopes add up, and no scope includes another. For example, a
 * form that only submits leads does not need read access.
 */
const coverage: Readonly<Record<Scope, (operation: Operation, access: Access) => boolean>> = {
  read: (operation, access) => operation === "agent" && access === "read",
  messages: (operation, access) => operation === "agent" && access === "write",
  pipeline: (operation) => operation === "pipeline" || operation === "crmAction"
}

const isCovered = (scopes: ReadonlyArray<Scope> | null, operation: Operation, access: Access): boolean =>
  scopes === null || operation === "self" || scopes.some((scope) => coverage[scope](operation, access))

/** Every operation class. */
export const operations: ReadonlyArray<Operation> = [
  "public",
  "agent",
  "pipeline",
  "manage",
  "administer",
  "operate",
  "provision",
  "superuse",
  "mintSession",
  "self",
  "sendEvent",
  "crmAction",
  "providerEvent",
  "assistantTool"
]

/** The classes that a console session of a manager or an admin may use if its role is sufficient. */
const classesOfConsole: ReadonlySet<Operation> = new Set(["pipeline", "manage", "administer"])

const sessionHasRight = ({ role = "agent" }: SessionPrincipal, operation: Operation, grant: Grant): boolean =>
  grant.session ||
  (role !== "agent" && classesOfConsole.has(operation) && grant.role !== null && includesRole(role, grant.role))

const hasRight = (principal: Principal, operation: Operation, access: Access): boolean => {
  if (operation === "public") return true
  const grant = grants[operation]
  switch (principal._tag) {
    case "ApiKey":
      return grant.apiKey && isCovered(principal.scopes, operation, access)
    case "Session":
      return sessionHasRight(principal, operation, grant)
    case "Admin":
      return grant.admin
    case "IdToken":
      return principal.role !== null && grant.role !== null && includesRole(principal.role, grant.role)
    case "Source":
      return grant.source
  }
}

/**
 * Returns whether a caller reaches a tenant. A null `tenantId` means that the request names no tenant. Then the class
 * `operate` requires a caller of every tenant, and other classes require a caller of at least one tenant. The class
 * `provision` always requires a caller of every tenant, because only the operator may provision.
 */
const reaches = (principal: Principal, operation: Operation, tenantId: TenantId | null): boolean => {
  if (operation === "public") return true
  const tenants = tenantsOf(principal)
  if (tenants === "all") return true
  if (operation === "provision") return false
  return tenantId === null ? operation !== "operate" && tenants.length > 0 : tenants.includes(tenantId)
}

/**
 * Returns whether the caller's credential covers this tenant, regardless of the caller's rights in the tenant. Make
 * this check first. Until it succeeds, a response must not depend on data of the tenant.
 */
export const reachesTenant = (principal: Principal, operation: Operation, tenantId: TenantId): boolean =>
  reaches(principal, operation, tenantId)

/** `forbidden`: respond that the caller lacks the right. `hidden`: respond as if the object did not exist. */
export type Decision = "allow" | "forbidden" | "hidden"

/**
 * Decides whether a caller may perform an operation in a tenant.
 *
 * `tenantId` is null if neither path nor body names a tenant. `via` is the origin of the tenant id:
 *
 * - `path`: the request names the tenant. Another tenant is `forbidden`.
 * - `resource`: the request names a stored object by its id. Another tenant's object is `hidden`, so that callers
 *   cannot find out which ids exist.
 *
 * If the caller has this right in no tenant, the result is always `forbidden`. `access` matters only to API keys with
 * scopes. The default is `write`, the stricter value.
 */
export const decide = (
  principal: Principal,
  operation: Operation,
  tenantId: TenantId | null,
  via: "path" | "resource" = "path",
  access: Access = "write"
): Decision => {
  if (!hasRight(principal, operation, access)) return "forbidden"
  if (reaches(principal, operation, tenantId)) return "allow"
  return via === "resource" ? "hidden" : "forbidden"
}

/** Returns whether a session token may perform the operations of a class that need a credential. */
export const isForSessions = (operation: Operation): boolean => operation !== "public" && grants[operation].session

/**
 * Returns whether a shared secret authorises the operations of a class. The tenant is not checked here, because the
 * request itself determines it.
 */
export const secretOpens = (secret: SharedSecret, operation: Operation): boolean =>
  operation === "public" || grants[operation].secret === secret

/**
 * Returns whether a class accepts only one kind of credential. The server rejects any other credential for such a class
 * with 401, even a valid one.
 */
export const hasOwnAuthorization = (operation: Operation): boolean =>
  operation === "sendEvent" || operation === "providerEvent" || operation === "assistantTool"

/**
 * Decides whether a caller may send custom events as this source of this tenant. Only the source's own key may do so.
 */
export const maySendEvent = (principal: Principal, tenantId: TenantId, sourceId: string): boolean =>
  principal._tag === "Source" && principal.sourceId === sourceId && decide(principal, "sendEvent", tenantId) === "allow"
