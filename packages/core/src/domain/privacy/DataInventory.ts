import { type AddressTableName, addressTables, callTable, crmLinks, guardEvaluations, leads } from "./ContactKinds.ts"
import { type PersonalDataTable, ofContact, exportable } from "./PersonalDataTable.ts"

type TableName =
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
  | "conversation_aliases"
  | AddressTableName
  | "calls"
  | "signals"
  | "sends"
  | "crm_links"

/**
 * The one list of what is kept for a tenant about the people who write to it, in the order in which it is taken in. A
 * table that is neither here nor in `notExported` fails a test (`store/test/Privacy.integration.test.ts`).
 */
export const inventoryByName: { readonly [Name in TableName]: PersonalDataTable } = {
  contacts: {
    ...exportable,
    name: "contacts",
    key: ["contact_id"],
    belongs: { by: "contact", columns: ["contact_id", "merged_into"] },
    same: ["created_at"],
    columns: {
      contact_id: "text",
      name: "text?",
      email: "text?",
      phone: "text?",
      company: "text?",
      notes: "text?",
      tags: "json",
      attributes: "json",
      created_at: "time",
      updated_at: "time",
      archived_at: "time?",
      merged_into: "text?"
    }
  },
  identities: {
    ...exportable,
    name: "identities",
    key: ["identity"],
    belongs: ofContact,
    same: ["contact_id"],
    columns: { identity: "text", contact_id: "text", created_at: "time" }
  },
  messages: {
    name: "messages",
    key: ["message_id"],
    belongs: ofContact,
    excludedBecause: null,
    walk: ["timestamp", "message_id"],
    same: ["timestamp", "received_at", "channel", "actor", "subject", "body"],
    long: ["body", "quoted_text", "html_body"],
    columns: {
      message_id: "text",
      contact_id: "text",
      subject_contact_id: "text?",
      lead_id: "text?",
      thread_id: "text?",
      channel: "text",
      actor: "text",
      auto: "text?",
      delivery: "text?",
      source: "text",
      timestamp: "time",
      received_at: "time",
      internet_message_id: "text?",
      received_alias: "text?",
      provider_message_id: "text?",
      from_address: "text?",
      to_addresses: "json",
      cc_addresses: "json",
      reply_to: "json",
      reference_ids: "json",
      flags: "json",
      attachments: "json",
      metadata: "json",
      subject: "text?",
      body: "text",
      quoted_text: "text?",
      html_body: "text?",
      raw_key: "text?",
      raw_size: "integer?",
      raw_type: "text?"
    }
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
    name: "threads",
    key: ["thread_id"],
    belongs: { by: "message", column: "thread_id", field: "thread_id" },
    same: ["base_subject", "created_at"],
    columns: { thread_id: "text", lead_id: "text?", base_subject: "text", created_at: "time" }
  },
  thread_ids: {
    ...exportable,
    name: "thread_ids",
    key: ["message_id", "thread_id"],
    belongs: { by: "message", column: "thread_id", field: "thread_id" },
    columns: { message_id: "text", thread_id: "text", seen: "flag", weak: "flag" }
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
    name: "lead_scores",
    key: ["lead_id", "score_id"],
    belongs: { by: "lead", column: "lead_id" },
    same: ["created_at", "score"],
    columns: {
      lead_id: "text",
      score_id: "text",
      message_id: "text?",
      signal_id: "text?",
      created_at: "time",
      score: "integer",
      tier: "text",
      factors: "json",
      recommended_actions: "json",
      classification: "json?"
    }
  },
  tasks: {
    ...exportable,
    name: "tasks",
    key: ["task_id"],
    walk: ["created_at", "task_id"],
    belongs: ofContact,
    same: ["created_at", "type"],
    columns: {
      task_id: "text",
      type: "text",
      status: "text",
      title: "text",
      contact_id: "text",
      lead_id: "text?",
      signal_id: "text?",
      due_at: "time?",
      disposition: "text?",
      snooze_until: "time?",
      created_at: "time",
      updated_at: "time"
    }
  },
  drafts: {
    ...exportable,
    name: "drafts",
    key: ["draft_id"],
    walk: ["created_at", "draft_id"],
    belongs: ofContact,
    same: ["created_at", "channel"],
    columns: {
      draft_id: "text",
      contact_id: "text",
      lead_id: "text?",
      signal_id: "text",
      message_id: "text",
      task_id: "text?",
      channel: "text",
      state: "text",
      head_message_id: "text",
      created_at: "time",
      body: "text"
    }
  },
  runs: {
    ...exportable,
    name: "runs",
    key: ["signal_id"],
    belongs: { by: "message", column: "signal_id", field: "signal_id" },
    same: ["run_id", "created_at"],
    columns: {
      signal_id: "text",
      run_id: "text",
      message_id: "text",
      contact_id: "text",
      lead_id: "text?",
      config_version: "integer",
      created_at: "time",
      result: "json",
      inputs: "json?",
      recordings: "json?"
    }
  },
  guard_evaluations: guardEvaluations,
  merge_suggestions: {
    ...exportable,
    name: "merge_suggestions",
    key: ["first_id", "second_id"],
    belongs: { by: "contact", columns: ["first_id", "second_id"] },
    columns: {
      first_id: "text",
      second_id: "text",
      into_id: "text",
      from_id: "text",
      reason: "text",
      created_at: "time",
      dismissed_at: "time?"
    }
  },
  activities: {
    ...exportable,
    name: "activities",
    key: ["activity_id"],
    walk: ["happened_at", "activity_id"],
    belongs: ofContact,
    same: ["happened_at", "type"],
    columns: {
      activity_id: "text",
      contact_id: "text",
      lead_id: "text?",
      type: "text",
      actor: "text",
      happened_at: "time",
      data: "json"
    }
  },
  calls: callTable,
  contact_list: {
    ...exportable,
    name: "contact_list",
    folder: "contact_digests",
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
    key: ["contact_id"],
    belongs: ofContact,
    columns: {
      contact_id: "text",
      last_timestamp: "time",
      last_message_id: "text",
      last_message: "text",
      last_channel: "text",
      lead_id: "text?",
      unread: "integer"
    }
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
    excludedBecause: "A merge is undone where it was made.",
    columns: { merge_id: "text" }
  },
  signals: {
    ...exportable,
    name: "signals",
    key: ["signal_id"],
    belongs: { by: "message", column: "signal_id", field: "signal_id" },
    excludedBecause: "Work of the pipeline here: what is taken in is history and is not worked on again.",
    columns: { signal_id: "text" }
  },
  sends: {
    ...exportable,
    name: "sends",
    key: ["message_id"],
    belongs: { by: "message", column: "message_id", field: "message_id" },
    excludedBecause: "Mail on its way out goes out from here; what has gone is among the messages.",
    columns: { message_id: "text" }
  },
  crm_links: crmLinks
}

