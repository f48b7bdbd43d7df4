import { maxFolderNameLength } from "@leadloom/core/internal/domain/mailbox/Folder"
import { maxFlaggedMails, maxSearchedFolders } from "@leadloom/core/internal/domain/mailbox/MailboxJob"
import {
  addressLoginRate,
  discoveryRate,
  maxHostLength,
  maxPasswordLength,
  maxUsernameLength,
  tenantLoginRate
} from "@leadloom/core/internal/domain/mailbox/MailboxLimits"
import { maxAccountsPerTenant } from "@leadloom/core/internal/domain/email/Accounts"
import { maxSinceDays } from "@leadloom/core/internal/domain/mailbox/MailboxAccount"
import { maxFolders, maxMailboxMailBytes, maxMailsPerLook } from "@leadloom/core/internal/domain/mailbox/MailboxSync"
import { maxBodyDepth } from "@leadloom/api/internal/BodyLimits"
import { maxIssues, maxMessageLength } from "@leadloom/api/internal/Echo"
import { maxMailsPerImport } from "@leadloom/api/internal/admin/Import"
import { maxEntriesPerAppend, maxEntriesPerImport } from "@leadloom/api/internal/schema/LeadEntries"
import { maxExcerptLength } from "@leadloom/api/internal/schema/Runs"
import { maxTokenLength } from "@leadloom/connectors/internal/oidc/OidcConfig"
import { defaultLimits as smtp } from "@leadloom/connectors/internal/smtp/SmtpLimits"
import { maxTemplateLength } from "@leadloom/connectors/internal/templates/MeteredEngine"
import { keyMillis, maxKeyLength } from "@leadloom/core/internal/domain/access/IdempotencyRecord"
import { sessionLifetimeMillis } from "@leadloom/core/internal/domain/access/SessionToken"
import { maxActiveKeysPerTenant, rotationGraceHours } from "@leadloom/core/internal/domain/access/StoredKey"
import { maxCallbackDays } from "@leadloom/core/internal/domain/assistant/CallbackTime"
import { planCaps } from "@leadloom/core/internal/domain/billing/Plan"
import { runLimits } from "@leadloom/core/internal/domain/budget/Budget"
import { maxTranscriptLength } from "@leadloom/core/internal/domain/call/CallWords"
import { maxSignalAttempts } from "@leadloom/core/internal/domain/classification/Signal"
import { maxRepliesPerCorrespondent, maxRepliesPerThread } from "@leadloom/core/internal/domain/consent/MaySend"
import { maxBlockedNumbers, maxConsentHistory, maxConsentProof } from "@leadloom/core/internal/domain/consent/OptOut"
import { maxCompanyName } from "@leadloom/core/internal/domain/company/Company"
import { maxTags } from "@leadloom/core/internal/domain/contact/Contact"
import { maxTagFilters } from "@leadloom/core/internal/domain/conversation/ConversationQuery"
import { maxConversationTagLength, maxConversationTags } from "@leadloom/core/internal/domain/conversation/InboxState"
import { maxViews } from "@leadloom/core/internal/domain/conversation/View"
import {
  maxOutgoingTextLength,
  maxTextAttachmentBytes,
  maxTextAttachments
} from "@leadloom/core/internal/domain/conversation/OutgoingText"
import { maxFilterValues } from "@leadloom/core/internal/domain/contact/ContactFilter"
import { maxIdentitiesPerContact, maxIdentityLabel } from "@leadloom/core/internal/domain/contact/ContactIdentity"
import {
  maxFieldOptionLength,
  maxFieldOptions,
  maxFieldsPerEntity
} from "@leadloom/core/internal/domain/field/CustomField"
import { maxFieldText } from "@leadloom/core/internal/domain/field/FieldValues"
import { maxImportBytes, maxImportErrors, maxImportRows } from "@leadloom/core/internal/domain/import/ContactImport"
import { maxColumns } from "@leadloom/core/internal/domain/import/ReadCsv"
import { maxSegments } from "@leadloom/core/internal/domain/segment/Segment"
import { maxMediaBytes, maxMediaItems } from "@leadloom/core/internal/domain/conversation/TextJob"
import { maxCorrectedMessages, maxJoinedThreads } from "@leadloom/core/internal/domain/email/thread/ThreadCorrection"
import { maxLeadTags } from "@leadloom/core/internal/domain/lead/Deal"
import { maxSalesPipelines, maxStages } from "@leadloom/core/internal/domain/lead/SalesPipeline"
import { maxAliases } from "@leadloom/core/internal/domain/email/Alias"
import { linkLifetimeMillis } from "@leadloom/core/internal/domain/email/AttachmentLink"
import { maxHeaderFields, maxHeaderValueLength, maxMailboxes } from "@leadloom/core/internal/domain/email/MailHeaders"
import { maxAttachmentBytes } from "@leadloom/core/internal/domain/email/MailSource"
import { maxFollowedReferences, maxMessageIdLength } from "@leadloom/core/internal/domain/email/MessageId"
import { maxAgentDrafts } from "@leadloom/core/internal/domain/draft/AgentDraft"
import { ticketMillis } from "@leadloom/core/internal/domain/access/StreamTicket"
import {
  maxPresencesPerTenant,
  maxPresencesPerUser,
  presenceMillis
} from "@leadloom/core/internal/domain/conversation/Presence"
import { maxFileBytesInFlight } from "@leadloom/core/internal/workflow/sending/FileRoom"
import { maxAttachments, maxReplyToAddresses } from "@leadloom/core/internal/domain/sending/Composition"
import { maxScheduledSends, maxScheduleMillis, maxUndoSeconds } from "@leadloom/core/internal/domain/sending/SendTime"
import { maxFilenameLength, maxUploadBytes } from "@leadloom/core/internal/domain/upload/Upload"
import { maxRecipients, maxReferences } from "@leadloom/core/internal/domain/email/OutgoingMail"
import { maxGuardrails } from "@leadloom/core/internal/domain/guardrail/Guardrail"
import { maxJobAttempts } from "@leadloom/core/internal/domain/job/Job"
import { maxNoteLength, maxMentions, maxTeamMentions } from "@leadloom/core/internal/domain/note/Note"
import { sequenceLimits } from "./SequenceLimits.ts"
import { maxCannedReplies, maxCannedReplyLength } from "@leadloom/core/internal/domain/reply/CannedReply"
import { maxMacros } from "@leadloom/core/internal/domain/rule/Macro"
import { maxDaysAhead, maxInterval } from "@leadloom/core/internal/domain/task/Recurrence"
import { maxCommentLength } from "@leadloom/core/internal/domain/task/TaskComment"
import { maxTaskDescriptionLength } from "@leadloom/core/internal/domain/task/Task"
import {
  maxImageRedirects,
  maxRemoteImageBytes,
  maxRemoteImages,
  maxRemoteImagesInFlight
} from "@leadloom/core/internal/domain/email/RemoteImage"
import { maxArchiveFileBytes } from "@leadloom/core/internal/domain/privacy/Archive"
import {
  maxConditionDepth,
  maxConditionNodes,
  maxListLength,
  maxValueLength
} from "@leadloom/core/internal/domain/rule/Condition"
import { maxSearchedLength } from "@leadloom/core/internal/domain/search/Token"
import { sendRetryWindowMillis } from "@leadloom/core/internal/domain/sending/Reservation"
import { maxSendsPerHour } from "@leadloom/core/internal/domain/sending/SendLimit"
import { maxReportDays } from "@leadloom/core/internal/workflow/report/ReadReport"
import { maxWorkingPeriods } from "@leadloom/core/internal/domain/time/WorkingHours"
import { maxTeamMembers, maxTeams } from "@leadloom/core/internal/domain/user/Team"
import { maxSignatureLength } from "@leadloom/core/internal/domain/user/User"
import { maxBatchItems } from "@leadloom/core/internal/domain/tenant/Batch"
import {
  maxActions,
  maxComparisons,
  maxPatterns,
  maxPhrases,
  maxTemplateCharacters
} from "@leadloom/core/internal/domain/tenant/ConfigLimits"
import {
  maxSessionOrigins,
  maxTrustedArcSealers,
  maxTrustedMailServers
} from "@leadloom/core/internal/domain/tenant/TenantConfig"
import { maxOriginLength } from "@leadloom/core/internal/domain/tenant/WebOrigin"
import { maxDifferences } from "@leadloom/core/internal/domain/tenant/ConfigDifferences"
import { maxStoredAttempts, maxStoredResponseBytes } from "@leadloom/core/internal/domain/webhook/Delivery"
import { maxEgressUrlLength } from "@leadloom/core/internal/domain/webhook/EgressUrl"
import { maxConsecutiveFailures, retryWaits } from "@leadloom/core/internal/domain/webhook/Schedule"
import { maxInFlightDeliveries, maxSubscriptionsPerTenant } from "@leadloom/core/internal/domain/webhook/Subscription"
import { maxRecordingBytes } from "@leadloom/core/internal/port/provider/VoiceProvider"
import { maxLeakedKeys } from "@leadloom/core/internal/workflow/access/LeakedKeys"
import { maxExamined } from "@leadloom/core/internal/workflow/conversation/ListConversations"
import { maxTextMatches } from "@leadloom/core/internal/workflow/conversation/SearchConversations"
import { maxBulk } from "@leadloom/core/internal/workflow/conversation/UpdateConversations"
import { maxHistoryMessages } from "@leadloom/core/internal/workflow/conversation/ReadConversation"
import { maxConversationMessages } from "@leadloom/core/internal/workflow/pipeline/GatherRun"
import { maxActionText } from "@leadloom/core/internal/workflow/action/RenderActions"
import { maxBacktestRuns } from "@leadloom/core/internal/workflow/pipeline/RunBacktest"
import { maxReplyLength } from "@leadloom/core/internal/workflow/reply/Prompt"
import { ruleLimits } from "./RuleLimits.ts"
import { minOwnSecretLength } from "../src/config/Variables.ts"
import { minBodyRate } from "../src/http/BodyRate.ts"
import type { VariableName } from "../src/config/VariableCatalog.ts"

