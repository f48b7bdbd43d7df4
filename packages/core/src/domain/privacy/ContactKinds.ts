import { Call } from "../call/Call.ts"
import { Company } from "../company/Company.ts"
import { Activity } from "../contact/Activity.ts"
import { BlockedNumber, OptOut } from "../consent/OptOut.ts"
import { TrackingConsent } from "../consent/TrackingConsent.ts"
import { GuardRecord } from "../guardrail/GuardRecord.ts"
import { Lead } from "../lead/Lead.ts"
import { TrackedLink } from "../link/TrackedLink.ts"
import { Note } from "../note/Note.ts"
import { TaskComment } from "../task/TaskComment.ts"
import { Team } from "../user/Team.ts"
import { User } from "../user/User.ts"
import { exportable, ofContact, ofNoun, type PersonalDataTable } from "./PersonalDataTable.ts"

/** Tables whose keys are addresses or numbers instead of contact ids. */
export type AddressTableName = "undeliverable" | "blocked_numbers" | "opt_outs" | "tracking_consents"

/**
 * Undeliverable addresses, blocked numbers, opt-outs and consents to tracking. The erasure of a contact replaces the contact's keys in them
 * with hashes.
 */
export const addressTables: { readonly [Name in AddressTableName]: PersonalDataTable } = {
  undeliverable: {
    ...exportable,
    name: "undeliverable",
    key: ["email"],
    belongs: { by: "address", column: "email" },
    columns: { email: "text", bounced_at: "time", reason: "text" }
  },
  blocked_numbers: {
    ...exportable,
    ...ofNoun(BlockedNumber),
    name: "blocked_numbers",
    key: ["phone"],
    belongs: { by: "address", column: "phone" }
  },
  opt_outs: {
    ...exportable,
    ...ofNoun(OptOut),
    name: "opt_outs",
    key: ["phone", "own_phone"],
    belongs: { by: "address", column: "phone" }
  },
  tracking_consents: {
    ...exportable,
    ...ofNoun(TrackingConsent),
    name: "tracking_consents",
    key: ["email"],
    belongs: { by: "address", column: "email" }
  }
}

/** Telephone calls. */
export const callTable: PersonalDataTable = {
  ...exportable,
  ...ofNoun(Call),
  name: "calls",
  key: ["call_id"],
  walk: ["started_at", "call_id"],
  belongs: ofContact,
  same: ["started_at", "direction"]
}

/** Links between contacts and CRM contacts. */
export const crmLinks: PersonalDataTable = {
  ...exportable,
  name: "crm_links",
  key: ["location_id", "crm_contact_id"],
  belongs: ofContact,
  excludedBecause: "The importing instance links its contacts to the CRM again.",
  columns: { location_id: "text", crm_contact_id: "text" }
}

/** Results of guardrails for replies to a contact. */
export const guardEvaluations: PersonalDataTable = {
  ...exportable,
  ...ofNoun(GuardRecord),
  name: "guard_evaluations",
  key: ["evaluation_id"],
  belongs: ofContact,
  same: ["created_at", "guardrail_id", "outcome"]
}

/** Leads. */
export const leads: PersonalDataTable = {
  ...exportable,
  ...ofNoun(Lead),
  name: "leads",
  key: ["lead_id"],
  belongs: ofContact,
  same: ["created_at", "channel", "source"]
}

/** Comments on tasks. */
export const taskComments: PersonalDataTable = {
  ...exportable,
  ...ofNoun(TaskComment),
  name: "task_comments",
  key: ["task_id", "comment_id"],
  belongs: { by: "task", column: "task_id" },
  same: ["created_at", "author", "body"],
  long: ["body"]
}

/** Contacts whose remote images the tenant shows. */
export const remoteImageSenders: PersonalDataTable = {
  ...exportable,
  name: "remote_image_senders",
  key: ["contact_id"],
  belongs: ofContact,
  columns: { contact_id: "text", allowed_at: "time" }
}

const { user_name: _, ...activityColumns } = ofNoun(Activity).columns

/**
 * Events of contacts for their timelines. The names of users stay out, because a tenant may hand the archive of a contact
 * to the contact.
 */
export const activities: PersonalDataTable = {
  ...exportable,
  ...ofNoun(Activity),
  columns: activityColumns,
  name: "activities",
  key: ["activity_id"],
  walk: ["happened_at", "activity_id"],
  belongs: ofContact,
  same: ["happened_at", "type"]
}

/** Private notes about conversations. */
export const notes: PersonalDataTable = {
  ...exportable,
  ...ofNoun(Note),
  name: "notes",
  key: ["note_id"],
  walk: ["created_at", "note_id"],
  belongs: ofContact,
  same: ["created_at", "author"],
  long: ["body"]
}

/** Companies. They belong to no contact. */
export const companies: PersonalDataTable = {
  ...exportable,
  ...ofNoun(Company),
  name: "companies",
  key: ["company_id"],
  belongs: { by: "tenant" },
  same: ["created_at"]
}

const { subject: __, ...userColumns } = ofNoun(User).columns

/**
 * The users of the tenant. They belong to no contact, but assignments and notes name them by id. The subject of their ID
 * tokens stays out, because another instance may trust another identity provider.
 */
export const users: PersonalDataTable = {
  ...exportable,
  ...ofNoun(User),
  columns: userColumns,
  name: "users",
  key: ["user_id"],
  belongs: { by: "tenant" },
  same: ["created_at"],
  long: ["signature"]
}

/** The teams of the tenant and their members. */
export const teams: PersonalDataTable = {
  ...exportable,
  ...ofNoun(Team),
  name: "teams",
  key: ["team_id"],
  belongs: { by: "tenant" },
  same: ["created_at"]
}

/** Suggestions to merge two contacts. */
export const mergeSuggestions: PersonalDataTable = {
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
}

/** Changes of contacts by imports. */
export const importedContacts: PersonalDataTable = {
  ...exportable,
  name: "contact_import_items",
  key: ["import_id", "contact_id"],
  belongs: ofContact,
  excludedBecause: "Only the instance that imported a file can undo the import.",
  columns: { import_id: "text", contact_id: "text" }
}

/** Enrolments in sequences. An archive does not contain them, because the importing instance would send again. */
const enrolments: PersonalDataTable = {
  ...exportable,
  name: "enrolments",
  key: ["enrolment_id"],
  belongs: ofContact,
  excludedBecause: "This instance runs its own sequences. Sent messages are part of the messages.",
  columns: { enrolment_id: "text" }
}

/** Runs of rules that wait for a time. An archive does not contain them: the importing instance would act again. */
const triggerRuns: PersonalDataTable = {
  ...exportable,
  name: "trigger_runs",
  key: ["trigger_run_id"],
  belongs: ofContact,
  excludedBecause: "This instance runs its own rules. The effects of their actions are part of the archive.",
  columns: { trigger_run_id: "text" }
}

/** Links in emails of sequences, with the times at which the contact opened them. */
const trackedLinks: PersonalDataTable = {
  ...exportable,
  ...ofNoun(TrackedLink),
  name: "tracked_links",
  key: ["token"],
  belongs: ofContact,
  same: ["message_id", "url"]
}

/** The records of sequences and of rules with triggers about a contact. */
export const automation = { enrolments, trigger_runs: triggerRuns, tracked_links: trackedLinks }
