import type { TenantId } from "../TenantId.ts"
import { includesRole, type Principal, type Role, type Scope, tenantsOf } from "./Principal.ts"

/** Classes of operations. Every endpoint belongs to exactly one. */
export type Operation =
  /** Needs no credential and refuses none. */
  | "public"
  /** Contacts, conversations, search, leads, tasks, calls, email send, aliases GET. */
  | "agent"
  /** Full pipeline, standalone actions, dry run. */
  | "pipeline"
  /** Email settings and connection, configuration, guardrails, SMS filters, subscriptions, batch, key list, billing reads. */
  | "manage"
  /** Usage read, scaffold, key create, revoke and rotate, billing writes. */
  | "administer"
  /** `/admin/*`. */
  | "operate"
  /**
   * What the operator gives a tenant, and no tenant takes for itself: its plan, whether it is under HIPAA, credits, an account
   * that the provider already holds.
   */
  | "provision"
  /** Usage write. */
  | "superuse"
  /** `POST /sessions` with a tenant id. */
  | "mintSession"
  /** `POST /events/{tenant_id}/{source_id}`. */
  | "sendEvent"
  /** `POST /actions/crm/{action_key}`. */
  | "crmAction"
  /** What providers tell: provider events of Nylas, Stripe, Twilio and HighLevel. */
  | "providerEvent"
  /** What voice assistants have done during a call. */
  | "assistantTool"

/** What opens an operation and says nothing of who calls: secrets that many share, and signatures of providers. */
export type SharedSecret = "workflow" | "assistant" | "provider"

/** Whether an operation changes or sends anything. */
export type Access = "read" | "write"

/** Who may do the operations of a class, within the tenants that the credential reaches. */
interface Grant {
  /** Holders of a tenant API key. */
  readonly apiKey: boolean
  /** Holders of a session token. */
  readonly session: boolean
  /** The operator's admin key. */
  readonly admin: boolean
  /** The least role of an ID token; null: none is enough. */
  readonly role: Role | null
  /** Event sources. */
  readonly source: boolean
  /** Whoever has this secret. */
  readonly secret: SharedSecret | null
}

const nobody: Grant = { apiKey: false, session: false, admin: false, role: null, source: false, secret: null }

/**
 * The one table of rights. A session has the agent part and not the pipeline: the contract gives those routes to the
 * tenant's API key, and a token that lives in a browser shall not run up model costs.
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
  sendEvent: { ...nobody, source: true },
  crmAction: { ...nobody, apiKey: true, admin: true, secret: "workflow" },
  providerEvent: { ...nobody, secret: "provider" },
  assistantTool: { ...nobody, secret: "assistant" }
}

/**
 * What each scope of an API key covers. Scopes are added up and none includes another: a form that only hands in leads
 * needs no sight of what is there.
 */
const coverage: Readonly<Record<Scope, (operation: Operation, access: Access) => boolean>> = {
  read: (operation, access) => operation === "agent" && access === "read",
  messages: (operation, access) => operation === "agent" && access === "write",
  pipeline: (operation) => operation === "pipeline" || operation === "crmAction"
}

const isCovered = (scopes: ReadonlyArray<Scope> | null, operation: Operation, access: Access): boolean =>
  scopes === null || scopes.some((scope) => coverage[scope](operation, access))

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
  "sendEvent",
  "crmAction",
  "providerEvent",
  "assistantTool"
]

const hasRight = (principal: Principal, operation: Operation, access: Access): boolean => {
  if (operation === "public") return true
  const grant = grants[operation]
  switch (principal._tag) {
    case "ApiKey":
      return grant.apiKey && isCovered(principal.scopes, operation, access)
    case "Session":
      return grant.session
    case "Admin":
      return grant.admin
    case "IdToken":
      return principal.role !== null && grant.role !== null && includesRole(principal.role, grant.role)
    case "Source":
      return grant.source
  }
}

/**
 * Without a tenant, `operate` concerns all of them; the other classes then speak of the caller's own. Who reaches only some
 * tenants is theirs and not the operator's: he provisions none.
 */
const reaches = (principal: Principal, operation: Operation, tenantId: TenantId | null): boolean => {
  if (operation === "public") return true
  const tenants = tenantsOf(principal)
  if (tenants === "all") return true
  if (operation === "provision") return false
  return tenantId === null ? operation !== "operate" && tenants.length > 0 : tenants.includes(tenantId)
}

/**
 * Whether a caller's credential is for this tenant at all, whatever it may do there. Asked first: only then may an answer
 * depend on what is known of the tenant.
 */
export const reachesTenant = (principal: Principal, operation: Operation, tenantId: TenantId): boolean =>
  reaches(principal, operation, tenantId)

/** `forbidden`: say that the right is missing. `hidden`: answer as if the thing did not exist. */
export type Decision = "allow" | "forbidden" | "hidden"

/**
 * Decides whether a caller may do an operation in a tenant. `tenantId` is null where neither the path nor the body names
 * one. `via` says how the tenant came to be known: from the request (`path`), where a foreign one is forbidden, or from
 * a stored thing that the request names by its id (`resource`), where a foreign one is hidden, so that nobody learns
 * which ids exist. A caller without the right as such is always told so. `access` matters to API keys with scopes; who
 * does not say what it is asks for the right to change things.
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

/** Whether a shared secret opens operations of a class. Whose tenant it is for is told by what is asked. */
export const secretOpens = (secret: SharedSecret, operation: Operation): boolean =>
  operation === "public" || grants[operation].secret === secret

/**
 * Whether a class has a door of its own, at which credentials of other kinds are none at all: they are refused with 401,
 * not with 403.
 */
export const hasOwnAuthorization = (operation: Operation): boolean =>
  operation === "sendEvent" || operation === "providerEvent" || operation === "assistantTool"

/** Decides whether a caller may send custom events as this source of this tenant: only with the key of that source. */
export const maySendEvent = (principal: Principal, tenantId: TenantId, sourceId: string): boolean =>
  principal._tag === "Source" && principal.sourceId === sourceId && decide(principal, "sendEvent", tenantId) === "allow"
