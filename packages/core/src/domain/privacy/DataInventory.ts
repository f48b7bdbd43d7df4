/**
 * The data inventory, the format of archives, and erasure receipts with their tombstones. Reading and deleting stored
 * data belongs to `workflow/privacy`. Tests: `packages/core/test/domain/privacy`, `packages/testkit/src/suite/privacy`,
 * `packages/store/test`.
 */
import {
  activities,
  type AddressTableName,
  addressTables,
  automation,
  callTable,
  companies,
  crmLinks,
  guardEvaluations,
  importedContacts,
  leads,
  mergeSuggestions,
  notes,
  remoteImageSenders,
  taskComments,
  teams,
  users
} from "./ContactKinds.ts"
import { Schema } from "effect"
import { channels } from "../Channel.ts"
import { Contact } from "../contact/Contact.ts"
import { inboxFields } from "../conversation/InboxState.ts"
import { MessageRow } from "../conversation/Message.ts"
import { AgentDraft } from "../draft/AgentDraft.ts"
import { Draft } from "../draft/Draft.ts"
import { KnownId, ThreadRecord } from "../email/thread/Thread.ts"
import { leadStates } from "../lead/LeadState.ts"
import { ScoreRecord, tiers } from "../lead/Score.ts"
import { RunHead } from "../run/Run.ts"
import { Task } from "../task/Task.ts"
import { runShapes } from "./RunShape.ts"
import { type PersonalDataTable, exportable, ofContact, ofNoun } from "./PersonalDataTable.ts"

/** The schema of a run in an archive. */
const ArchivedRun = Schema.Struct({ ...RunHead.fields, ...runShapes })

type TableName =
  | "users"
  | "teams"
  | "companies"
  | "contacts"
  | "identities"
  | "messages"
  | "dedup_keys"
  | "threads"
  | "thread_ids"
  | "thread_participants"
  | "leads"
  | "lead_scores"
  | "tasks"
  | "drafts"
  | "runs"
  | "guard_evaluations"
  | "merge_suggestions"
  | "activities"
  | "contact_list"
  | "contact_tags"
  | "contact_merge_items"
  | "contact_merges"
  | "conversations"
  | "conversation_tags"
  | "conversation_reads"
  | "conversation_aliases"
  | AddressTableName
  | "calls"
  | "signals"
  | "sends"
  | "contact_import_items"
  | "scheduled_sends"
  | "agent_drafts"
  | keyof typeof automation
  | "crm_links"
  | "notes"
  | "task_comments"
  | "remote_image_senders"

/**
 * The data inventory: every table with personal data of contacts, in the order of an import. A table that is neither
 * here nor in `notExported` fails a test (`store/test/Privacy.integration.test.ts`).
 */
