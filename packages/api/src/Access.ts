import { type ContractOperation, operationOf, type TenantPlace } from "@leadloom/core/domain/access/Operations"
import type { Access, Operation } from "@leadloom/core/domain/access/Permission"
import type { Principal as CorePrincipal } from "@leadloom/core/domain/access/Principal"
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

/** What an endpoint asks of its caller beyond its row of the permission matrix. */
interface GateTerms {
  /** The limiter that counts it: per credential, per tenant, per address (by its handler), or none. */
  readonly limiter: "admin" | "webhook" | "public" | "none"
  /** Refused for HIPAA tenants with 403 `HIPAA_RESTRICTED`. */
  readonly email?: true
  /** A read that leaves a trace as a change does, for it takes everything out. */
  readonly audited?: true
  /**
   * How a POST keeps its `Idempotency-Key`; the caller sees no difference. `unit`: effect, key and response are one unit of
   * work in the store; `steps`: the operation also asks others, and the key is taken first; `repeatable`: the same, and an
   * operation whose response was lost runs again, because it recognises what it has done or changes nothing; `stored`:
   * its workflow keeps key and fingerprint with what it makes.
   */
  readonly idempotency?: "unit" | "steps" | "repeatable" | "stored"
}

/** What an endpoint asks of its caller. Every endpoint has one; the server refuses to start otherwise. */
export interface GateDeclaration extends GateTerms {
  /** Its row of the permission matrix (`core/domain/access/Operations`). */
  readonly name: ContractOperation
  /** The class of the row. */
  readonly operation: Operation
  /** Where the request names its tenant. */
  readonly tenant: TenantPlace
  /** What an API key with scopes needs. */
  readonly access: Access
}

/** The gate of an operation, made from its row: an operation that has none does not compile. */
export const gate = (name: ContractOperation, terms: GateTerms): GateDeclaration => {
  const { access, class: operation, tenant } = operationOf(name)
  return { name, operation, tenant, access, ...terms }
}

/** The declaration, as an annotation of the endpoint. */
export class Gate extends Context.Service<Gate, GateDeclaration>()("api/Gate") {}

/** Who calls, once `Authorization` has let the request in. */
export class Principal extends Context.Service<Principal, CorePrincipal>()("api/Principal") {}

/** Credential, tenant right, HIPAA and rate limit, in this order, before the payload is looked at. */
export class Authorization extends HttpApiMiddleware.Service<Authorization, { provides: Principal }>()(
  "api/Authorization",
  {
    security: { bearer: HttpApiSecurity.bearer },
    error: [Unauthorized, Forbidden, HipaaRestricted, NotFound, RateLimited, ServiceUnavailable]
  }
) {}

/** The key of a custom event source, as Bearer credential or in `X-Source-Key`. */
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

/** Who calls, if he has shown who he is: nobody in particular asks by a location, or with a secret that many share. */
export class Caller extends Context.Service<Caller, { readonly principal: CorePrincipal | null }>()("api/Caller") {}

/** As `Authorization`; who asks by a location of the CRM alone is let in without a credential. */
export class SessionAuthorization extends HttpApiMiddleware.Service<SessionAuthorization, { provides: Caller }>()(
  "api/SessionAuthorization",
  {
    security: { bearer: HttpApiSecurity.bearer },
    error: [Unauthorized, Forbidden, HipaaRestricted, NotFound, RateLimited, ServiceUnavailable]
  }
) {}

/** A key of the tenant or of the operator, or the secret that the CRM's workflow actions carry in `X-Workflow-Secret`. */
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

/** Turns what does not match the contract into the error envelope. */
export class RequestValidation extends HttpApiMiddleware.Service<RequestValidation>()("api/RequestValidation", {
  error: BadRequest
}) {}

/** The same for the standalone actions, which have a failure envelope of their own. */
export class ActionValidation extends HttpApiMiddleware.Service<ActionValidation>()("api/ActionValidation", {
  error: ActionFailed
}) {}
