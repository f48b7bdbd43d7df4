import { type ContractOperation, operationOf, type TenantPlace } from "@leadloom/core/internal/domain/access/Operations"
import type { Access, Operation } from "@leadloom/core/internal/domain/access/Permission"
import type { Principal as CorePrincipal } from "@leadloom/core/internal/domain/access/Principal"
import { Context } from "effect"
import { HttpApiMiddleware, HttpApiSecurity } from "effect/http-api"
import {
  ActionFailed,
  BadRequest,
  Forbidden,
  HipaaRestricted,
  NotFound,
  RateLimited,
  ServiceUnavailable,
  Unauthorized
} from "./errors.ts"

/** The access requirements of an endpoint that are not in its row of the permission matrix. */
interface GateTerms {
  /**
   * The rate limiter: per credential (`admin`), per tenant (`webhook`), per network address (`public`, applied by the
   * handler), or `none`.
   */
  readonly limiter: "admin" | "webhook" | "public" | "none"
  /** Rejects requests for HIPAA tenants with 403 `HIPAA_RESTRICTED`. */
  readonly email?: true
  /** Accepts an archived tenant, which other requests do not find. */
  readonly archived?: true
  /** Writes an audit entry for an operation that exports all data or changes many records, whoever performs it. */
  readonly audited?: true
  /**
   * The way in which a POST stores its `Idempotency-Key`. Callers see the same behaviour in all cases.
   * - `unit`: one unit of work stores the effect, the key and the response.
   * - `steps`: the operation also calls external systems, so the key is claimed before the calls.
   * - `repeatable`: like `steps`, but an operation whose response was lost is carried out again. The operation
   *   recognises its earlier effects or changes nothing.
   * - `stored`: the workflow stores the key and the fingerprint with its result.
   */
  readonly idempotency?: "unit" | "steps" | "repeatable" | "stored"
  /**
   * The body contains a secret that people choose. The stored fingerprint of the body is then keyed, so that nobody who
   * reads the database can guess the secret.
   */
  readonly containsSecret?: true
  /**
   * Without an `Idempotency-Key`, the server recognises a repeated message by a natural key: the id or the content of
   * the message. A key replaces this natural key, so the client does not add one automatically.
   */
  readonly naturalKey?: true
}

/** The access requirements of an endpoint. The server does not start when an endpoint has none. */
export interface GateDeclaration extends GateTerms {
  /** The row of the permission matrix (`core/domain/access/Operations`). */
  readonly name: ContractOperation
  /** The operation class of the row. */
  readonly operation: Operation
  /** The part of the request that names the tenant. */
  readonly tenant: TenantPlace
  /** The scope that an API key with scopes needs. */
  readonly access: Access
}

/**
 * Returns the gate of an operation from its row in the permission matrix. An operation without a row does not compile.
 */
export const gate = (name: ContractOperation, terms: GateTerms): GateDeclaration => {
  const { access, class: operation, tenant } = operationOf(name)
  return { name, operation, tenant, access, ...terms }
}

/** The gate as an annotation of the endpoint. */
export class Gate extends Context.Service<Gate, GateDeclaration>()("api/Gate") {}

/** The authenticated caller, provided by `Authorization`. */
export class Principal extends Context.Service<Principal, CorePrincipal>()("api/Principal") {}

/**
 * Checks the credential, the access to the tenant, HIPAA and the rate limit, in this order, before the payload is
 * decoded.
 */
export class Authorization extends HttpApiMiddleware.Service<Authorization, { provides: Principal }>()(
  "api/Authorization",
  {
    security: { bearer: HttpApiSecurity.bearer },
    error: [Unauthorized, Forbidden, HipaaRestricted, NotFound, RateLimited, ServiceUnavailable]
  }
) {}

/** Accepts the key of a custom event source, as Bearer credential or in `X-Source-Key`. */
export class SourceAuthorization extends HttpApiMiddleware.Service<SourceAuthorization, { provides: Principal }>()(
  "api/SourceAuthorization",
  {
    security: {
      bearer: HttpApiSecurity.bearer,
      sourceKey: HttpApiSecurity.apiKey({ in: "header", key: "X-Source-Key" })
    },
    error: [Unauthorized, RateLimited, ServiceUnavailable]
  }
) {}

/**
 * The caller. `null` for a request that only names a CRM location or carries a shared secret, because neither
 * identifies a person.
 */
export class Caller extends Context.Service<Caller, { readonly principal: CorePrincipal | null }>()("api/Caller") {}

/** Works like `Authorization`, but also accepts a request without a credential that names a CRM location. */
export class SessionAuthorization extends HttpApiMiddleware.Service<SessionAuthorization, { provides: Caller }>()(
  "api/SessionAuthorization",
  {
    security: { bearer: HttpApiSecurity.bearer },
    error: [Unauthorized, Forbidden, HipaaRestricted, NotFound, RateLimited, ServiceUnavailable]
  }
) {}

/**
 * Accepts a key of the tenant or of the operator, or the secret in `X-Workflow-Secret` of the CRM's workflow actions.
 */
export class WorkflowAuthorization extends HttpApiMiddleware.Service<WorkflowAuthorization, { provides: Caller }>()(
  "api/WorkflowAuthorization",
  {
    security: {
      bearer: HttpApiSecurity.bearer,
      workflowSecret: HttpApiSecurity.apiKey({ in: "header", key: "X-Workflow-Secret" })
    },
    error: [Unauthorized, Forbidden, NotFound, RateLimited, ServiceUnavailable]
  }
) {}

/** Rejects a request that does not match the contract, with the error envelope. */
export class RequestValidation extends HttpApiMiddleware.Service<RequestValidation>()("api/RequestValidation", {
  error: BadRequest
}) {}

/** Rejects a request that does not match the contract, with the separate failure envelope of the standalone actions. */
export class ActionValidation extends HttpApiMiddleware.Service<ActionValidation>()("api/ActionValidation", {
  error: ActionFailed
}) {}
