// The HTTP contract: endpoints, wire schemas, wire errors and the OpenAPI document. The server implements the contract,
// so handlers, authorisation and storage do not belong here. Tests: `packages/api/test`, `packages/server/test/http`.
import { HttpApi, OpenApi } from "effect/http-api"
import { AgenciesGroup } from "./admin/Agencies.ts"
import { ApiKeysGroup } from "./admin/ApiKeys.ts"
import { AssistantGroup } from "./admin/Assistant.ts"
import { AuditGroup } from "./admin/Audit.ts"
import { BatchesGroup } from "./workspace/Batches.ts"
import { BillingGroup } from "./admin/Billing.ts"
import { CallsGroup } from "./inbox/Calls.ts"
import { ConfigGroup } from "./admin/Config.ts"
import { RulesGroup } from "./admin/Rules.ts"
import { ContactConsentGroup } from "./contact/ContactConsent.ts"
import { ContactIdentitiesGroup } from "./contact/ContactIdentities.ts"
import { CompaniesGroup } from "./contact/Companies.ts"
import { SimulationsGroup } from "./admin/Simulations.ts"
import { EnrolmentsGroup, SequencesGroup } from "./workspace/Sequences.ts"
import { SegmentsGroup } from "./contact/Segments.ts"
import { ContactImportsGroup } from "./contact/ContactImports.ts"
import { FieldsGroup } from "./contact/Fields.ts"
import { ContactMergesGroup } from "./contact/ContactMerges.ts"
import { ContactsGroup } from "./contact/Contacts.ts"
import { ContactViewsGroup } from "./contact/ContactViews.ts"
import { CannedRepliesGroup } from "./inbox/CannedReplies.ts"
import { ConversationsGroup } from "./inbox/Conversations.ts"
import { DraftsGroup } from "./inbox/Drafts.ts"
import { ScheduledGroup } from "./inbox/Scheduled.ts"
import { UploadsGroup } from "./inbox/Uploads.ts"
import { CrmActionsGroup } from "./workspace/CrmActions.ts"
import { DataRightsGroup } from "./admin/DataRights.ts"
import { DeploymentGroup } from "./admin/Deployment.ts"
import { EmailGroup } from "./inbox/Email.ts"
import { EventFeedGroup } from "./workspace/EventFeed.ts"
import { EventsGroup } from "./workspace/Events.ts"
import { GuardrailsGroup } from "./admin/Guardrails.ts"
import { ImportGroup } from "./admin/Import.ts"
import { LeakedKeysGroup } from "./admin/LeakedKeys.ts"
import { MacrosGroup } from "./inbox/Macros.ts"
import { AttachmentsGroup, MessagesGroup } from "./inbox/Messages.ts"
import { ThreadsGroup } from "./inbox/Threads.ts"
import { ImageProxyGroup, RemoteImagesGroup } from "./inbox/RemoteImages.ts"
import { NotesGroup } from "./inbox/Notes.ts"
import { CrmGroup } from "./admin/Crm.ts"
import { ConsoleSessionsGroup } from "./admin/ConsoleSessions.ts"
import { CredentialGroup } from "./workspace/Credential.ts"
import { LocationsGroup } from "./admin/Locations.ts"
import { BacktestGroup } from "./admin/Backtest.ts"
import { PublicLeadsGroup } from "./workspace/PublicLeads.ts"
import { LeadsGroup } from "./workspace/Leads.ts"
import { ActionsGroup, PipelineGroup } from "./workspace/Pipeline.ts"
import { ReportsGroup } from "./workspace/Reports.ts"
import { SalesPipelinesGroup } from "./workspace/SalesPipelines.ts"
import { SearchGroup } from "./inbox/Search.ts"
import { SessionsGroup } from "./workspace/Sessions.ts"
import { PhoneNumbersGroup, SmsFiltersGroup } from "./admin/Sms.ts"
import { SystemGroup } from "./admin/System.ts"
import { SourcesGroup, TenantsGroup } from "./admin/Tenants.ts"
import { InboxGroup } from "./inbox/Inbox.ts"
import { ViewsGroup } from "./inbox/Views.ts"
import { TasksGroup } from "./workspace/Tasks.ts"
import { TeamsGroup } from "./workspace/Teams.ts"
import { UsageGroup } from "./admin/Usage.ts"
import { UsersGroup } from "./workspace/Users.ts"
import { WebhooksGroup } from "./admin/Webhooks.ts"
import { documentBodies, documentSecurity, documentWebhooks } from "./Document.ts"
import { documentParameters } from "./DocumentParameters.ts"
import { documentRawRoutes } from "./DocumentRawRoutes.ts"
import { documentSchemas, documentTexts } from "./DocumentTexts.ts"
import { documentMedia, documentTransport } from "./DocumentTransport.ts"

