import { Api } from "@leadloom/api/Api"
import type { Secrets } from "@leadloom/core/access/Secrets"
import type { CompiledConfigs } from "@leadloom/core/pipeline/rule/CompiledConfigs"
import type { Classifier } from "@leadloom/core/port/Classifier"
import type { Crm } from "@leadloom/core/port/Crm"
import type { CrmProofs } from "@leadloom/core/port/CrmProofs"
import type { Egress } from "@leadloom/core/port/Egress"
import type { EmailTransport } from "@leadloom/core/port/EmailTransport"
import type { HumanCheck } from "@leadloom/core/port/HumanCheck"
import type { HostedMail } from "@leadloom/core/port/HostedMail"
import type { HtmlRenderer } from "@leadloom/core/port/HtmlRenderer"
import type { IdTokens } from "@leadloom/core/port/IdTokens"
import type { Ids } from "@leadloom/core/port/Ids"
import type { MailParser } from "@leadloom/core/port/MailParser"
import type { Objects } from "@leadloom/core/port/Objects"
import type { Payments } from "@leadloom/core/port/Payments"
import type { Randomness } from "@leadloom/core/port/Randomness"
import type { ReplyTemplates } from "@leadloom/core/port/ReplyTemplates"
import type { ReplyWriter } from "@leadloom/core/port/ReplyWriter"
import type { SmsProvider } from "@leadloom/core/port/SmsProvider"
import type { Vault } from "@leadloom/core/port/Vault"
import type { VoiceProvider } from "@leadloom/core/port/VoiceProvider"
import type { DeliveryPolicy } from "@leadloom/core/webhook/DeliveryPolicy"
import type { Store } from "@leadloom/store/Store"
import { Context, Effect, Layer, Scope } from "effect"
import { HttpRouter } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import * as Actions from "./Actions.ts"
import * as ApiKeys from "./ApiKeys.ts"
import * as Assistant from "./Assistant.ts"
import * as AssistantTools from "./AssistantTools.ts"
import * as Attachments from "./Attachments.ts"
import * as Audit from "./Audit.ts"
import * as Authorization from "./Authorization.ts"
import * as Batches from "./Batches.ts"
import type { TrustedProxies } from "./ClientAddress.ts"
import * as Billing from "./Billing.ts"
import * as Calls from "./Calls.ts"
import * as CallWebhooks from "./CallWebhooks.ts"
import * as Config from "./Config.ts"
import * as ContactMerges from "./ContactMerges.ts"
import * as ContactViews from "./ContactViews.ts"
import * as Contacts from "./Contacts.ts"
import * as Conversations from "./Conversations.ts"
import * as Agencies from "./Agencies.ts"
import * as CrmGroup from "./Crm.ts"
import * as CrmWebhooks from "./CrmWebhooks.ts"
import * as CrmActions from "./CrmActions.ts"
import * as DataRights from "./DataRights.ts"
import * as Docs from "./Docs.ts"
import * as Email from "./Email.ts"
import * as EndpointFaults from "./EndpointFaults.ts"
import * as Envelope from "./Envelope.ts"
import * as EventFeed from "./EventFeed.ts"
import * as Events from "./Events.ts"
import * as Gates from "./Gates.ts"
import * as Guardrails from "./Guardrails.ts"
import type { EventStreams } from "./EventStreams.ts"
import * as Import from "./Import.ts"
import * as Backtest from "./Backtest.ts"
import * as LeakedKeys from "./LeakedKeys.ts"
import * as Leads from "./Leads.ts"
import type { Limits } from "./Limits.ts"
import * as Locations from "./Locations.ts"
import * as Messages from "./Messages.ts"
import * as OutsideRoutes from "./OutsideRoutes.ts"
import * as PhoneNumbers from "./PhoneNumbers.ts"
import * as Pipeline from "./Pipeline.ts"
import type { ProviderSecrets } from "./ProviderSecrets.ts"
import * as ProviderWebhooks from "./ProviderWebhooks.ts"
import * as PublicLeads from "./PublicLeads.ts"
import * as Search from "./Search.ts"
import * as SessionAuthorization from "./SessionAuthorization.ts"
import * as Sessions from "./Sessions.ts"
import * as SmsFilters from "./SmsFilters.ts"
import * as SourceAuthorization from "./SourceAuthorization.ts"
import * as Sources from "./Sources.ts"
import * as System from "./System.ts"
import * as Tasks from "./Tasks.ts"
import * as Tenants from "./Tenants.ts"
import * as Usage from "./Usage.ts"
import * as WorkflowAuthorization from "./WorkflowAuthorization.ts"
import * as Validation from "./Validation.ts"
import * as Webhooks from "./Webhooks.ts"

/** Everything the workflows behind the routes need. */
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
  | HumanCheck
  | Payments
  | Crm
  | ProviderSecrets
  | Egress
  | CrmProofs
  | DeliveryPolicy
  | EventStreams

const groups = Layer.mergeAll(
  Actions.layer,
  ApiKeys.layer,
  Assistant.layer,
  Attachments.layer,
  Audit.layer,
  Batches.layer,
  Billing.layer,
  Calls.layer,
  Config.layer,
  ContactMerges.layer,
  ContactViews.layer,
  Contacts.layer,
  Conversations.layer,
  CrmGroup.layer,
  Agencies.layer,
  CrmActions.layer,
  DataRights.layer,
  Email.layer,
  EventFeed.layer,
  Events.layer,
  Guardrails.layer,
  Import.layer,
  Messages.layer,
  Backtest.layer,
  LeakedKeys.layer,
  Leads.layer,
  Locations.layer,
  PhoneNumbers.layer,
  Pipeline.layer,
  PublicLeads.layer,
  Search.layer,
  Sessions.layer,
  SmsFilters.layer,
  Sources.layer,
  System.layer,
  Tasks.layer,
  Tenants.layer,
  Usage.layer,
  Webhooks.layer
)

const watchers = Layer.mergeAll(
  Authorization.layer,
  SourceAuthorization.layer,
  SessionAuthorization.layer,
  WorkflowAuthorization.layer,
  Validation.layer
)

const contract = HttpApiBuilder.layer(Api).pipe(Layer.provide(groups), Layer.provide(watchers))

/**
 * Hands the services around the routes on to every request, built once and not once more for the requests. The scope
 * stays behind: what a request opens has to be closed with the request.
 */
const around = Layer.effectContext(Effect.map(Effect.context<Services>(), Context.omit(Scope.Scope)))

/** Every route of the server. */
export const layer = Layer.mergeAll(
  contract,
  PublicLeads.preflights,
  Docs.layer,
  ProviderWebhooks.layer,
  CrmWebhooks.layer,
  AssistantTools.layer,
  CallWebhooks.layer,
  Envelope.layer,
  Gates.layer,
  EndpointFaults.layer,
  OutsideRoutes.layer
).pipe(HttpRouter.provideRequest(around))
