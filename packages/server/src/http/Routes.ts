/**
 * The HTTP layer. This folder has the routes, the listener and the documentation pages; the subfolders have handlers,
 * middleware, validation, errors, streams and webhooks. Business rules belong in `packages/core/src/workflow`, wire
 * schemas in `packages/api`. Tests: `packages/server/test/http`.
 */

import { Api } from "@leadloom/api/internal/Api"
import type { Secrets } from "@leadloom/core/internal/domain/access/Secrets"
import type { CompiledConfigs } from "@leadloom/core/internal/domain/tenant/CompiledConfigs"
import type { Classifier } from "@leadloom/core/internal/port/provider/Classifier"
import type { Crm } from "@leadloom/core/internal/port/provider/Crm"
import type { CrmProofs } from "@leadloom/core/internal/port/provider/CrmProofs"
import type { Egress } from "@leadloom/core/internal/port/system/Egress"
import type { EmailTransport } from "@leadloom/core/internal/port/provider/EmailTransport"
import type { FileScanner } from "@leadloom/core/internal/port/provider/FileScanner"
import type { HumanCheck } from "@leadloom/core/internal/port/provider/HumanCheck"
import type { HostedMail } from "@leadloom/core/internal/port/provider/HostedMail"
import type { MailHosts } from "@leadloom/core/internal/domain/mailbox/MailHostPolicy"
import type { MailComposer } from "@leadloom/core/internal/port/provider/MailComposer"
import type { OAuthProviders } from "@leadloom/core/internal/port/provider/OAuthProviders"
import type { Mailboxes } from "@leadloom/core/internal/port/provider/Mailboxes"
import type { HtmlRenderer, MailParser } from "@leadloom/core/internal/port/provider/MailParser"
import type { IdTokens } from "@leadloom/core/internal/port/provider/IdTokens"
import type { Ids, Randomness } from "@leadloom/core/internal/port/system/Ids"
import type { Objects } from "@leadloom/core/internal/port/system/Objects"
import type { Payments } from "@leadloom/core/internal/port/provider/Payments"
import type { ReplyTemplates } from "@leadloom/core/internal/port/provider/ReplyTemplates"
import type { ReplyWriter } from "@leadloom/core/internal/port/provider/ReplyWriter"
import type { SmsProvider } from "@leadloom/core/internal/port/provider/SmsProvider"
import type { Vault } from "@leadloom/core/internal/port/system/Vault"
import type { VoiceProvider } from "@leadloom/core/internal/port/provider/VoiceProvider"
import type { DeliveryPolicy } from "@leadloom/core/internal/domain/webhook/Schedule"
import type { Store } from "@leadloom/store/internal/Store"
import { Context, Effect, Layer, Scope } from "effect"
import { HttpRouter } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import * as Actions from "./handler/workspace/Actions.ts"
import * as ApiKeys from "./handler/admin/ApiKeys.ts"
import * as Assistant from "./handler/admin/Assistant.ts"
import * as AssistantTools from "./webhook/AssistantTools.ts"
import * as Attachments from "./handler/inbox/Attachments.ts"
import * as Audit from "./handler/admin/Audit.ts"
import * as Authorization from "./middleware/Authorization.ts"
import * as Batches from "./handler/workspace/Batches.ts"
import type { TrustedProxies } from "./middleware/ClientAddress.ts"
import * as Billing from "./handler/admin/Billing.ts"
import * as Calls from "./handler/inbox/Calls.ts"
import * as CallWebhooks from "./webhook/CallWebhooks.ts"
import * as CannedReplies from "./handler/inbox/CannedReplies.ts"
import * as Config from "./handler/admin/Config.ts"
import * as Rules from "./handler/admin/Rules.ts"
import * as ContactConsent from "./handler/contact/ContactConsent.ts"
import * as ContactIdentities from "./handler/contact/ContactIdentities.ts"
import * as Fields from "./handler/contact/Fields.ts"
import * as Companies from "./handler/contact/Companies.ts"
import * as Segments from "./handler/contact/Segments.ts"
import * as ContactImports from "./handler/contact/ContactImports.ts"
import * as ContactMerges from "./handler/contact/ContactMerges.ts"
import * as ContactViews from "./handler/contact/ContactViews.ts"
import * as Contacts from "./handler/contact/Contacts.ts"
import * as Console from "./console/Console.ts"
import * as Conversations from "./handler/inbox/Conversations.ts"
import * as Agencies from "./handler/admin/Agencies.ts"
import * as CrmGroup from "./handler/admin/Crm.ts"
import * as CrmWebhooks from "./webhook/CrmWebhooks.ts"
import * as CrmActions from "./handler/workspace/CrmActions.ts"
import * as DataRights from "./handler/admin/DataRights.ts"
import * as Deployment from "./handler/admin/Deployment.ts"
import type { ProviderStates } from "../deployment/ProviderStates.ts"
import type { DoctorProcess } from "../doctor/DoctorProcess.ts"
import * as Docs from "./Docs.ts"
import * as TrackedLinks from "./TrackedLinks.ts"
import * as Unsubscribe from "./Unsubscribe.ts"
import * as Drafts from "./handler/inbox/Drafts.ts"
import * as Email from "./handler/inbox/Email.ts"
import * as EndpointFaults from "./middleware/EndpointFaults.ts"
import * as Envelope from "./middleware/Envelope.ts"
import * as EventFeed from "./handler/workspace/EventFeed.ts"
import * as Events from "./handler/workspace/Events.ts"
import * as Gates from "./middleware/Gates.ts"
import * as Guardrails from "./handler/admin/Guardrails.ts"
import type { EventStreams } from "./stream/EventStreams.ts"
import * as Import from "./handler/admin/Import.ts"
import * as Backtest from "./handler/admin/Backtest.ts"
import * as LeakedKeys from "./handler/admin/LeakedKeys.ts"
import * as Leads from "./handler/workspace/Leads.ts"
import type { Limits } from "./middleware/Limits.ts"
import * as Locations from "./handler/admin/Locations.ts"
import * as Mcp from "./mcp/Mcp.ts"
import * as Macros from "./handler/inbox/Macros.ts"
import * as Messages from "./handler/inbox/Messages.ts"
import * as Threads from "./handler/inbox/Threads.ts"
import * as OutsideRoutes from "./OutsideRoutes.ts"
import * as Notes from "./handler/inbox/Notes.ts"
import * as PhoneNumbers from "./handler/admin/PhoneNumbers.ts"
import { presentServices } from "./middleware/PresentServices.ts"
import * as Pipeline from "./handler/workspace/Pipeline.ts"
import type { ProviderSecrets } from "./middleware/ProviderSecrets.ts"
import * as ProviderWebhooks from "./webhook/ProviderWebhooks.ts"
import * as Sequences from "./handler/workspace/Sequences.ts"
import * as Simulations from "./handler/admin/Simulations.ts"
import * as SalesPipelines from "./handler/workspace/SalesPipelines.ts"
import * as PublicLeads from "./handler/workspace/PublicLeads.ts"
import * as Scheduled from "./handler/inbox/Scheduled.ts"
import * as Uploads from "./handler/inbox/Uploads.ts"
import * as Reports from "./handler/workspace/Reports.ts"
import * as RemoteImages from "./handler/inbox/RemoteImages.ts"
import * as Search from "./handler/inbox/Search.ts"
import * as SessionAuthorization from "./middleware/SessionAuthorization.ts"
import * as ConsoleSessions from "./handler/admin/ConsoleSessions.ts"
import * as Credential from "./handler/workspace/Credential.ts"
import * as Sessions from "./handler/workspace/Sessions.ts"
import * as SmsFilters from "./handler/admin/SmsFilters.ts"
import * as SourceAuthorization from "./handler/workspace/SourceAuthorization.ts"
import * as Sources from "./handler/admin/Sources.ts"
import * as System from "./System.ts"
import * as Views from "./handler/inbox/Views.ts"
import * as Inbox from "./handler/inbox/Inbox.ts"
import * as Tasks from "./handler/workspace/Tasks.ts"
import * as Teams from "./handler/workspace/Teams.ts"
import * as Tenants from "./handler/admin/Tenants.ts"
import * as Usage from "./handler/admin/Usage.ts"
import * as Users from "./handler/workspace/Users.ts"
import * as WorkflowAuthorization from "./middleware/WorkflowAuthorization.ts"
import * as Validation from "./validation/Validation.ts"
import * as Webhooks from "./handler/admin/Webhooks.ts"

