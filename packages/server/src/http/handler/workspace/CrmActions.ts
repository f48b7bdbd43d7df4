import { Caller } from "@leadloom/api/internal/Access"
import { Api } from "@leadloom/api/internal/Api"
import type * as Wire from "@leadloom/api/internal/workspace/CrmActions"
import { shorten } from "@leadloom/api/internal/Echo"
import { ActionFailed, NotFound, RateLimited } from "@leadloom/api/internal/errors"
import { decide } from "@leadloom/core/internal/domain/access/Permission"
import { crmActions, isCrmAction, runCrmAction } from "@leadloom/core/internal/workflow/crm/action/RunCrmAction"
import type { CrmLocation } from "@leadloom/core/internal/domain/crm/Location"
import { CrmLocations } from "@leadloom/core/internal/port/repository/crm/CrmLocations"
import { Effect, Option } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { consume } from "../../middleware/Authorization.ts"
import { setDeprecationHeaders } from "../../middleware/Deprecation.ts"
import { answer } from "../../error/errors.ts"
import { Limits } from "../../middleware/Limits.ts"
import { setRateLimitHeaders } from "../../middleware/RateHeaders.ts"

/**
 * Finds a location that belongs to a tenant of the caller. For any other caller, fails as for an unknown location.
 */
const locationOf = Effect.fnUntraced(function* (locationId: string) {
  const { principal } = yield* Caller
  const locations = yield* CrmLocations
  const location = yield* answer(locations.find(locationId))
  const reached =
    location !== null &&
    (principal === null || decide(principal, "crmAction", location.tenantId, "resource") === "allow")
  return reached ? location : yield* NotFound.of(`The location ${locationId} belongs to no tenant.`)
})

const requireRate = Effect.fnUntraced(function* ({ locationId, tenantId }: CrmLocation) {
  const counted = yield* consume(tenantId, `workflow:${locationId}`, (yield* Limits).workflow)
  if (Option.isNone(counted)) return
  yield* setRateLimitHeaders(counted.value)
  if (!counted.value.allowed) return yield* RateLimited.of(counted.value.retryAfterSeconds)
})

const run = Effect.fnUntraced(function* (actionKey: string, { data, extras }: typeof Wire.CrmActionRequest.Type) {
  if (!isCrmAction(actionKey)) {
    return yield* ActionFailed.of(`Unknown action. Valid actions: ${Object.keys(crmActions).join(", ")}.`)
  }
  const { contactId: crmContactId, locationId, workflowId = null } = extras
  const location = yield* locationOf(locationId)
  yield* requireRate(location)
  const requested = { actionKey, locationId, crmContactId, workflowId, inputs: data ?? {} }
  // Actions have a separate error envelope, so a `BadRequest` of the workflow is converted to it.
  return yield* answer(runCrmAction(location, requested)).pipe(
    Effect.catchTag("BadRequest", ({ error }) => ActionFailed.of(error.message))
  )
})

/** Endpoints for workflow actions of the CRM, at the current path and at the former one. */
export const layer = HttpApiBuilder.group(Api, "crmActions", (handlers) =>
  handlers.handleAll({
    run: ({ params, payload }) => run(params.action_key, payload),
    runAlias: ({ params, payload }) =>
      Effect.andThen(
        setDeprecationHeaders(`/api/v1/actions/crm/${encodeURIComponent(shorten(params.action_key))}`),
        run(params.action_key, payload)
      )
  })
)