/** Every kind, in the order in which it is taken in. */
export const dataInventory: ReadonlyArray<PersonalDataTable> = Object.values(inventoryByName)

/** The kinds that an archive holds. */
export const exportedTables: ReadonlyArray<PersonalDataTable> = dataInventory.filter(
  ({ excludedBecause }) => excludedBecause === null
)

/** Tables that hold nothing of a contact's that a kind covers, or that are handled apart, and why they do not travel. */
export const notExported: Readonly<Record<string, string>> = {
  tenants: "The tenant is made by the operator of the other instance.",
  tenant_configs: "Configuration, read and written at /config; no contact is in it.",
  config_changes: "Who changed the configuration here, read at /config; no contact is in it.",
  guard_counts: "Counts.",
  audit_entries: "Who did what here; contacts are in it by their ids alone.",
  idempotency_records: "Sealed answers, for a day. Erasing a contact forgets those of its tenant.",
  api_keys: "Secrets never leave.",
  sources: "Secrets never leave.",
  grants: "Permissions of a provider are given anew; no contact is in them.",
  grant_addresses: "Follows grants.",
  sign_ins: "Somebody on the way to a provider and back, for minutes.",
  jobs: "What is to be done outside, for minutes.",
  crm_installs: "Secrets never leave; no contact is in them.",
  crm_first_syncs: "How far contacts and a CRM have been brought together here: counts; no contact is in it.",
  provider_events: "Ids of what providers told, for weeks; no contact is in them.",
  crm_calls: "What workflows of a CRM asked for, as hashes, for minutes.",
  crm_locations: "Which accounts of a CRM stand for the tenant here; no contact is in them.",
  phone_numbers: "Numbers of the operator's account, lent to tenants here; no contact is in them.",
  assistants: "Secrets never leave.",
  assistant_answers: "What a voice assistant was answered, for a day: ids and times, nothing of a contact.",
  usages: "Counts.",
  billing_accounts: "How the tenant pays this instance's operator; no contact is in it.",
  credit_transactions: "Credits of this instance; a line names what was used or paid, and no contact.",
  batches: "How many requests came at once, of whom nothing is in it.",
  batch_items: "Ids and reasons; the messages are among the messages, and what is erased is found by no id.",
  arrival_counts: "Counts.",
  arrivals:
    "What arrived at this instance. Erasing takes the details of a contact's lines (PersonalData.redactArrivals).",
  events: "What partners were told from here. Erasing takes what tells of the contact (PersonalData.redactEvents).",
  event_sequences: "Follows events.",
  webhook_subscriptions: "Receivers of this instance, and their secrets, which never leave; no contact is in them.",
  webhook_deliveries: "What receivers answered. Erasing takes what is about the contact (PersonalData.redactEvents).",
  webhook_log: "When something was delivered; no contact is in it.",
  erasures: "Receipts of this instance.",
  erasure_objects: "What an erasure still has to take away.",
  search_documents: "An index, made anew from messages and contacts; triggers note what goes.",
  search_queue: "Follows search_documents.",
  search_segments: "Follows search_documents.",
  deployment: "About no tenant.",
  rate_logs: "Counts."
}
