import { HttpApi, OpenApi } from "effect/http-api"
import { AgenciesGroup } from "./Agencies.ts"
import { ApiKeysGroup } from "./ApiKeys.ts"
import { AssistantGroup } from "./Assistant.ts"
import { AuditGroup } from "./Audit.ts"
import { BatchesGroup } from "./Batches.ts"
import { BillingGroup } from "./Billing.ts"
import { CallsGroup } from "./Calls.ts"
import { ConfigGroup } from "./Config.ts"
import { ContactMergesGroup } from "./ContactMerges.ts"
import { ContactsGroup } from "./Contacts.ts"
import { ContactViewsGroup } from "./ContactViews.ts"
import { ConversationsGroup } from "./Conversations.ts"
import { CrmActionsGroup } from "./CrmActions.ts"
import { DataRightsGroup } from "./DataRights.ts"
import { EmailGroup } from "./Email.ts"
import { EventFeedGroup } from "./EventFeed.ts"
import { EventsGroup } from "./Events.ts"
import { GuardrailsGroup } from "./Guardrails.ts"
import { ImportGroup } from "./Import.ts"
import { LeakedKeysGroup } from "./LeakedKeys.ts"
import { AttachmentsGroup, MessagesGroup } from "./Messages.ts"
import { CrmGroup } from "./Crm.ts"
import { LocationsGroup } from "./Locations.ts"
import { BacktestGroup } from "./Backtest.ts"
import { PublicLeadsGroup } from "./PublicLeads.ts"
import { LeadsGroup } from "./Leads.ts"
import { ActionsGroup, PipelineGroup } from "./Pipeline.ts"
import { SearchGroup } from "./Search.ts"
import { SessionsGroup } from "./Sessions.ts"
import { PhoneNumbersGroup, SmsFiltersGroup } from "./Sms.ts"
import { SystemGroup } from "./System.ts"
import { SourcesGroup, TenantsGroup } from "./Tenants.ts"
import { TasksGroup } from "./Tasks.ts"
import { UsageGroup } from "./Usage.ts"
import { WebhooksGroup } from "./Webhooks.ts"
import { documentBodies, documentParameters, documentWebhooks } from "./Document.ts"
import { documentOutside } from "./DocumentOutside.ts"
import { documentMedia, documentTransport } from "./DocumentTransport.ts"

/** Version of the contract and of every package. */
export const version = "0.1.0"

/** The contract: what the server implements and the client is generated from. */
export const Api = HttpApi.make("leadloom")
  .add(SystemGroup)
  .add(TenantsGroup)
  .add(SourcesGroup)
  .add(SessionsGroup)
  .add(ApiKeysGroup)
  .add(ConfigGroup)
  .add(GuardrailsGroup)
  .add(EventsGroup)
  .add(PipelineGroup)
  .add(BatchesGroup)
  .add(ActionsGroup)
  .add(UsageGroup)
  .add(BillingGroup)
  .add(ContactsGroup)
  .add(ContactViewsGroup)
  .add(ContactMergesGroup)
  .add(ConversationsGroup)
  .add(MessagesGroup)
  .add(AttachmentsGroup)
  .add(BacktestGroup)
  .add(LeadsGroup)
  .add(TasksGroup)
  .add(SearchGroup)
  .add(EmailGroup)
  .add(ImportGroup)
  .add(DataRightsGroup)
  .add(WebhooksGroup)
  .add(EventFeedGroup)
  .add(AuditGroup)
  .add(LeakedKeysGroup)
  .add(PublicLeadsGroup)
  .add(LocationsGroup)
  .add(CrmGroup)
  .add(AgenciesGroup)
  .add(SmsFiltersGroup)
  .add(PhoneNumbersGroup)
  .add(AssistantGroup)
  .add(CallsGroup)
  .add(CrmActionsGroup)
  .annotate(HttpApi.ParseOptions, { errors: "all" })
  // Decoding what a caller sends stops at the first issue; the server looks for further ones where that costs little.
  .annotate(HttpApi.PayloadParseOptions, { errors: "first", onExcessProperty: "error" })
  .annotate(HttpApi.QueryParseOptions, { errors: "first", onExcessProperty: "error" })
  .annotate(OpenApi.Transform, (spec) =>
    documentWebhooks(documentOutside(documentTransport(documentMedia(documentBodies(documentParameters(spec))))))
  )
  .annotateMerge(
    OpenApi.annotations({
      title: "Leadloom",
      version,
      description: "Turns every inbound message into a well-handled lead.",
      servers: [{ url: "/" }]
    })
  )