/** The services that the workflows behind the routes require. */
export type Services =
  | Store
  | Secrets
  | Limits
  | TrustedProxies
  | Ids
  | IdTokens
  | Randomness
  | MailParser
  | Objects
  | FileScanner
  | Classifier
  | ReplyTemplates
  | ReplyWriter
  | Vault
  | SmsProvider
  | VoiceProvider
  | CompiledConfigs
  | HtmlRenderer
  | EmailTransport
  | HostedMail
  | Mailboxes
  | OAuthProviders
  | MailHosts
  | MailComposer
  | HumanCheck
  | Payments
  | Crm
  | ProviderSecrets
  | Egress
  | CrmProofs
  | DeliveryPolicy
  | EventStreams
  | DoctorProcess
  | ProviderStates

const groups = Layer.mergeAll(
  Actions.layer,
  ApiKeys.layer,
  Assistant.layer,
  Attachments.layer,
  Audit.layer,
  Batches.layer,
  Billing.layer,
  Calls.layer,
  CannedReplies.layer,
  Companies.layer,
  Config.layer,
  Rules.layer,
  ContactConsent.layer,
  ContactIdentities.layer,
  ContactImports.layer,
  ContactMerges.layer,
  ContactViews.layer,
  Contacts.layer,
  Conversations.layer,
  CrmGroup.layer,
  Agencies.layer,
  CrmActions.layer,
  DataRights.layer,
  Deployment.layer,
  Drafts.layer,
  Email.layer,
  EventFeed.layer,
  Events.layer,
  Fields.layer,
  Guardrails.layer,
  Import.layer,
  Macros.layer,
  Messages.layer,
  Threads.layer,
  Notes.layer,
  RemoteImages.layer,
  RemoteImages.proxyLayer,
  Backtest.layer,
  Simulations.layer,
  LeakedKeys.layer,
  Leads.layer,
  Locations.layer,
  PhoneNumbers.layer,
  Pipeline.layer,
  PublicLeads.layer,
  SalesPipelines.layer,
  Scheduled.layer,
  Sequences.layer,
  Sequences.enrolmentsLayer,
  Reports.layer,
  Search.layer,
  Segments.layer,
  Uploads.layer,
  Sessions.layer,
  Credential.layer,
  ConsoleSessions.layer,
  SmsFilters.layer,
  Sources.layer,
  System.layer,
  Inbox.layer,
  Views.layer,
  Tasks.layer,
  Teams.layer,
  Tenants.layer,
  Usage.layer,
  Users.layer,
  Webhooks.layer
)

