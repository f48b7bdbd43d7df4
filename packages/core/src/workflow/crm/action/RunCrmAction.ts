import { Clock, Effect } from "effect"
import { type ActionCall, type ActionRequest, callKeyOf, repetitionMillis } from "../../../domain/crm/ActionCall.ts"
import { CrmNotInstalled } from "../../../domain/crm/CrmFailure.ts"
import type { CrmLocation } from "../../../domain/crm/Location.ts"
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

/** Every action that a workflow of the CRM may ask for, by its key. */
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

/** Whether there is an action of this key. */
export const isCrmAction = (key: string): key is CrmActionKey => Object.hasOwn(crmActions, key)

/**
 * Whether the CRM is configured here and has been let in there. Signed out is let in: what needs the CRM itself says so
 * by itself, and the rest goes on until somebody installs the app again.
 */
const requireInstall = Effect.fnUntraced(function* ({ locationId, tenantId }: CrmLocation) {
  yield* (yield* Crm).configured
  const install = yield* (yield* CrmInstalls).get(tenantId, locationId)
  if (install === null || install.status === "uninstalled") return yield* new CrmNotInstalled({ locationId })
})

/** When a call came first. That time it counts as an action of the plan; beyond the cap it was not there. */
const countFirst = Effect.fnUntraced(function* (tenant: Tenant, key: string, now: number) {
  const firstAt = yield* (yield* CrmCalls).firstAt(tenant.tenantId, key, now, now - repetitionMillis)
  if (firstAt === now) yield* consumeUsageOf(tenant, "actions")
  return firstAt
})

/** Does what a workflow of the CRM asks for, for the contact of the CRM that it names. Never inside a unit of work. */
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
