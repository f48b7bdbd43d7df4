import type { GateDeclaration } from "@leadloom/api/internal/Access"
import { audited } from "@leadloom/core/internal/workflow/access/Audited"
import type { Operation } from "@leadloom/core/internal/domain/access/Permission"
import { type Principal, principalName } from "@leadloom/core/internal/domain/access/Principal"
import type { AuditTrail } from "@leadloom/core/internal/port/repository/tenant/AuditTrail"
import type { Ids } from "@leadloom/core/internal/port/system/Ids"
import type { Transactions } from "@leadloom/core/internal/port/system/Transactions"
import { toolHeader } from "@leadloom/mcp/internal/Caller"
import { Effect, Option } from "effect"
import { type Headers, HttpRouter, HttpServerRequest } from "effect/http"
import type { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { CurrentRequestId } from "./RequestId.ts"

/** Whether an operation is privileged. An operation is privileged if it requires more than the rights of an agent. */
const privileged: Readonly<Record<Operation, boolean>> = {
  public: false,
  agent: false,
  pipeline: false,
  sendEvent: false,
  crmAction: false,
  providerEvent: false,
  assistantTool: false,
  manage: true,
  administer: true,
  operate: true,
  provision: true,
  superuse: true,
  mintSession: true,
  self: false
}

/**
 * Returns whether the audit trail records the endpoint. It records privileged operations that write data, and endpoints
 * that declare it: exports, and changes of many conversations.
 */
const isAudited = ({ audited: always, operation }: GateDeclaration, method: string): boolean =>
  always === true || (privileged[operation] && method !== "GET")

/**
 * Returns whether an operation concerns the whole deployment. This is true for operations of the operator, and for
 * operations on credentials.
 */
const concernsDeployment = ({ name, operation }: GateDeclaration): boolean =>
  operation === "operate" || operation === "provision" || name.startsWith("apiKeys.")

/** Returns the name of the MCP tool that sent a request; null for other requests. */
const toolOf = (header: string | undefined): string | null =>
  header !== undefined && /^[a-z][a-z_]{0,63}$/u.test(header) ? header : null

/** The endpoint that a request calls. */
export interface Called {
  readonly endpoint: HttpApiEndpoint.Top
  readonly group: HttpApiGroup.Top
}

/** The services that record an action. */
type Recording = AuditTrail | Ids | Transactions | HttpRouter.RouteContext | HttpServerRequest.HttpServerRequest

const runAudited = Effect.fnUntraced(function* <A, E, R>(
  next: Effect.Effect<A, E, R>,
  gate: GateDeclaration,
  principal: Principal,
  { endpoint, group }: Called,
  tool: string | null
) {
  const { remoteAddress } = yield* HttpServerRequest.HttpServerRequest
  const { tenant_id: tenantId = null, ...params } = yield* HttpRouter.params
  const target = Object.entries({ ...params, ...(tool === null ? {} : { mcp_tool: tool }) }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const]
  )
  const acting = {
    actor: principalName(principal),
    action: `${group.identifier}.${endpoint.identifier}`,
    target: Object.fromEntries(target),
    address: Option.getOrNull(remoteAddress),
    requestId: yield* CurrentRequestId,
    ...(concernsDeployment(gate) ? { concernsDeployment: true as const } : {})
  }
  return yield* audited(acting, tenantId, next)
})

/**
 * Runs an endpoint for a caller. The audit trail records a privileged action together with its changes, and every
 * request of an MCP tool with the name of the tool.
 */
export const carryOut = <A, E, R>(
  headers: Headers.Headers,
  next: Effect.Effect<A, E, R>,
  gate: GateDeclaration,
  principal: Principal,
  called: Called
): Effect.Effect<A, E, R | Recording> => {
  const tool = toolOf(headers[toolHeader])
  const isUnaudited = tool === null && !isAudited(gate, called.endpoint.method)
  return isUnaudited ? next : runAudited(next, gate, principal, called, tool)
}