export const inventoryByName: { readonly [Name in TableName]: PersonalDataTable } = {
  users,
  teams,
  companies,
  contacts: {
    ...exportable,
    ...ofNoun(Contact),
    name: "contacts",
    key: ["contact_id"],
    belongs: { by: "contact", columns: ["contact_id", "merged_into"] },
    same: ["created_at"]
  },
  identities: {
    ...exportable,
    name: "identities",
    key: ["identity"],
    belongs: ofContact,
    same: ["contact_id"],
    columns: { identity: "text", contact_id: "text", created_at: "time", label: "text?", verified_at: "time?" }
  },
  messages: {
    ...exportable,
    ...ofNoun(MessageRow),
    name: "messages",
    key: ["message_id"],
    belongs: ofContact,
    walk: ["timestamp", "message_id"],
    same: ["timestamp", "received_at", "channel", "actor", "subject", "body"],
    long: ["body", "quoted_text", "html_body"]
  },
  dedup_keys: {
    ...exportable,
    name: "dedup_keys",
    key: ["dedup_key"],
    belongs: { by: "message", column: "message_id", field: "message_id" },
    same: ["message_id"],
    columns: { dedup_key: "text", message_id: "text", fingerprint: "text?" }
  },
  threads: {
    ...exportable,
    ...ofNoun(ThreadRecord),
    name: "threads",
    key: ["thread_id"],
    belongs: { by: "message", column: "thread_id", field: "thread_id" },
    same: ["base_subject", "created_at"]
  },
  thread_ids: {
    ...exportable,
    ...ofNoun(KnownId),
    name: "thread_ids",
    key: ["message_id", "thread_id"],
    belongs: { by: "message", column: "thread_id", field: "thread_id" }
  },
  thread_participants: {
    ...exportable,
    name: "thread_participants",
    key: ["thread_id", "email"],
    belongs: { by: "message", column: "thread_id", field: "thread_id" },
    columns: { thread_id: "text", email: "text" }
  },
  leads,
  lead_scores: {
    ...exportable,
    ...ofNoun(ScoreRecord),
    name: "lead_scores",
    key: ["lead_id", "score_id"],
    belongs: { by: "lead", column: "lead_id" },
    same: ["created_at", "score"]
  },
  tasks: {
    ...exportable,
    ...ofNoun(Task),
    name: "tasks",
    key: ["task_id"],
    walk: ["created_at", "task_id"],
    belongs: ofContact,
    same: ["created_at", "type"]
  },
  task_comments: taskComments,
  remote_image_senders: remoteImageSenders,
  drafts: {
    ...exportable,
    ...ofNoun(Draft),
    name: "drafts",
    key: ["draft_id"],
    walk: ["created_at", "draft_id"],
    belongs: ofContact,
    same: ["created_at", "channel"]
  },
  runs: {
    ...exportable,
    ...ofNoun(ArchivedRun),
    name: "runs",
    key: ["signal_id"],
    belongs: { by: "message", column: "signal_id", field: "signal_id" },
    same: ["run_id", "created_at"]
  },
  guard_evaluations: guardEvaluations,
  merge_suggestions: mergeSuggestions,
  activities,
  calls: callTable,
  notes,
  contact_list: {
    ...exportable,
    name: "contact_list",
    folder: "contact_digests",
    schemas: { channel: Schema.Literals(channels), state: Schema.Literals(leadStates), tier: Schema.Literals(tiers) },
    key: ["contact_id"],
    belongs: ofContact,
    columns: {
      contact_id: "text",
      last_activity_at: "time",
      archived: "integer",
      channel: "text?",
      state: "text?",
      tier: "text?",
      has_email: "flag",
      has_phone: "flag"
    }
  },
  contact_tags: {
    ...exportable,
    name: "contact_tags",
    key: ["contact_id", "tag"],
    belongs: ofContact,
    columns: { contact_id: "text", tag: "text", archived: "integer", last_activity_at: "time" }
  },
  conversations: {
    ...exportable,
    name: "conversations",
    schemas: {
      last_channel: Schema.Literals(channels),
      state: inboxFields.state,
      tags: inboxFields.tags,
      priority: inboxFields.priority
    },
    absent: { state: "open", tags: [], priority: "normal", answered_at: 0 },
    key: ["contact_id"],
    belongs: ofContact,
    columns: {
      contact_id: "text",
      last_timestamp: "time",
      last_message_id: "text",
      last_message: "text",
      last_channel: "text",
      lead_id: "text?",
      unread: "integer",
      state: "text",
      assignee_id: "text?",
      team_id: "text?",
      tags: "json",
      priority: "text",
      snooze_until: "time?",
      waiting_since: "time?",
      answered_at: "time"
    }
  },
  conversation_tags: {
    ...exportable,
    name: "conversation_tags",
    key: ["contact_id", "tag"],
    belongs: ofContact,
    columns: { contact_id: "text", tag: "text", last_timestamp: "time" }
  },
  conversation_reads: {
    ...exportable,
    name: "conversation_reads",
    key: ["contact_id", "user_id"],
    belongs: ofContact,
    excludedBecause: "The unread state of this instance's users.",
    columns: { contact_id: "text", user_id: "text" }
  },
  conversation_aliases: {
    ...exportable,
    name: "conversation_aliases",
    key: ["contact_id", "alias"],
    belongs: ofContact,
    columns: { contact_id: "text", alias: "text", last_timestamp: "time" }
  },
  ...addressTables,
  contact_merge_items: {
    ...exportable,
    name: "contact_merge_items",
    key: ["merge_id", "kind", "item_id"],
    belongs: { by: "merge", column: "merge_id" },
    excludedBecause: "Follows contact_merges.",
    columns: { merge_id: "text", kind: "text", item_id: "text" }
  },
  contact_merges: {
    ...exportable,
    name: "contact_merges",
    key: ["merge_id"],
    belongs: { by: "contact", columns: ["primary_id", "duplicate_id"] },
    excludedBecause: "Only the instance that merged two contacts can undo the merge.",
    columns: { merge_id: "text" }
  },
  signals: {
    ...exportable,
    name: "signals",
    key: ["signal_id"],
    belongs: { by: "message", column: "signal_id", field: "signal_id" },
    excludedBecause:
      "The queue of this instance's pipeline. Imported messages are history and are not processed again.",
    columns: { signal_id: "text" }
  },
  sends: {
    ...exportable,
    name: "sends",
    key: ["message_id"],
    belongs: { by: "message", column: "message_id", field: "message_id" },
    excludedBecause: "This instance sends its own outbound mail. Sent mail is part of the messages.",
    columns: { message_id: "text" }
  },
  contact_import_items: importedContacts,
  scheduled_sends: {
    ...exportable,
    name: "scheduled_sends",
    key: ["message_id"],
    belongs: ofContact,
    excludedBecause: "This instance sends its own scheduled messages. Sent ones are part of the messages.",
    columns: { message_id: "text" }
  },
  agent_drafts: {
    ...exportable,
    ...ofNoun(AgentDraft),
    name: "agent_drafts",
    key: ["draft_id"],
    walk: ["created_at", "draft_id"],
    belongs: ofContact,
    same: ["created_at"]
  },
  ...automation,
  crm_links: crmLinks
}

/** All tables of the inventory in the order of an import. */
export const dataInventory: ReadonlyArray<PersonalDataTable> = Object.values(inventoryByName)

