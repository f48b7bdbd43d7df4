import { perSmsOperation } from "../provider/SmsProviders.ts"
import type { Access, Operation } from "./Permission.ts"

/**
 * The part of a request that determines its tenant.
 *
 * - `path`, `query`, `body`: the request names the tenant; a request for another tenant is forbidden
 * - `resource`: the request names an object by its id; another tenant's object is not found
 * - `none`: the request concerns the deployment or only the caller
 */
export type TenantPlace = "path" | "query" | "body" | "resource" | "none"

/** The requirements of one operation: a row of the permission matrix. */
export interface OperationRow {
  /** The class of the operation (`Permission` lists who may perform it). */
  readonly class: Operation
  readonly tenant: TenantPlace
  /**
   * The access that an API key with scopes needs for this operation. A POST request that changes nothing needs `read`.
   */
  readonly access: Access
}

/** Every operation of the contract, as `group.endpoint`. A missing endpoint is a type error in `api/Access`. */
export const contractOperations = {
  "system.health": { class: "public", tenant: "none", access: "read" },
  "tenants.create": { class: "operate", tenant: "none", access: "write" },
  "tenants.list": { class: "operate", tenant: "none", access: "read" },
  "tenants.get": { class: "operate", tenant: "path", access: "read" },
  "tenants.update": { class: "provision", tenant: "path", access: "write" },
  "tenants.archive": { class: "operate", tenant: "path", access: "write" },
  "sources.list": { class: "operate", tenant: "path", access: "read" },
  "sources.create": { class: "operate", tenant: "path", access: "write" },
  "sources.remove": { class: "operate", tenant: "path", access: "write" },
  "sources.listGlobal": { class: "operate", tenant: "none", access: "read" },
  "sources.createGlobal": { class: "operate", tenant: "none", access: "write" },
  "sources.removeGlobal": { class: "operate", tenant: "none", access: "write" },
  "sessions.mint": { class: "mintSession", tenant: "body", access: "write" },
  "apiKeys.list": { class: "manage", tenant: "path", access: "read" },
  "apiKeys.create": { class: "administer", tenant: "path", access: "write" },
  "apiKeys.revoke": { class: "administer", tenant: "path", access: "write" },
  "apiKeys.rotate": { class: "administer", tenant: "path", access: "write" },
  "config.presets": { class: "manage", tenant: "none", access: "read" },
  "config.get": { class: "manage", tenant: "path", access: "read" },
  "config.audit": { class: "manage", tenant: "path", access: "read" },
  "config.version": { class: "manage", tenant: "path", access: "read" },
  "config.replace": { class: "manage", tenant: "path", access: "write" },
  "config.update": { class: "manage", tenant: "path", access: "write" },
  "config.scaffold": { class: "administer", tenant: "path", access: "write" },
  "guardrails.active": { class: "manage", tenant: "path", access: "read" },
  "guardrails.audit": { class: "manage", tenant: "path", access: "read" },
  "guardrails.stats": { class: "manage", tenant: "path", access: "read" },
  "guardrails.export": { class: "manage", tenant: "path", access: "read" },
  "guardrails.update": { class: "manage", tenant: "path", access: "write" },
  "events.send": { class: "sendEvent", tenant: "path", access: "write" },
  "pipeline.run": { class: "pipeline", tenant: "path", access: "write" },
  "pipeline.dryRun": { class: "pipeline", tenant: "path", access: "write" },
  "pipeline.listRuns": { class: "agent", tenant: "path", access: "read" },
  "pipeline.getRun": { class: "agent", tenant: "path", access: "read" },
  "pipeline.replayRun": { class: "agent", tenant: "path", access: "read" },
  "batches.create": { class: "manage", tenant: "path", access: "write" },
  "batches.list": { class: "manage", tenant: "path", access: "read" },
  "batches.get": { class: "manage", tenant: "path", access: "read" },
  "actions.scoreContact": { class: "pipeline", tenant: "path", access: "write" },
  "actions.classifyConversation": { class: "pipeline", tenant: "path", access: "write" },
  "actions.generateReply": { class: "pipeline", tenant: "path", access: "write" },
  "usage.get": { class: "administer", tenant: "path", access: "read" },
  "usage.set": { class: "superuse", tenant: "path", access: "write" },
  "billing.status": { class: "manage", tenant: "query", access: "read" },
  "billing.activate": { class: "administer", tenant: "query", access: "write" },
  "billing.checkout": { class: "administer", tenant: "query", access: "write" },
  "billing.portal": { class: "administer", tenant: "query", access: "write" },
  "billing.balance": { class: "manage", tenant: "query", access: "read" },
  "billing.transactions": { class: "manage", tenant: "query", access: "read" },
  "billing.grant": { class: "provision", tenant: "path", access: "write" },
  "contacts.list": { class: "agent", tenant: "path", access: "read" },
  "contacts.create": { class: "agent", tenant: "path", access: "write" },
  "contacts.get": { class: "agent", tenant: "path", access: "read" },
  "contacts.update": { class: "agent", tenant: "path", access: "write" },
  "contacts.archive": { class: "agent", tenant: "path", access: "write" },
  "contacts.restore": { class: "agent", tenant: "path", access: "write" },
  "contacts.resolve": { class: "agent", tenant: "path", access: "write" },
  "contactViews.detail": { class: "agent", tenant: "path", access: "read" },
  "contactViews.timeline": { class: "agent", tenant: "path", access: "read" },
  "contactViews.enriched": { class: "agent", tenant: "path", access: "read" },
  "contactIdentities.list": { class: "agent", tenant: "path", access: "read" },
  "contactIdentities.add": { class: "agent", tenant: "path", access: "write" },
  "contactIdentities.update": { class: "agent", tenant: "path", access: "write" },
  "contactIdentities.remove": { class: "agent", tenant: "path", access: "write" },
  "contactConsent.get": { class: "agent", tenant: "path", access: "read" },
  "contactConsent.record": { class: "agent", tenant: "path", access: "write" },
  "fields.list": { class: "agent", tenant: "path", access: "read" },
  "fields.create": { class: "manage", tenant: "path", access: "write" },
  "fields.get": { class: "agent", tenant: "path", access: "read" },
  "fields.update": { class: "manage", tenant: "path", access: "write" },
  "fields.remove": { class: "manage", tenant: "path", access: "write" },
  "companies.list": { class: "agent", tenant: "path", access: "read" },
  "companies.create": { class: "agent", tenant: "path", access: "write" },
  "companies.get": { class: "agent", tenant: "path", access: "read" },
  "companies.update": { class: "agent", tenant: "path", access: "write" },
  "companies.remove": { class: "agent", tenant: "path", access: "write" },
  "companies.contacts": { class: "agent", tenant: "path", access: "read" },
  "segments.list": { class: "agent", tenant: "path", access: "read" },
  "segments.create": { class: "agent", tenant: "path", access: "write" },
  "segments.get": { class: "agent", tenant: "path", access: "read" },
  "segments.update": { class: "agent", tenant: "path", access: "write" },
  "segments.remove": { class: "agent", tenant: "path", access: "write" },
  "segments.contacts": { class: "agent", tenant: "path", access: "read" },
  "contactImports.start": { class: "manage", tenant: "path", access: "write" },
  "contactImports.list": { class: "manage", tenant: "path", access: "read" },
  "contactImports.get": { class: "manage", tenant: "path", access: "read" },
  "contactImports.undo": { class: "manage", tenant: "path", access: "write" },
  "contactMerges.merge": { class: "agent", tenant: "path", access: "write" },
  "contactMerges.undo": { class: "agent", tenant: "path", access: "write" },
  "contactMerges.suggestions": { class: "agent", tenant: "path", access: "read" },
  "contactMerges.dismiss": { class: "agent", tenant: "path", access: "write" },
  "conversations.list": { class: "agent", tenant: "path", access: "read" },
  "conversations.get": { class: "agent", tenant: "path", access: "read" },
  "conversations.send": { class: "agent", tenant: "path", access: "write" },
  "conversations.markRead": { class: "agent", tenant: "path", access: "write" },
  "conversations.approveDraft": { class: "agent", tenant: "path", access: "write" },
  "conversations.dismissDraft": { class: "agent", tenant: "path", access: "write" },
  "conversations.labelSubject": { class: "agent", tenant: "path", access: "write" },
  "messages.raw": { class: "manage", tenant: "path", access: "read" },
  "messages.parse": { class: "manage", tenant: "path", access: "write" },
  "attachments.download": { class: "public", tenant: "none", access: "read" },
  "backtest.run": { class: "manage", tenant: "path", access: "write" },
  "leads.list": { class: "agent", tenant: "path", access: "read" },
  "leads.create": { class: "agent", tenant: "path", access: "write" },
  "leads.get": { class: "agent", tenant: "path", access: "read" },
  "leads.update": { class: "agent", tenant: "path", access: "write" },
  "leads.append": { class: "agent", tenant: "path", access: "write" },
  "leads.import": { class: "agent", tenant: "path", access: "write" },
  "leads.score": { class: "agent", tenant: "path", access: "write" },
  "leads.listScores": { class: "agent", tenant: "path", access: "read" },
  "leads.transition": { class: "agent", tenant: "path", access: "write" },
  "leads.find": { class: "agent", tenant: "resource", access: "read" },
  "leads.conversation": { class: "agent", tenant: "resource", access: "read" },
  "tasks.list": { class: "agent", tenant: "path", access: "read" },
  "tasks.update": { class: "agent", tenant: "path", access: "write" },
  "tasks.callbacks": { class: "agent", tenant: "query", access: "read" },
  "search.search": { class: "agent", tenant: "path", access: "read" },
  "email.send": { class: "agent", tenant: "path", access: "write" },
  "email.getAliases": { class: "agent", tenant: "path", access: "read" },
  "email.updateAliases": { class: "manage", tenant: "path", access: "write" },
  "email.updateSignature": { class: "manage", tenant: "path", access: "write" },
  "email.connect": { class: "manage", tenant: "path", access: "write" },
  "email.listGrants": { class: "manage", tenant: "path", access: "read" },
  "email.getGrant": { class: "manage", tenant: "path", access: "read" },
  "email.disconnect": { class: "manage", tenant: "path", access: "write" },
  "email.authUrl": { class: "manage", tenant: "path", access: "read" },
  "email.callback": { class: "manage", tenant: "path", access: "write" },
  "import.email": { class: "manage", tenant: "path", access: "write" },
  "dataRights.exportContact": { class: "manage", tenant: "path", access: "read" },
  "dataRights.erase": { class: "manage", tenant: "path", access: "write" },
  "dataRights.listErasures": { class: "manage", tenant: "path", access: "read" },
  "dataRights.exportTenant": { class: "manage", tenant: "path", access: "read" },
  "dataRights.importArchive": { class: "administer", tenant: "path", access: "write" },
  "webhooks.list": { class: "manage", tenant: "path", access: "read" },
  "webhooks.create": { class: "manage", tenant: "path", access: "write" },
  "webhooks.get": { class: "manage", tenant: "path", access: "read" },
  "webhooks.update": { class: "manage", tenant: "path", access: "write" },
  "webhooks.delete": { class: "manage", tenant: "path", access: "write" },
  "webhooks.test": { class: "manage", tenant: "path", access: "write" },
  "webhooks.rotateSecret": { class: "manage", tenant: "path", access: "write" },
  "webhooks.deliveries": { class: "manage", tenant: "path", access: "read" },
  "webhooks.redeliver": { class: "manage", tenant: "path", access: "write" },
  "webhooks.recover": { class: "manage", tenant: "path", access: "write" },
  "eventFeed.list": { class: "agent", tenant: "path", access: "read" },
  "eventFeed.stream": { class: "agent", tenant: "path", access: "read" },
  "audit.list": { class: "administer", tenant: "path", access: "read" },
  "audit.listDeployment": { class: "operate", tenant: "none", access: "read" },
  "leakedKeys.check": { class: "operate", tenant: "none", access: "write" },
  "publicLeads.submit": { class: "public", tenant: "path", access: "write" },
  "publicLeads.challenge": { class: "public", tenant: "path", access: "read" },
  "locations.list": { class: "operate", tenant: "none", access: "read" },
  "locations.put": { class: "operate", tenant: "none", access: "write" },
  "locations.remove": { class: "operate", tenant: "none", access: "write" },
  "agencies.authUrl": { class: "operate", tenant: "none", access: "read" },
  "agencies.callback": { class: "operate", tenant: "none", access: "write" },
  "agencies.list": { class: "operate", tenant: "none", access: "read" },
  "agencies.locations": { class: "operate", tenant: "none", access: "read" },
  "agencies.remove": { class: "operate", tenant: "none", access: "write" },
  "crm.authUrl": { class: "manage", tenant: "path", access: "read" },
  "crm.callback": { class: "manage", tenant: "path", access: "write" },
  "crm.listInstalls": { class: "manage", tenant: "path", access: "read" },
  "crm.updateInstall": { class: "manage", tenant: "path", access: "write" },
  "crm.syncInstall": { class: "manage", tenant: "path", access: "write" },
  "crm.removeInstall": { class: "manage", tenant: "path", access: "write" },
  "smsFilters.blocklist": { class: "manage", tenant: "path", access: "read" },
  "smsFilters.block": { class: "manage", tenant: "path", access: "write" },
  "smsFilters.unblock": { class: "manage", tenant: "path", access: "write" },
  "phoneNumbers.list": { class: "operate", tenant: "none", access: "read" },
  "phoneNumbers.assign": { class: "operate", tenant: "none", access: "write" },
  "phoneNumbers.release": { class: "operate", tenant: "none", access: "write" },
  "assistant.get": { class: "administer", tenant: "path", access: "read" },
  "assistant.makeSecret": { class: "administer", tenant: "path", access: "write" },
  "assistant.setRetellKey": { class: "administer", tenant: "path", access: "write" },
  "assistant.remove": { class: "administer", tenant: "path", access: "write" },
  "calls.list": { class: "agent", tenant: "path", access: "read" },
  "calls.recording": { class: "agent", tenant: "path", access: "read" },
  "calls.outbound": { class: "agent", tenant: "path", access: "write" },
  "calls.transfer": { class: "agent", tenant: "path", access: "write" },
  "crmActions.run": { class: "crmAction", tenant: "resource", access: "write" },
  "crmActions.runAlias": { class: "crmAction", tenant: "resource", access: "write" }
} as const satisfies Readonly<Record<string, OperationRow>>