/** The version of the contract and of every package. */
export const version = "0.1.0"

const contract = HttpApi.make("leadloom")
  .add(SystemGroup)
  .add(TenantsGroup)
  .add(SourcesGroup)
  .add(SessionsGroup)
  .add(CredentialGroup)
  .add(ConsoleSessionsGroup)
  .add(ApiKeysGroup)
  .add(ConfigGroup)
  .add(RulesGroup)
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
  .add(ContactIdentitiesGroup)
  .add(ContactConsentGroup)
  .add(FieldsGroup)
  .add(CompaniesGroup)
  .add(SegmentsGroup)
  .add(ContactImportsGroup)
  .add(ConversationsGroup)
  .add(NotesGroup)
  .add(CannedRepliesGroup)
  .add(MacrosGroup)
  .add(SequencesGroup)
  .add(EnrolmentsGroup)
  .add(MessagesGroup)
  .add(ThreadsGroup)
  .add(AttachmentsGroup)
  .add(UploadsGroup)
  .add(ScheduledGroup)
  .add(DraftsGroup)
  .add(RemoteImagesGroup)
  .add(ImageProxyGroup)
  .add(BacktestGroup)
  .add(SimulationsGroup)
  .add(LeadsGroup)
  .add(SalesPipelinesGroup)
  .add(InboxGroup)
  .add(ViewsGroup)
  .add(TasksGroup)
  .add(UsersGroup)
  .add(ReportsGroup)
  .add(TeamsGroup)
  .add(SearchGroup)
  .add(EmailGroup)
  .add(ImportGroup)
  .add(DataRightsGroup)
  .add(WebhooksGroup)
  .add(EventFeedGroup)
  .add(AuditGroup)
  .add(LeakedKeysGroup)
  .add(DeploymentGroup)
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
  // Decoding stops at the first issue, which limits the work for a hostile request. A small request is then decoded
  // again to find all issues (`server/http/validation`). Only schemas that stop at the first issue are compiled.
  .annotate(HttpApi.SuccessParseOptions, { errors: "first" })
  .annotate(HttpApi.ErrorParseOptions, { errors: "first" })
  .annotate(HttpApi.PayloadParseOptions, { errors: "first", onExcessProperty: "error" })
  .annotate(HttpApi.QueryParseOptions, { errors: "first", onExcessProperty: "error" })
  .annotateMerge(
    OpenApi.annotations({
      title: "Leadloom",
      version,
      description: [
        "Leadloom turns every inbound message into a well-handled lead.",
        "Authentication: `Authorization: Bearer <credential>`. The credential is an API key of a tenant, an ID token of the identity provider, a session token, or the operator admin key. Each operation names its callers.",
        "Times are ISO 8601 in UTC with milliseconds, unless a field states epoch milliseconds. Ids are opaque. Lists return `next_cursor`, which continues the list as `cursor`.",
        "Failures have the envelope `{error: {code, message, details?}}`; branch on `code`. Every response carries `X-Request-Id`. Rate-limited responses carry `Retry-After` in seconds.",
        "A POST with an `Idempotency-Key` can be repeated for 24 hours without a second effect."
      ].join("\n\n"),
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
      servers: [{ url: "/", description: "The server that serves this document" }]
    })
  )

/** The steps that complete the generated document. */
const steps = [
  documentParameters(contract),
  documentBodies,
  documentMedia,
  documentTransport,
  documentTexts(contract),
  documentRawRoutes,
  documentWebhooks,
  documentSecurity,
  documentSchemas
]

/** The contract. The server implements it, and the client is generated from it. */
export const Api = contract.annotate(OpenApi.Transform, (spec) =>
  steps.reduce((document, step) => step(document), spec)
)