const watchers = Layer.mergeAll(
  Authorization.layer,
  SourceAuthorization.layer,
  SessionAuthorization.layer,
  WorkflowAuthorization.layer,
  Validation.layer
)

const present = HttpRouter.middleware<{ provides: Services }>()(
  Effect.map(presentServices<Services>(), (provided) => (route) => provided(route))
)

const contract = HttpApiBuilder.layer(Api).pipe(
  Layer.provide(groups),
  Layer.provide(watchers),
  Layer.provide(present.layer)
)

/**
 * The services for routes outside the contract. The scope is left out, so that the resources of a request close with
 * the request. Routes of the contract receive the services from their group.
 */
const around = Layer.effectContext(Effect.map(Effect.context<Services>(), Context.omit(Scope.Scope)))

const outside = Layer.mergeAll(
  PublicLeads.preflights,
  Docs.layer,
  Unsubscribe.layer,
  TrackedLinks.layer,
  ProviderWebhooks.layer,
  CrmWebhooks.layer,
  AssistantTools.layer,
  CallWebhooks.layer,
  Mcp.layer,
  Console.layer
).pipe(HttpRouter.provideRequest(around))

/** All routes of the server. */
export const layer = Layer.mergeAll(
  contract,
  outside,
  Envelope.layer,
  Gates.layer,
  EndpointFaults.layer,
  OutsideRoutes.layer
)
