/**
 * Runs the actions that workflows of a CRM can use, one file per action. Reading the CRM's requests does not belong
 * here; the connectors do that.
 *
 * Tests: `packages/testkit/src/suite/crm`, `packages/server/test/http/crm`.
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

/** The actions that a workflow of the CRM may run, by key. */
export const crmActions = {
  create_or_update_contact: createOrUpdateContact,
  add_tag: addTag,
  score_lead: scoreLead,
  run_pipeline: runPipeline,
  send_message: sendMessage,
  create_task: createTask
} as const

/** The key of an action. */
export type CrmActionKey = keyof typeof crmActions

/** Returns whether an action with this key exists. */
export const isCrmAction = (key: string): key is CrmActionKey => Object.hasOwn(crmActions, key)

/**
 * Requires a configured CRM and an install of the location. A signed-out install is accepted: actions that need the CRM
 * fail later, and the others continue to work.
 */
const requireInstall = Effect.fnUntraced(function* ({ locationId, tenantId }: CrmLocation) {
  yield* (yield* Crm).configured
  const install = yield* (yield* CrmInstalls).get(tenantId, locationId)
  if (install === null || install.status === "uninstalled") return yield* new CrmNotInstalled({ locationId })
})

/**
 * Returns the time of the first call with this key. The first call counts as an action of the plan; beyond the cap it
 * is not recorded.
 */
const countFirst = Effect.fnUntraced(function* (tenant: Tenant, key: string, now: number) {
  const firstAt = yield* (yield* CrmCalls).firstAt(tenant.tenantId, key, now, now - repetitionMillis)
  if (firstAt === now) yield* consumeUsageOf(tenant, "actions")
  return firstAt
})

/** Runs an action of a CRM workflow for the CRM contact that it names. Must run outside a unit of work. */
export const runCrmAction = Effect.fn("runCrmAction")(function* (
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
})