/** The units of limits. Bytes and milliseconds are shown in a larger unit where it is exact. */
export type LimitUnit =
  | "bytes"
  | "milliseconds"
  | "seconds"
  | "hours"
  | "characters"
  | "per minute"
  | "per hour"
  | "per 24 hours"
  | "per month"
  | "steps"
  | "levels"
  | ""

/** A limit. `value` is null if the variable determines it alone. */
export interface Limit {
  readonly what: string
  readonly value: number | null
  readonly unit: LimitUnit
  /** The variable that changes the limit. */
  readonly variable?: VariableName
}

const limit = (what: string, value: number, unit: LimitUnit = ""): Limit => ({ what, value, unit })

const setting = (what: string, variable: VariableName, unit: LimitUnit): Limit => ({
  what,
  value: null,
  unit,
  variable
})

const capLimits = Object.entries(planCaps).flatMap(([plan, caps]) => [
  limit(`actions in the plan \`${plan}\``, caps.actions, "per month"),
  limit(`model calls in the plan \`${plan}\``, caps.ai_calls, "per month")
])

/** All limits by subject, for `docs/reference/limits.md`. */
export const limitGroups: ReadonlyArray<readonly [title: string, limits: ReadonlyArray<Limit>]> = [
  [
    "Requests",
    [
      setting("requests of one credential", "LEADLOOM_LIMIT_ADMIN", "per minute"),
      setting("pipeline requests of one tenant", "LEADLOOM_LIMIT_WEBHOOK", "per minute"),
      setting("CRM workflow actions of one location", "LEADLOOM_LIMIT_WORKFLOW", "per minute"),
      setting("form submissions of one client network", "LEADLOOM_LIMIT_PUBLIC", "per minute"),
      setting("invalid credentials of one client network", "LEADLOOM_LIMIT_BAD_CREDENTIALS", "per minute"),
      limit(`minimum data of a request body in ${minBodyRate.seconds} seconds`, minBodyRate.bytes, "bytes"),
      limit("nesting of a JSON body", maxBodyDepth, "levels"),
      limit("length of an `Idempotency-Key`", maxKeyLength, "characters"),
      limit("validity of an `Idempotency-Key`", keyMillis, "milliseconds"),
      limit("invalid fields in an error", maxIssues),
      limit("length of an error message", maxMessageLength, "characters"),
      limit("messages in a pipeline batch", maxBatchItems),
      limit("entries in an append to a lead", maxEntriesPerAppend),
      limit("entries in an import to a lead", maxEntriesPerImport),
      limit("mails in a mail import", maxMailsPerImport)
    ]
  ],
  [
    "Access",
    [
      limit("active API keys of a tenant", maxActiveKeysPerTenant),
      limit("teams of a tenant", maxTeams),
      limit("days in a report", maxReportDays),
      limit("members of a team", maxTeamMembers),
      limit("periods in the working hours of a user", maxWorkingPeriods),
      limit("characters of a user's signature", maxSignatureLength),
      limit("validity of the old API key after a rotation", rotationGraceHours, "hours"),
      limit("validity of a session token", sessionLifetimeMillis, "milliseconds"),
      limit("minimum length of a secret that the operator chooses", minOwnSecretLength, "characters"),
      limit("origins of web pages with session tokens", maxSessionOrigins),
      limit("length of an origin", maxOriginLength, "characters"),
      limit("length of an ID token", maxTokenLength, "characters"),
      limit("keys in a check for leaked keys", maxLeakedKeys)
    ]
  ],
  [
    "Email",
    [
      limit("emails that a tenant sends", maxSendsPerHour, "per hour"),
      limit("recipients of an email", maxRecipients),
      limit("addresses in Reply-To of an email", maxReplyToAddresses),
      limit("attachments of an email", maxAttachments),
      limit("presences of a tenant in conversations", maxPresencesPerTenant),
      limit("conversations in which a user is present", maxPresencesPerUser),
      limit("time after which a presence expires", presenceMillis, "milliseconds"),
      limit("validity of a stream ticket", ticketMillis, "milliseconds"),
      limit("size of an upload, and of all attachments of an email", maxUploadBytes, "bytes"),
      limit("attachments that a server process sends concurrently", maxFileBytesInFlight, "bytes"),
      limit("length of the name of an upload", maxFilenameLength, "characters"),
      limit("length of an undo window", maxUndoSeconds, "seconds"),
      limit("time until a scheduled message", maxScheduleMillis, "milliseconds"),
      limit("scheduled messages of a tenant that wait", maxScheduledSends),
      limit("drafts by people in a conversation", maxAgentDrafts),
      limit("aliases of an account", maxAliases),
      limit("time for which an unsent message is tried again", sendRetryWindowMillis, "milliseconds"),
      limit("automatic replies in a thread without a message of a person of the tenant", maxRepliesPerThread),
      limit("automatic replies to one correspondent", maxRepliesPerCorrespondent, "per 24 hours"),
      limit("size of an incoming mail", smtp.mailBytes, "bytes"),
      limit("size of the header of an incoming mail", smtp.headerBytes, "bytes"),
      limit("header fields that are read", maxHeaderFields),
      limit("length of a header field", maxHeaderValueLength, "characters"),
      limit("addresses that are read in one header field", maxMailboxes),
      limit("length of a Message-ID", maxMessageIdLength, "characters"),
      limit("references of an incoming mail that are followed", maxFollowedReferences),
      limit("references of an outgoing mail", maxReferences),
      limit("attachments that are stored for one mail", maxAttachmentBytes, "bytes"),
      limit("validity of a link to an attachment or a remote image", linkLifetimeMillis, "milliseconds"),
      limit("remote images of a mail", maxRemoteImages),
      limit("size of a remote image", maxRemoteImageBytes, "bytes"),
      limit("redirects of a remote image", maxImageRedirects),
      limit("remote images that a process requests concurrently", maxRemoteImagesInFlight),
      limit("folders of a mailbox that are read", maxFolders),
      limit("length of the name of a folder that is read", maxFolderNameLength, "characters"),
      limit("size of a mail in a mailbox; of a larger one, only the header is read", maxMailboxMailBytes, "bytes"),
      limit("mails of one folder before the other folders get their turn", maxMailsPerLook),
      limit("days that the first sync of a mailbox reaches back", maxSinceDays),
      limit("login attempts of a tenant at mail servers", tenantLoginRate.limit, "per hour"),
      limit("login attempts of a tenant for one address", addressLoginRate.limit, "per hour"),
      limit("searches of a tenant for mail servers", discoveryRate.limit, "per hour"),
      limit("length of the host name of a mail server", maxHostLength, "characters"),
      limit("length of the username of a mailbox", maxUsernameLength, "characters"),
      limit("length of the password of a mailbox", maxPasswordLength, "characters"),
      limit("mails that get the flag `\\Seen` when a conversation is read", maxFlaggedMails),
      limit("folders that are searched for a mail before it gets a flag", maxSearchedFolders),
      setting("connected email accounts of one tenant", "LEADLOOM_EMAIL_ACCOUNTS_PER_TENANT", ""),
      limit("highest number of connected email accounts of one tenant", maxAccountsPerTenant),
      setting("connected mailboxes of one server", "LEADLOOM_MAILBOX_CONNECTION_LIMIT", ""),
      setting("connections to the mail listener", "LEADLOOM_SMTP_CONNECTION_LIMIT", ""),
      setting("connections of one client network to the mail listener", "LEADLOOM_SMTP_CLIENT_CONNECTION_LIMIT", ""),
      setting("disk space for mails that are being received, in MiB", "LEADLOOM_SMTP_SPOOL_MIB", ""),
      setting("minimum data rate of an incoming mail, in bytes per second", "LEADLOOM_SMTP_MIN_DATA_RATE", ""),
      setting("incoming mails of one tenant", "LEADLOOM_SMTP_TENANT_MESSAGE_RATE", "per minute")
    ]
  ],
  ["Sequences", sequenceLimits.map(([what, value, unit]) => limit(what, value, unit))],
  [
    "Notes, canned replies, macros and tasks",
    [
      limit("length of a private note", maxNoteLength, "characters"),
      limit("users and teams that a note mentions", maxMentions),
      limit("teams that a note mentions", maxTeamMentions),
      limit("canned replies of a tenant", maxCannedReplies),
      limit("length of a canned reply", maxCannedReplyLength, "characters"),
      limit("macros of a tenant", maxMacros),
      limit("length of the description of a task", maxTaskDescriptionLength, "characters"),
      limit("length of a comment on a task", maxCommentLength, "characters"),
      limit("interval of a recurring task, in days, weeks or months", maxInterval),
      limit("time until the next occurrence of a task, in days", maxDaysAhead)
    ]
  ],
  [
    "Texts and calls",
    [
      limit("length of an outgoing text", maxOutgoingTextLength, "characters"),
      limit("attachments of an outgoing text (MMS)", maxTextAttachments),
      limit("size of all attachments of an outgoing text (MMS)", maxTextAttachmentBytes, "bytes"),
      limit("attachments of an incoming text", maxMediaItems),
      limit("size of an attachment of a text", maxMediaBytes, "bytes"),
      limit("numbers on the blocklist of a tenant", maxBlockedNumbers),
      limit("consent changes that are stored for a number", maxConsentHistory),
      limit("size of a recording", maxRecordingBytes, "bytes"),
      limit("length of a transcript", maxTranscriptLength, "characters"),
      limit("time until a callback, in days", maxCallbackDays)
    ]
  ],
  [
    "Configuration",
    [
      ...ruleLimits.map(([what, value]) => limit(what, value)),
      limit("conditions in a rule", maxConditionNodes),
      limit("depth of a condition", maxConditionDepth, "levels"),
      limit("length of a value in a condition", maxValueLength, "characters"),
      limit("values in a list of a condition", maxListLength),
      limit("actions in all rules together", maxActions),
      limit("comparisons in all rules together", maxComparisons),
      limit("comparisons with `matches` in all rules together", maxPatterns),
      limit("length of one template", maxTemplateLength, "characters"),
      limit("length of all templates together", maxTemplateCharacters, "characters"),
      limit("guardrails of a tenant", maxGuardrails),
      limit("phrases in all guardrails together", maxPhrases),
      limit("trusted mail servers of a tenant", maxTrustedMailServers),
      limit("trusted ARC sealers of a tenant", maxTrustedArcSealers),
      limit("differences that the audit stores for one change", maxDifferences)
    ]
  ],
  [
    "Pipeline",
    [
      limit("steps of work of a run (about 5 ns each)", runLimits.steps, "steps"),
      limit("characters that the templates of a run produce", runLimits.characters, "characters"),
      limit("actions of a run", runLimits.actions),
      limit("length of the rendered text of an action", maxActionText, "characters"),
      limit("time for rules, templates and guardrails of a run", runLimits.milliseconds, "milliseconds"),
      limit("attempts of a run, before a person gets a task", maxSignalAttempts),
      limit("length of the excerpt of a message in the list of runs", maxExcerptLength, "characters"),
      limit("attempts of a job, before a person gets a task or the job fails", maxJobAttempts),
      limit("messages that a model reads", maxConversationMessages),
      limit("length of a generated reply", maxReplyLength, "characters"),
      setting("timeout of a model request, in seconds", "LEADLOOM_LLM_TIMEOUT_SECONDS", ""),
      setting("concurrent model requests", "LEADLOOM_LLM_CONCURRENCY", ""),
      limit("messages in a back-test", maxBacktestRuns),
      ...capLimits
    ]
  ],
  [
    "Webhooks and events",
    [
      limit("subscriptions of a tenant", maxSubscriptionsPerTenant),
      limit("concurrent requests of a subscription", maxInFlightDeliveries),
      limit("automatic attempts of a delivery", retryWaits.length + 1),
      limit("consecutive failures that pause a subscription", maxConsecutiveFailures),
      limit("length of a receiver's URL", maxEgressUrlLength, "characters"),
      limit("attempts that are stored for a delivery", maxStoredAttempts),
      limit("part of a failed response that is stored", maxStoredResponseBytes, "bytes"),
      setting("retention of events, in days", "LEADLOOM_EVENT_RETENTION_DAYS", "")
    ]
  ],
  [
    "Contacts, conversations and search",
    [
      limit("tags of a contact", maxTags),
      limit("tags of a conversation", maxConversationTags),
      limit("tag of a conversation", maxConversationTagLength, "characters"),
      limit("tags in one filter of the conversation list", maxTagFilters),
      limit("conversations that a page of the filtered list examines", maxExamined),
      limit("messages, and contacts, that a filter by text considers", maxTextMatches),
      limit("conversations of a bulk change", maxBulk),
      limit("shared views of a tenant, and private views of a user", maxViews),
      limit("messages of a thread that a correction moves", maxCorrectedMessages),
      limit("threads that one request joins", maxJoinedThreads),
      limit("tags of a lead", maxLeadTags),
      limit("sales pipelines of a tenant", maxSalesPipelines),
      limit("stages of a sales pipeline", maxStages),
      limit("identities of a contact that people add", maxIdentitiesPerContact),
      limit("length of the label of an identity", maxIdentityLabel, "characters"),
      limit("length of the proof of a consent", maxConsentProof, "characters"),
      limit("custom fields of contacts, of leads, and of companies", maxFieldsPerEntity),
      limit("options of a custom field", maxFieldOptions),
      limit("length of an option", maxFieldOptionLength, "characters"),
      limit("length of a text or URL in a custom field", maxFieldText, "characters"),
      limit("length of the name of a company", maxCompanyName, "characters"),
      limit("tags, or custom fields, in a filter of contacts", maxFilterValues),
      limit("segments of a tenant", maxSegments),
      limit("size of a file with contacts", maxImportBytes, "bytes"),
      limit("records of a file with contacts", maxImportRows),
      limit("columns of a file with contacts", maxColumns),
      limit("errors that an import of contacts lists", maxImportErrors),
      limit("messages of a conversation without `limit`", maxHistoryMessages),
      limit("part of a message that the search index contains", maxSearchedLength, "characters"),
      limit("size of a file in an archive", maxArchiveFileBytes, "bytes")
    ]
  ]
]