/** The tables that archives contain. */
export const exportedTables: ReadonlyArray<PersonalDataTable> = dataInventory.filter(
  ({ excludedBecause }) => excludedBecause === null
)

/** Tables that archives do not contain, with the reason. Personal data in them is handled separately. */
export const notExported: Readonly<Record<string, string>> = {
  tenants: "The operator of the importing instance creates the tenant.",
  tenant_configs: "Configuration, available at /config. It contains no contact.",
  custom_fields: "Definitions of custom fields, available at /fields. They contain no contact.",
  canned_replies: "Templates, available at /canned-replies. They contain no contact.",
  sequences: "Templates and delays, available at /sequences. They contain no contact.",
  sequence_versions: "Earlier versions of sequences. They contain no contact.",
  sequence_counts: "Numbers of messages per day. They contain no contact.",
  macros: "Actions, available at /macros. They contain no contact.",
  segments: "Saved filters of contacts, available at /segments. They contain no contact.",
  contact_imports: "Progress and errors of imports of contacts, without values of contacts.",
  session_origins: "An index of the origins in the configuration. It contains no contact.",
  config_changes: "The authors of configuration changes, available at /config. It contains no contact.",
  thread_corrections: "Only the instance that corrected threads can undo it. They name contacts only by id.",
  thread_correction_items: "Follows thread_corrections. Erasure deletes the ids of a contact's messages.",
  guard_counts: "Counts.",
  audit_entries: "The audit trail of this instance. It names contacts only by id.",
  idempotency_records: "Encrypted answers, stored for one day. The erasure of a contact deletes those of its tenant.",
  api_keys: "Secrets never leave.",
  sources: "Secrets never leave.",
  grants: "Accounts must be connected again on the importing instance. They contain no contact.",
  grant_addresses: "Follows grants.",
  mailbox_accounts: "Secrets never leave. They contain no contact.",
  mailbox_syncs: "Progress and errors of mailboxes on this instance. They contain no contact.",
  mailbox_folders: "Follows mailbox_syncs.",
  console_sessions: "Sessions of the web console, stored for hours. They contain no contact.",
  stream_tickets: "Secrets never leave. Stored for a minute.",
  sign_ins: "Sign-ins in progress, stored for minutes.",
  jobs: "Open jobs, stored for minutes.",
  webhook_calls: "Open calls of rules, stored for at most two days. They contain ids of records.",
  crm_installs: "Secrets never leave. They contain no contact.",
  crm_first_syncs: "Progress counters of first syncs. They contain no contact.",
  provider_events: "Ids of provider events, stored for weeks. They contain no contact.",
  crm_calls: "Hashes of calls by CRM workflows, stored for minutes.",
  crm_locations: "CRM locations of the tenant on this instance. They contain no contact.",
  sales_pipelines: "Pipelines of leads, available at …/pipelines. They contain no contact.",
  lead_tags: "Follows leads. Triggers remove the tags of deleted leads.",
  lead_totals: "Counts.",
  stage_moves: "Stages that leads have left. A trigger removes those of deleted leads.",
  phone_numbers: "Numbers of the operator's account, assigned to tenants. They contain no contact.",
  assistants: "Secrets never leave.",
  assistant_answers: "Answers to voice assistants, stored for one day: ids and times without data of contacts.",
  report_facts: "Computed from messages, activities and runs. Triggers remove the facts of deleted rows.",
  report_counts: "Counts per day and user. They contain no contact.",
  report_positions: "Follows report_facts.",
  report_recounts: "Ids of changed contacts and leads, stored for minutes. Triggers remove deleted ones.",
  usages: "Counts.",
  billing_accounts: "The tenant's billing account with this instance's operator. It contains no contact.",
  credit_transactions: "Credits on this instance. A line names a use or payment and no contact.",
  batches: "Sizes of batches. They contain no contact.",
  batch_items: "Ids and reasons. The messages are exported as messages, and the id of an erased message leads nowhere.",
  arrival_counts: "Counts.",
  conversation_counts: "Counts.",
  views: "Saved filters of this instance's users. They contain no contact.",
  arrivals:
    "The inbound ledger of this instance. Erasure deletes the details of a contact (PersonalData.redactArrivals).",
  events: "Outbound events of this instance. Erasure deletes the data of a contact (PersonalData.redactEvents).",
  event_sequences: "Follows events.",
  webhook_subscriptions: "Receivers of this instance and their secrets, which never leave. They contain no contact.",
  webhook_deliveries: "Responses of receivers. Erasure deletes the data of a contact (PersonalData.redactEvents).",
  webhook_log: "Times of deliveries. They contain no contact.",
  erasures: "Erasure receipts of this instance.",
  erasure_objects: "Objects that an erasure still has to delete.",
  search_documents: "An index that is rebuilt from messages, contacts and notes. Triggers remove deleted ones.",
  search_queue: "Follows search_documents.",
  search_segments: "Follows search_documents.",
  search_summaries: "Follows search_documents.",
  deployment: "Not part of a tenant.",
  uploads: "Files that no message contains yet. They are deleted after one day, or with their draft.",
  rate_logs: "Counts."
}
