/**
 * The public API of the package: the contract and its errors. All other modules are internal
 * (`docs/decisions/0086-packages.md`). `docs/reference/packages.md` lists the names. The OpenAPI document is
 * `@leadloom/api/openapi.json`.
 */
export { Api } from "./Api.ts"
export {
  ActionFailed,
  AiLimitReached,
  BadRequest,
  CallNotAllowed,
  Conflict,
  ConnectionExists,
  FieldIssue,
  Forbidden,
  GuardrailBlocked,
  HipaaRestricted,
  IdempotencyConflict,
  IdempotencyInProgress,
  KeyLimitReached,
  NotFound,
  PayloadTooLarge,
  PlanRestricted,
  PreconditionFailed,
  ProviderError,
  RateLimited,
  ServiceUnavailable,
  Unauthorized,
  UsageLimitReached
} from "./errors.ts"
