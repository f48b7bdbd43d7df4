/**
 * Runs the actions that workflows of a CRM can call, one file for each action. Parsing the CRM's requests does not
 * belong here (`packages/connectors/src/highlevel`). Tests: `packages/testkit/src/suite/crm`,
 * `packages/server/test/http/crm`.
 */
import { Clock, Effect } from "effect"
import { type ActionCall, type ActionRequest, callKeyOf, repetitionMillis } from "../../../domain/crm/ActionCall.ts"
import { type CrmLocation, CrmNotInstalled } from "../../../domain/crm/Location.ts"
import type { Tenant } from "../../../domain/tenant/Tenant.ts"
import { Crm } from "../../../port/provider/Crm.ts"
import { CrmCalls } from "../../../port/repository/crm/CrmCalls.ts"
import { CrmInstalls } from "../../../port/repository/crm/CrmLocations.ts"
import { Tenants } from "../../../port/repository/tenant/Tenants.ts"
import { Transactions } from "../../../port/system/Transactions.ts"
import { consumeUsageOf } from "../../billing/Usage.ts"
import { resolveCrmContact } from "../ResolveCrmContact.ts"
import { addTag } from "./AddTag.ts"
import { createOrUpdateContact } from "./CreateOrUpdateContact.ts"
import { createTask } from "./CreateTask.ts"
import { runPipeline } from "./RunPipeline.ts"
import { scoreLead } from "./ScoreLead.ts"
import { sendMessage } from "./SendMessage.ts"
import { withSpan } from "../../WithSpan.ts"

/** The actions that a workflow of the CRM may call, by key. */
export const crmActions = {
  create_or_update_contact: createOrUpdateContact,
  add_tag: addTag,
  score_lead: scoreLead,
  run_pipeline: runPipeline,
  send_message: sendMessage,
  create_task: createTask
} as const

export type CrmActionKey = keyof typeof crmActions

/** Returns whether an action with this key exists. */
export const isCrmAction = (key: string): key is CrmActionKey => Object.hasOwn(crmActions, key)

/**
 * Requires a configured CRM, and an installation in the location. An installation that is signed out suffices: actions
 * that need the CRM then fail later, and the others still work.
 */
const requireInstall = Effect.fnUntraced(function* ({ locationId, tenantId }: CrmLocation) {
  yield* (yield* Crm).configured
  const install = yield* (yield* CrmInstalls).get(tenantId, locationId)
  if (install === null || install.status === "uninstalled") return yield* new CrmNotInstalled({ locationId })
})

/**
 * Returns the time of the first call with this key. The first call counts as an action of the plan. If the cap is
 * reached, the call fails and is not recorded.
 */
const countFirst = Effect.fnUntraced(function* (tenant: Tenant, key: string, now: number) {
  const { firstAt, isFirst } = yield* (yield* CrmCalls).note(tenant.tenantId, key, now, now - repetitionMillis)
  if (isFirst) yield* consumeUsageOf(tenant, "actions")
  return firstAt
})

/** Runs an action that a workflow of the CRM has called for one CRM contact. Must run outside a unit of work. */
export const runCrmAction = Effect.fnUntraced(function* (
  location: CrmLocation,
  request: ActionRequest & { readonly actionKey: CrmActionKey }
) {
  const { locationId, tenantId } = location
  yield* requireInstall(location)
  const tenant = yield* (yield* Tenants).get(tenantId)
  const now = yield* Clock.currentTimeMillis
  const key = callKeyOf(request)
  const firstAt = yield* (yield* Transactions).atomically(tenantId, countFirst(tenant, key, now))
  const met = yield* resolveCrmContact(tenant, locationId, request.crmContactId)
  const call: ActionCall = { ...request, ...met, tenant, callId: `crm:${key}:${firstAt}`, firstAt }
  return yield* crmActions[request.actionKey](call)
}, withSpan("runCrmAction"))