/**
 * Every operation outside the contract: routes in the format of a provider or of MCP, and routes that describe the
 * contract.
 */
export const rawOperations = {
  "docs.openApi": { class: "public", tenant: "none", access: "read" },
  "docs.rootOpenApi": { class: "public", tenant: "none", access: "read" },
  "docs.page": { class: "public", tenant: "none", access: "read" },
  "nylas.challenge": { class: "public", tenant: "none", access: "read" },
  "nylas.notice": { class: "providerEvent", tenant: "none", access: "write" },
  "stripe.notice": { class: "providerEvent", tenant: "none", access: "write" },
  "highLevel.notice": { class: "providerEvent", tenant: "none", access: "write" },
  ...perSmsOperation(() => ({ class: "providerEvent", tenant: "none", access: "write" }) as const),
  "twilio.call": { class: "providerEvent", tenant: "none", access: "write" },
  "twilio.callStatus": { class: "providerEvent", tenant: "none", access: "write" },
  "twilio.dialed": { class: "providerEvent", tenant: "none", access: "write" },
  "twilio.recording": { class: "providerEvent", tenant: "none", access: "write" },
  "assistantTools.call": { class: "assistantTool", tenant: "path", access: "write" },
  // Each tool additionally needs the rights of the operations that it calls.
  "mcp.call": { class: "agent", tenant: "query", access: "read" },
  "mcp.endSession": { class: "agent", tenant: "query", access: "read" }
} as const satisfies Readonly<Record<string, OperationRow>>

/** The name of an operation of the contract, for example `contacts.create`. */
export type ContractOperation = keyof typeof contractOperations

/** The name of an operation outside the contract, for example `stripe.notice`. */
export type RawOperation = keyof typeof rawOperations

export type OperationName = ContractOperation | RawOperation

const all: Readonly<Record<OperationName, OperationRow>> = { ...contractOperations, ...rawOperations }

/** Returns the requirements of an operation. */
export const operationOf = (name: OperationName): OperationRow => all[name]
