/**
 * Migrations create and change the tables and indexes of both SQL dialects. Each migration has its own file, and
 * released migrations are FROZEN. Queries do not belong here. Tests:
 * `packages/store/test/Migrations.integration.test.ts`.
 */

import { Effect } from "effect"
import { TaggedError } from "@leadloom/core/internal/domain/TaggedError"
import { Migrator, SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { lockAllTenants } from "../unit/TenantLock.ts"
import { first } from "./0001_first.ts"
import { queueByTenant } from "./0002_queue.ts"
import { email } from "./0003_email.ts"
import { deployment } from "./0004_deployment.ts"
import { mailAddresses } from "./0005_mail_addresses.ts"
import { hostedMail } from "./0006_hosted_mail.ts"
import { rawMail } from "./0007_raw_mail.ts"
import { leadsAndTasks } from "./0008_leads_tasks.ts"
import { contacts } from "./0009_contacts.ts"
import { search } from "./0010_search.ts"
import { drafts } from "./0011_drafts.ts"
import { references } from "./0012_references.ts"
import { dataRights } from "./0013_data_rights.ts"
import { runs } from "./0014_runs.ts"
import { configHistory } from "./0015_config_history.ts"
import { plansAndBatches } from "./0016_plans_and_batches.ts"
import { webhooks } from "./0017_webhooks.ts"
import { notices } from "./0018_notices.ts"
import { sms } from "./0019_sms.ts"
import { calls } from "./0020_calls.ts"
import { crm } from "./0021_crm.ts"
import { crmLocations } from "./0022_crm_locations.ts"
import { billing } from "./0023_billing.ts"
import { limits } from "./0024_limits.ts"
import { waiting } from "./0025_waiting.ts"
import { keys } from "./0026_keys.ts"
import { audit } from "./0027_audit.ts"
import { idempotency } from "./0028_idempotency.ts"
import { firstSyncs } from "./0029_first_syncs.ts"
import { unfinishedSignals } from "./0031_unfinished_signals.ts"
import { mailboxOwners } from "./0032_mailbox_owners.ts"
import { requestFingerprints } from "./0033_request_fingerprints.ts"
import { overrides } from "./0034_overrides.ts"
import { jobs } from "./0035_jobs.ts"
import { providerEvents } from "./0036_provider_events.ts"
import { contactList } from "./0037_contact_list.ts"
import { crmOperations } from "./0038_crm_operations.ts"
import { taskPriority } from "./0039_task_priority.ts"
import { searchSummaries } from "./0040_search_summaries.ts"
import { sessionOrigins } from "./0041_session_origins.ts"
import { users } from "./0042_users.ts"
import { assignment } from "./0043_assignment.ts"
import { inbox } from "./0044_inbox.ts"
import { views } from "./0045_views.ts"
import { composedMessages } from "./0046_composed_messages.ts"
import { agentTools } from "./0048_agent_tools.ts"
import { tasksOfPeople } from "./0049_tasks_of_people.ts"
import { contactWorkspace } from "./0050_contact_workspace.ts"
import { contactImports } from "./0051_contact_imports.ts"
import { threadCorrections } from "./0052_thread_corrections.ts"
import { mailAuthentication } from "./0053_mail_authentication.ts"
import { deals } from "./0054_deals.ts"
import { streamTickets } from "./0056_stream_tickets.ts"
import { reportFacts } from "./0058_report_facts.ts"
import { follow } from "./0063_followers.ts"
import { tasksWithoutContact } from "./0065_tasks_without_contact.ts"
import { usersOfCorrections } from "./0066_users_of_corrections.ts"
import { linksAndNames } from "./0067_links_and_names.ts"
import { noteSearch } from "./0068_note_search.ts"
import { reportsOfSentAnswers } from "./0069_reports_of_sent_answers.ts"
import { configComments } from "./0072_config_comments.ts"
import { consoleSessions } from "./0073_console_sessions.ts"
import { mailboxes } from "./0074_mailboxes.ts"
import { mailboxTokens } from "./0075_mailbox_tokens.ts"
import { emailAccounts } from "./0076_email_accounts.ts"
import { sequences } from "./0077_sequences.ts"
import { failedWork } from "./0079_failed_work.ts"
import { repliesToEnrolments } from "./0080_replies_to_enrolments.ts"
import { triggerRuns } from "./0081_trigger_runs.ts"
import { changesAsCauses } from "./0082_changes_as_causes.ts"
import { defectLimits } from "./0083_defect_limits.ts"
import { holdouts } from "./0084_holdouts.ts"
import { sequenceLimits } from "./0085_sequence_limits.ts"
import { sequencesOfRules } from "./0086_sequences_of_rules.ts"
import { enrolmentTimes } from "./0092_enrolment_times.ts"
import { reportsOfDeliveries } from "./0097_reports_of_deliveries.ts"
import { webhookCalls } from "./0098_webhook_calls.ts"
import { trackedLinks } from "./0100_tracked_links.ts"
import { trackingConsents } from "./0101_tracking_consents.ts"
import { answersToAutomation } from "./0102_answers_to_automation.ts"

/** The table that records the completed migrations of a database. */
export const migrationsTable = "migrations"

/**
 * All migrations by id and name. The ids must ascend, because a database skips ids below that of its newest migration.
 */
export const migrations: Readonly<Record<string, Effect.Effect<void, unknown, SqlClient.SqlClient>>> = {
  "0001_first": first,
  "0002_queue": queueByTenant,
  "0003_email": email,
  "0004_deployment": deployment,
  "0005_mail_addresses": mailAddresses,
  "0006_hosted_mail": hostedMail,
  "0007_raw_mail": rawMail,
  "0008_leads_tasks": leadsAndTasks,
  "0009_contacts": contacts,
  "0010_search": search,
  "0011_drafts": drafts,
  "0012_references": references,
  "0013_data_rights": dataRights,
  "0014_runs": runs,
  "0015_config_history": configHistory,
  "0016_plans_and_batches": plansAndBatches,
  "0017_webhooks": webhooks,
  "0018_notices": notices,
  "0019_sms": sms,
  "0020_calls": calls,
  "0021_crm": crm,
  "0022_crm_locations": crmLocations,
  "0023_billing": billing,
  "0024_limits": limits,
  "0025_waiting": waiting,
  "0026_keys": keys,
  "0027_audit": audit,
  "0028_idempotency": idempotency,
  "0029_first_syncs": firstSyncs,
  "0031_unfinished_signals": unfinishedSignals,
  "0032_mailbox_owners": mailboxOwners,
  "0033_request_fingerprints": requestFingerprints,
  "0034_overrides": overrides,
  "0035_jobs": jobs,
  "0036_provider_events": providerEvents,
  "0037_contact_list": contactList,
  "0038_crm_operations": crmOperations,
  "0039_task_priority": taskPriority,
  "0040_search_summaries": searchSummaries,
  "0041_session_origins": sessionOrigins,
  "0042_users": users,
  "0043_assignment": assignment,
  "0044_inbox": inbox,
  "0045_views": views,
  "0046_composed_messages": composedMessages,
  "0048_agent_tools": agentTools,
  "0049_tasks_of_people": tasksOfPeople,
  "0050_contact_workspace": contactWorkspace,
  "0051_contact_imports": contactImports,
  "0052_thread_corrections": threadCorrections,
  "0053_mail_authentication": mailAuthentication,
  "0054_deals": deals,
  "0056_stream_tickets": streamTickets,
  "0058_report_facts": reportFacts,
  "0063_followers": follow,
  "0065_tasks_without_contact": tasksWithoutContact,
  "0066_users_of_corrections": usersOfCorrections,
  "0067_links_and_names": linksAndNames,
  "0068_note_search": noteSearch,
  "0069_reports_of_sent_answers": reportsOfSentAnswers,
  "0072_config_comments": configComments,
  "0073_console_sessions": consoleSessions,
  "0074_mailboxes": mailboxes,
  "0075_mailbox_tokens": mailboxTokens,
  "0076_email_accounts": emailAccounts,
  "0077_sequences": sequences,
  "0079_failed_work": failedWork,
  "0080_replies_to_enrolments": repliesToEnrolments,
  "0081_trigger_runs": triggerRuns,
  "0082_changes_as_causes": changesAsCauses,
  "0083_defect_limits": defectLimits,
  "0084_holdouts": holdouts,
  "0085_sequence_limits": sequenceLimits,
  "0086_sequences_of_rules": sequencesOfRules,
  "0092_enrolment_times": enrolmentTimes,
  "0097_reports_of_deliveries": reportsOfDeliveries,
  "0098_webhook_calls": webhookCalls,
  "0100_tracked_links": trackedLinks,
  "0101_tracking_consents": trackingConsents,
  "0102_answers_to_automation": answersToAutomation
}

/**
 * Migrations that servers without them cannot work with, for example because a table is renamed. All servers must stop
 * before such a migration. Other migrations permit a rolling upgrade. See docs/decisions/0080-upgrades.md.
 */
export const stopsOlderServers: ReadonlySet<string> = new Set([
  "0035_jobs",
  "0036_provider_events",
  "0037_contact_list",
  "0058_report_facts",
  "0065_tasks_without_contact",
  "0076_email_accounts",
  "0082_changes_as_causes"
])

/** Returns the number by which migrations are ordered. */
export const migrationId = (name: string): number => Number.parseInt(name, 10)

/** The database has migrations of a newer version. This version cannot read it. */
export class DatabaseTooNew extends TaggedError("DatabaseTooNew")<{
  readonly found: number
  readonly known: number
}> {
  override get message() {
    return `The database has migration ${this.found}, but this version supports migrations up to ${this.known}. Start a newer version.`
  }
}

/** The table that marks a database as an unfinished copy. */
export const copyMarker = "unfinished_copy"

/** The database is an unfinished copy. A part of the data is only in the source database. */
export class CopyUnfinished extends TaggedError("CopyUnfinished")<{}> {
  override get message() {
    return "The database is an unfinished copy of another one. Finish it with `leadloom db copy --resume`."
  }
}

const missing = Migrator.make({})({ loader: Migrator.fromRecord(migrations), table: migrationsTable })

/**
 * Runs the missing migrations. On Postgres, other servers cannot write a unit of work meanwhile, and no timeout
 * applies.
 */
const run = (sql: SqlClient.SqlClient) =>
  sql.onDialectOrElse({
    pg: () =>
      sql.withTransaction(
        Effect.forEach(["SET LOCAL statement_timeout = 0", "SET LOCAL lock_timeout = 0", lockAllTenants], (statement) =>
          sql.unsafe(statement)
        ).pipe(Effect.andThen(missing))
      ),
    orElse: () => missing
  })

/**
 * Runs all missing migrations in one transaction, so that a failure leaves the database unchanged. Concurrent processes
 * wait for each other. Fails with `DatabaseTooNew` when the database has migrations of a newer version.
 */
export const bringUp: Effect.Effect<void, SqlError | Migrator.MigrationError | DatabaseTooNew, SqlClient.SqlClient> =
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* run(sql)
    const rows = yield* sql.unsafe<{ readonly newest: number }>(
      `SELECT max(migration_id) AS newest FROM ${migrationsTable}`
    )
    const found = Number(rows[0]?.newest ?? 0)
    const known = Math.max(...Object.keys(migrations).map(migrationId))
    if (found > known) return yield* new DatabaseTooNew({ found, known })
  })

/** Returns whether a table exists in the current schema. */
export const tableExists = (name: string): Effect.Effect<boolean, SqlError, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const place = sql.onDialectOrElse({
      pg: () => `pg_tables WHERE schemaname = current_schema() AND tablename = '${name}'`,
      orElse: () => `sqlite_schema WHERE type = 'table' AND name = '${name}'`
    })
    return (yield* sql.unsafe(`SELECT 1 AS one FROM ${place}`)).length > 0
  })

/** Runs `bringUp`. Fails with `CopyUnfinished` when the database is an unfinished copy. */
export const migrate: Effect.Effect<
  void,
  SqlError | Migrator.MigrationError | DatabaseTooNew | CopyUnfinished,
  SqlClient.SqlClient
> = Effect.gen(function* () {
  yield* bringUp
  if (yield* tableExists(copyMarker)) return yield* new CopyUnfinished()
})
