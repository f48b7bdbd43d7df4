import { operationOf, type OperationName, type OperationRow } from "./Operations.ts"
import { decide, hasOwnAuthorization, secretOpens, type SharedSecret } from "./Permission.ts"
import type { Principal, Role, Scope, TenantSet } from "./Principal.ts"

/** The credential of a request: none, an unknown one, a shared secret, or a verified principal. */
export type Credential = "none" | "bad" | SharedSecret | Principal

/** Whether a request concerns the tenant of the credential or another tenant. */
export type Reach = "own" | "other"

/** `allowed`, or the error code of the rejection. */
export type Verdict = "allowed" | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND"

const tenants = { own: "own", other: "other" } as const

const apiKey = (scopes: ReadonlyArray<Scope> | null): Principal => ({
  _tag: "ApiKey",
  tenantId: tenants.own,
  keyId: "key_0",
  scopes
})

const person = (role: Role | null, reached: TenantSet): Principal => ({
  _tag: "IdToken",
  subject: "ann",
  role,
  tenants: reached
})

/** The columns of the matrix: every kind of caller. */
export const callers = {
  "no credential": "none",
  "bad credential": "bad",
  "API key": apiKey(null),
  "API key, read": apiKey(["read"]),
  "API key, messages": apiKey(["messages"]),
  "API key, pipeline": apiKey(["pipeline"]),
  session: { _tag: "Session", tenantId: tenants.own, jti: "jti" },
  "session, manager": { _tag: "Session", tenantId: tenants.own, jti: "jti", role: "manager" },
  "session, admin": { _tag: "Session", tenantId: tenants.own, jti: "jti", role: "admin" },
  "admin key": { _tag: "Admin" },
  "ID token, no role": person(null, [tenants.own]),
  "ID token, agent": person("agent", [tenants.own]),
  "ID token, manager": person("manager", [tenants.own]),
  "ID token, admin": person("admin", [tenants.own]),
  "ID token, admin of no tenant": person("admin", []),
  "ID token, admin of every tenant": person("admin", "all"),
  "ID token, superuser": person("superuser", [tenants.own]),
  "source key": { _tag: "Source", sourceId: "source", tenantId: tenants.own },
  "source key of every tenant": { _tag: "Source", sourceId: "source", tenantId: "all" },
  "workflow secret": "workflow",
  "assistant secret": "assistant",
  "provider signature": "provider"
} as const satisfies Readonly<Record<string, Credential>>

/** The name of a caller: a column of the matrix. */
export type Caller = keyof typeof callers

const isCaller = (name: string): name is Caller => Object.hasOwn(callers, name)

/** Every caller, in the order of the columns. */
export const callerNames: ReadonlyArray<Caller> = Object.keys(callers).filter(isCaller)

const verdicts = { allow: "allowed", forbidden: "FORBIDDEN", hidden: "NOT_FOUND" } as const

const ofPrincipal = (principal: Principal, row: OperationRow, reach: Reach): Verdict => {
  const { access, class: operation, tenant } = row
  const tenantId = tenants[reach]
  if (hasOwnAuthorization(operation))
    return decide(principal, operation, tenantId) === "allow" ? "allowed" : "UNAUTHORIZED"
  // At first, authorisation knows only path and query. A tenant from the body or from a stored object is checked later.
  const isNamed = tenant === "path" || tenant === "query"
  const atDoor = decide(principal, operation, isNamed ? tenantId : null, "path", access)
  if (atDoor !== "allow" || tenant === "none") return verdicts[atDoor]
  return verdicts[decide(principal, operation, tenantId, tenant === "resource" ? "resource" : "path", access)]
}

const ofSecret = (secret: SharedSecret, row: OperationRow, reach: Reach): Verdict => {
  // An assistant's secret belongs to one tenant. The other secrets belong to the deployment.
  const isForeign = secret === "assistant" && reach === "other" && row.class !== "public"
  return secretOpens(secret, row.class) && !isForeign ? "allowed" : "UNAUTHORIZED"
}

/** Returns the verdict on a caller that requests an operation. Does not consider errors in the request itself. */
export const verdictOf = (name: OperationName, caller: Caller, reach: Reach): Verdict => {
  const row = operationOf(name)
  const credential: Credential = callers[caller]
  if (credential === "none" || credential === "bad") return row.class === "public" ? "allowed" : "UNAUTHORIZED"
  return typeof credential === "string" ? ofSecret(credential, row, reach) : ofPrincipal(credential, row, reach)
}

/**
 * Returns the reaches to test for this operation and caller. If the operation or the caller has no tenant, the only
 * reach is `own`.
 */
export const reachesOf = (name: OperationName, caller: Caller): ReadonlyArray<Reach> => {
  const credential: Credential = callers[caller]
  const isHomeless = typeof credential === "string" && credential !== "assistant"
  return isHomeless || operationOf(name).tenant === "none" ? ["own"] : ["own", "other"]
}
