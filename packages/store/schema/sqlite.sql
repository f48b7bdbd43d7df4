-- Generated from the migrations by generate/schema.ts. Do not edit.

CREATE TRIGGER report_activity_deleted AFTER DELETE ON activities FOR EACH ROW BEGIN DELETE FROM report_facts WHERE tenant_id = old.tenant_id AND fact_id = old.activity_id; END;

CREATE TRIGGER report_activity_moved AFTER UPDATE OF contact_id ON activities FOR EACH ROW
      WHEN (new.type IN ('conversation_closed', 'conversation_reopened') AND old.contact_id IS DISTINCT FROM new.contact_id) BEGIN INSERT INTO report_recounts (tenant_id, subject_id, stream, position)
    SELECT old.tenant_id, old.contact_id, streams.name, '' FROM (SELECT 'messages' AS name UNION ALL SELECT 'closings' UNION ALL SELECT 'runs') AS streams WHERE true
    ON CONFLICT (tenant_id, subject_id, stream) DO UPDATE SET position = '' WHERE report_recounts.position <> ''; INSERT INTO report_recounts (tenant_id, subject_id, stream, position)
    SELECT new.tenant_id, new.contact_id, streams.name, '' FROM (SELECT 'messages' AS name UNION ALL SELECT 'closings' UNION ALL SELECT 'runs') AS streams WHERE true
    ON CONFLICT (tenant_id, subject_id, stream) DO UPDATE SET position = '' WHERE report_recounts.position <> ''; END;

CREATE TABLE activities (
    tenant_id TEXT NOT NULL, contact_id TEXT NOT NULL, happened_at INTEGER NOT NULL, activity_id TEXT NOT NULL,
    lead_id TEXT, type TEXT NOT NULL, actor TEXT NOT NULL, data TEXT NOT NULL, user_id TEXT, user_name TEXT,
    PRIMARY KEY (tenant_id, contact_id, happened_at, activity_id)) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX activities_id ON activities (tenant_id, activity_id);

CREATE TABLE agent_drafts (
    tenant_id TEXT NOT NULL, draft_id TEXT NOT NULL, contact_id TEXT NOT NULL, composition TEXT NOT NULL,
    version INTEGER NOT NULL, created_by TEXT NOT NULL, created_by_user TEXT, updated_by TEXT NOT NULL,
    updated_by_user TEXT, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, draft_id)) STRICT, WITHOUT ROWID;

CREATE INDEX agent_drafts_contact ON agent_drafts (tenant_id, contact_id, created_at, draft_id);

CREATE TABLE api_keys (
    tenant_id TEXT NOT NULL, key_id TEXT NOT NULL, name TEXT NOT NULL, prefix TEXT NOT NULL,
    hash TEXT NOT NULL, created_at INTEGER NOT NULL, expires_at INTEGER, revoked_at INTEGER, last_used_at INTEGER, scopes TEXT, replaced_at INTEGER,
    PRIMARY KEY (tenant_id, key_id)) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX api_keys_hash ON api_keys (hash);

CREATE TABLE arrival_counts (
    tenant_id TEXT NOT NULL, outcome TEXT NOT NULL, arrivals INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, outcome)) STRICT, WITHOUT ROWID;

CREATE TABLE arrivals (
    tenant_id TEXT NOT NULL, arrival_id TEXT NOT NULL, channel TEXT NOT NULL, source TEXT NOT NULL,
    outcome TEXT NOT NULL, message_id TEXT, received_at INTEGER NOT NULL, detail TEXT,
    PRIMARY KEY (tenant_id, arrival_id)) STRICT, WITHOUT ROWID;

CREATE INDEX arrivals_message ON arrivals (tenant_id, message_id) WHERE message_id IS NOT NULL;

CREATE TABLE assistant_answers (
    tenant_id TEXT NOT NULL, answer_id TEXT NOT NULL, created_at INTEGER NOT NULL, answer TEXT NOT NULL,
    PRIMARY KEY (tenant_id, answer_id)) STRICT, WITHOUT ROWID;

CREATE INDEX assistant_answers_age ON assistant_answers (tenant_id, created_at);

CREATE TABLE assistants (
    tenant_id TEXT NOT NULL, prefix TEXT, hash TEXT, retell_key TEXT, created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (tenant_id)) STRICT, WITHOUT ROWID;

CREATE TABLE audit_entries (
    tenant_id TEXT NOT NULL, audit_id TEXT NOT NULL, happened_at INTEGER NOT NULL, actor TEXT NOT NULL,
    "action" TEXT NOT NULL, target TEXT NOT NULL, address TEXT, request_id TEXT, "change" TEXT, user_id TEXT, user_name TEXT,
    PRIMARY KEY (tenant_id, audit_id)) STRICT, WITHOUT ROWID;

CREATE TABLE batch_items (
    tenant_id TEXT NOT NULL, batch_id TEXT NOT NULL, item_index INTEGER NOT NULL, status TEXT NOT NULL,
    signal_id TEXT, failure TEXT, PRIMARY KEY (tenant_id, batch_id, item_index)) STRICT, WITHOUT ROWID;

CREATE TABLE batches (
    tenant_id TEXT NOT NULL, batch_id TEXT NOT NULL, idempotency_key TEXT, fingerprint TEXT NOT NULL,
    total INTEGER NOT NULL, created_at INTEGER NOT NULL, PRIMARY KEY (tenant_id, batch_id)) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX batches_key ON batches (tenant_id, idempotency_key) WHERE idempotency_key IS NOT NULL;

CREATE TABLE billing_accounts (
    tenant_id TEXT NOT NULL, plan TEXT, status TEXT NOT NULL, trial_ends_at INTEGER, period_starts_at INTEGER,
    period_ends_at INTEGER, cancel_at_period_end INTEGER NOT NULL, unpaid_since INTEGER, customer_id TEXT,
    subscription_id TEXT, given_plan TEXT, looks INTEGER NOT NULL, look_taken INTEGER NOT NULL,
    PRIMARY KEY (tenant_id)) STRICT, WITHOUT ROWID;

CREATE INDEX billing_accounts_customer ON billing_accounts (customer_id) WHERE customer_id IS NOT NULL;

CREATE TABLE blocked_numbers (
    tenant_id TEXT NOT NULL, phone TEXT NOT NULL, created_at INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, phone)) STRICT, WITHOUT ROWID;

CREATE TABLE calls (
    tenant_id TEXT NOT NULL, call_id TEXT NOT NULL, contact_id TEXT NOT NULL, lead_id TEXT,
    provider TEXT NOT NULL, provider_call_id TEXT, contact_leg TEXT, direction TEXT NOT NULL,
    from_number TEXT, to_number TEXT, agent_phone TEXT, transferred_to TEXT, status TEXT NOT NULL, reason TEXT,
    started_at INTEGER NOT NULL, answered_at INTEGER, ended_at INTEGER, duration_seconds INTEGER,
    recording TEXT NOT NULL, recording_id TEXT, recording_seconds INTEGER, message_id TEXT,
    requested_by TEXT, request_key TEXT, fingerprint TEXT, updated_at INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, call_id)) STRICT;

CREATE INDEX calls_contact ON calls (tenant_id, contact_id, started_at, call_id);

CREATE UNIQUE INDEX calls_key ON calls (tenant_id, request_key);

CREATE INDEX calls_newest ON calls (tenant_id, started_at, call_id);

CREATE UNIQUE INDEX calls_provider ON calls (tenant_id, provider, provider_call_id);

CREATE INDEX calls_status ON calls (tenant_id, status, started_at, call_id);

CREATE TABLE canned_replies (
    tenant_id TEXT NOT NULL, canned_reply_id TEXT NOT NULL, name TEXT NOT NULL, body TEXT NOT NULL,
    folder TEXT, subject TEXT, shortcut TEXT, channels TEXT NOT NULL, sort_name TEXT NOT NULL,
    uses INTEGER NOT NULL, last_used_at INTEGER, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, canned_reply_id)) STRICT, WITHOUT ROWID;

CREATE INDEX canned_replies_name ON canned_replies (tenant_id, sort_name, canned_reply_id);

CREATE UNIQUE INDEX canned_replies_shortcut ON canned_replies (tenant_id, shortcut) WHERE shortcut IS NOT NULL;

CREATE TABLE companies (
    tenant_id TEXT NOT NULL, company_id TEXT NOT NULL, name TEXT NOT NULL, domain TEXT, notes TEXT,
    custom_fields TEXT NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, company_id)) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX companies_domain ON companies (tenant_id, domain) WHERE domain IS NOT NULL;

CREATE INDEX companies_name ON companies (tenant_id, lower(name), company_id);

CREATE TABLE config_changes (
    tenant_id TEXT NOT NULL, version INTEGER NOT NULL, from_version INTEGER NOT NULL, action TEXT NOT NULL,
    preset TEXT, changed_by TEXT NOT NULL, changed_at INTEGER NOT NULL, differences TEXT NOT NULL,
    omitted INTEGER NOT NULL, changed_by_user TEXT, changed_by_user_name TEXT, comment TEXT, PRIMARY KEY (tenant_id, version)) STRICT, WITHOUT ROWID;

CREATE TABLE console_sessions (
    tenant_id TEXT NOT NULL, session_id TEXT NOT NULL, user_id TEXT, role TEXT NOT NULL,
    started_at INTEGER NOT NULL, ends_at INTEGER NOT NULL, revoked_at INTEGER, PRIMARY KEY (tenant_id, session_id)) STRICT, WITHOUT ROWID;

CREATE INDEX console_sessions_end ON console_sessions (tenant_id, ends_at);

CREATE TABLE contact_import_items (
    tenant_id TEXT NOT NULL, import_id TEXT NOT NULL, contact_id TEXT NOT NULL, change TEXT NOT NULL,
    PRIMARY KEY (tenant_id, import_id, contact_id)) STRICT, WITHOUT ROWID;

CREATE INDEX contact_import_items_contact ON contact_import_items (tenant_id, contact_id);

CREATE TABLE contact_imports (
    tenant_id TEXT NOT NULL, import_id TEXT NOT NULL, status TEXT NOT NULL, dry_run INTEGER NOT NULL,
    on_conflict TEXT NOT NULL, mapping TEXT NOT NULL, errors TEXT NOT NULL,
    "rows" INTEGER NOT NULL, "processed" INTEGER NOT NULL, "created" INTEGER NOT NULL, "updated" INTEGER NOT NULL, "skipped" INTEGER NOT NULL, "failed" INTEGER NOT NULL, "reverted" INTEGER NOT NULL, "kept" INTEGER NOT NULL,
    created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, PRIMARY KEY (tenant_id, import_id)) STRICT, WITHOUT ROWID;

CREATE TRIGGER contact_tags_follow AFTER UPDATE OF last_activity_at, archived ON contact_list
    WHEN (old.last_activity_at <> new.last_activity_at OR old.archived <> new.archived) AND true
    BEGIN UPDATE contact_tags SET last_activity_at = new.last_activity_at, archived = new.archived
      WHERE tenant_id = new.tenant_id AND contact_id = new.contact_id; END;

CREATE TABLE "contact_list" (
    tenant_id TEXT NOT NULL, contact_id TEXT NOT NULL, last_activity_at INTEGER NOT NULL, archived INTEGER NOT NULL,
    channel TEXT, state TEXT, tier TEXT, has_email INTEGER NOT NULL, has_phone INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, contact_id)) STRICT, WITHOUT ROWID;

CREATE INDEX contact_list_channel
    ON contact_list (tenant_id, archived, channel, last_activity_at DESC, contact_id DESC);

CREATE INDEX contact_list_newest
    ON contact_list (tenant_id, archived, last_activity_at DESC, contact_id DESC);

CREATE INDEX contact_list_state
    ON contact_list (tenant_id, archived, state, last_activity_at DESC, contact_id DESC);

CREATE INDEX contact_list_tier
    ON contact_list (tenant_id, archived, tier, last_activity_at DESC, contact_id DESC);

CREATE TABLE contact_merge_items (
    tenant_id TEXT NOT NULL, merge_id TEXT NOT NULL, kind TEXT NOT NULL, item_id TEXT NOT NULL,
    PRIMARY KEY (tenant_id, merge_id, kind, item_id)) STRICT, WITHOUT ROWID;

CREATE TABLE contact_merges (
    tenant_id TEXT NOT NULL, merge_id TEXT NOT NULL, primary_id TEXT NOT NULL, duplicate_id TEXT NOT NULL,
    ordinal INTEGER NOT NULL, merged_at INTEGER NOT NULL, undone_at INTEGER, watermark INTEGER NOT NULL,
    journal TEXT NOT NULL, PRIMARY KEY (tenant_id, merge_id)) STRICT;

CREATE UNIQUE INDEX contact_merges_duplicate ON contact_merges (tenant_id, duplicate_id) WHERE undone_at IS NULL;

CREATE INDEX contact_merges_first ON contact_merges (tenant_id, primary_id);

CREATE UNIQUE INDEX contact_merges_primary ON contact_merges (tenant_id, primary_id, ordinal) WHERE undone_at IS NULL;

CREATE INDEX contact_merges_second ON contact_merges (tenant_id, duplicate_id);

CREATE TABLE contact_tags (
    tenant_id TEXT NOT NULL, contact_id TEXT NOT NULL, tag TEXT NOT NULL, archived INTEGER NOT NULL,
    last_activity_at INTEGER NOT NULL, PRIMARY KEY (tenant_id, contact_id, tag)) STRICT, WITHOUT ROWID;

CREATE INDEX contact_tags_newest ON contact_tags (tenant_id, tag, archived, last_activity_at DESC, contact_id DESC);

CREATE TRIGGER report_contact_deleted AFTER DELETE ON contacts FOR EACH ROW BEGIN DELETE FROM report_recounts WHERE tenant_id = old.tenant_id AND subject_id = old.contact_id; END;

CREATE TRIGGER search_contact_changed AFTER UPDATE OF name, email, phone, company, notes, tags, archived_at ON contacts BEGIN INSERT INTO search_queue (tenant_id, kind, id) VALUES (new.tenant_id, 'contact', new.contact_id)
    ON CONFLICT (tenant_id, kind, id) DO NOTHING; END;

CREATE TRIGGER search_contact_gone AFTER DELETE ON contacts BEGIN INSERT INTO search_queue (tenant_id, kind, id) VALUES (old.tenant_id, 'contact', old.contact_id)
    ON CONFLICT (tenant_id, kind, id) DO NOTHING; END;

CREATE TRIGGER search_contact_new AFTER INSERT ON contacts BEGIN INSERT INTO search_queue (tenant_id, kind, id) VALUES (new.tenant_id, 'contact', new.contact_id)
    ON CONFLICT (tenant_id, kind, id) DO NOTHING; END;

CREATE TABLE contacts (
    tenant_id TEXT NOT NULL, contact_id TEXT NOT NULL, name TEXT, email TEXT, phone TEXT, company TEXT,
    tags TEXT NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, archived_at INTEGER, notes TEXT, attributes TEXT NOT NULL DEFAULT '{}', merged_into TEXT, custom_fields TEXT NOT NULL DEFAULT '{}', company_id TEXT, company_removed INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant_id, contact_id)) STRICT, WITHOUT ROWID;

CREATE INDEX contacts_archived ON contacts (tenant_id, created_at DESC, contact_id DESC)
    WHERE archived_at IS NOT NULL AND merged_into IS NULL;

CREATE INDEX contacts_archived_name ON contacts (tenant_id, coalesce(lower(name), '􏿽'), contact_id)
    WHERE archived_at IS NOT NULL AND merged_into IS NULL;

CREATE INDEX contacts_name ON contacts (tenant_id, coalesce(lower(name), '􏿽'), contact_id)
    WHERE archived_at IS NULL;

CREATE INDEX contacts_newest ON contacts (tenant_id, created_at DESC, contact_id DESC) WHERE archived_at IS NULL;

CREATE INDEX contacts_second ON contacts (tenant_id, merged_into) WHERE merged_into IS NOT NULL;

CREATE TABLE conversation_aliases (
    tenant_id TEXT NOT NULL, contact_id TEXT NOT NULL, alias TEXT NOT NULL, last_timestamp INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, contact_id, alias)) STRICT, WITHOUT ROWID;

CREATE INDEX conversation_aliases_newest
    ON conversation_aliases (tenant_id, alias, last_timestamp DESC, contact_id DESC);

CREATE TABLE conversation_counts (
    tenant_id TEXT NOT NULL, state TEXT NOT NULL, assignee_id TEXT NOT NULL, team_id TEXT NOT NULL,
    unread INTEGER NOT NULL, conversations INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, state, assignee_id, team_id, unread)) STRICT, WITHOUT ROWID;

CREATE TABLE conversation_reads (
    tenant_id TEXT NOT NULL, contact_id TEXT NOT NULL, user_id TEXT NOT NULL, seen INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, contact_id, user_id)) STRICT, WITHOUT ROWID;

CREATE INDEX conversation_reads_user ON conversation_reads (tenant_id, user_id, seen, contact_id);

CREATE TABLE conversation_tags (
    tenant_id TEXT NOT NULL, contact_id TEXT NOT NULL, tag TEXT NOT NULL, last_timestamp INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, contact_id, tag)) STRICT, WITHOUT ROWID;

CREATE INDEX conversation_tags_newest
    ON conversation_tags (tenant_id, tag, last_timestamp DESC, contact_id DESC);

CREATE TRIGGER conversation_aliases_follow AFTER UPDATE OF last_timestamp ON conversations
    WHEN (old.last_timestamp <> new.last_timestamp) AND true
    BEGIN UPDATE conversation_aliases SET last_timestamp = new.last_timestamp
      WHERE tenant_id = new.tenant_id AND contact_id = new.contact_id; END;

CREATE TRIGGER conversation_counted AFTER INSERT ON conversations BEGIN INSERT INTO conversation_counts (tenant_id, state, assignee_id, team_id, unread, conversations) VALUES (new.tenant_id, new.state, coalesce(new.assignee_id, ''), coalesce(new.team_id, ''),
    CASE WHEN new.unread > 0 THEN 1 ELSE 0 END, 1) ON CONFLICT (tenant_id, state, assignee_id, team_id, unread)
  DO UPDATE SET conversations = conversation_counts.conversations + excluded.conversations; END;

CREATE TRIGGER conversation_recounted AFTER UPDATE OF state, assignee_id, team_id, unread ON conversations
    WHEN old.state <> new.state OR old.assignee_id IS NOT new.assignee_id OR old.team_id IS NOT new.team_id
      OR (old.unread > 0) <> (new.unread > 0)
    BEGIN INSERT INTO conversation_counts (tenant_id, state, assignee_id, team_id, unread, conversations) VALUES (old.tenant_id, old.state, coalesce(old.assignee_id, ''), coalesce(old.team_id, ''),
    CASE WHEN old.unread > 0 THEN 1 ELSE 0 END, -1) ON CONFLICT (tenant_id, state, assignee_id, team_id, unread)
  DO UPDATE SET conversations = conversation_counts.conversations + excluded.conversations; INSERT INTO conversation_counts (tenant_id, state, assignee_id, team_id, unread, conversations) VALUES (new.tenant_id, new.state, coalesce(new.assignee_id, ''), coalesce(new.team_id, ''),
    CASE WHEN new.unread > 0 THEN 1 ELSE 0 END, 1) ON CONFLICT (tenant_id, state, assignee_id, team_id, unread)
  DO UPDATE SET conversations = conversation_counts.conversations + excluded.conversations; END;

CREATE TRIGGER conversation_tags_follow AFTER UPDATE OF last_timestamp ON conversations
    WHEN (old.last_timestamp <> new.last_timestamp) AND new.tags <> '[]'
    BEGIN UPDATE conversation_tags SET last_timestamp = new.last_timestamp
      WHERE tenant_id = new.tenant_id AND contact_id = new.contact_id; END;

CREATE TRIGGER conversation_uncounted AFTER DELETE ON conversations BEGIN INSERT INTO conversation_counts (tenant_id, state, assignee_id, team_id, unread, conversations) VALUES (old.tenant_id, old.state, coalesce(old.assignee_id, ''), coalesce(old.team_id, ''),
    CASE WHEN old.unread > 0 THEN 1 ELSE 0 END, -1) ON CONFLICT (tenant_id, state, assignee_id, team_id, unread)
  DO UPDATE SET conversations = conversation_counts.conversations + excluded.conversations; END;

CREATE TRIGGER report_conversation_changed AFTER UPDATE OF team_id, tags ON conversations FOR EACH ROW WHEN (old.team_id IS DISTINCT FROM new.team_id OR CAST(old.tags AS text) IS DISTINCT FROM CAST(new.tags AS text)) BEGIN INSERT INTO report_recounts (tenant_id, subject_id, stream, position)
    SELECT new.tenant_id, new.contact_id, streams.name, '' FROM (SELECT 'messages' AS name UNION ALL SELECT 'closings' UNION ALL SELECT 'runs') AS streams WHERE true
    ON CONFLICT (tenant_id, subject_id, stream) DO UPDATE SET position = '' WHERE report_recounts.position <> ''; END;

CREATE TABLE conversations (
    tenant_id TEXT NOT NULL, last_timestamp INTEGER NOT NULL, contact_id TEXT NOT NULL,
    last_message_id TEXT NOT NULL, last_message TEXT NOT NULL, last_channel TEXT NOT NULL, lead_id TEXT,
    unread INTEGER NOT NULL, state TEXT NOT NULL DEFAULT 'open', assignee_id TEXT, team_id TEXT, tags TEXT NOT NULL DEFAULT '[]', priority TEXT NOT NULL DEFAULT 'normal', snooze_until INTEGER, waiting_since INTEGER, answered_at INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (tenant_id, last_timestamp DESC, contact_id DESC)) STRICT, WITHOUT ROWID;

CREATE INDEX conversations_assigned
      ON conversations (tenant_id, state, last_timestamp DESC, contact_id DESC) WHERE assignee_id IS NOT NULL;

CREATE INDEX conversations_assignee
      ON conversations (tenant_id, assignee_id, state, last_timestamp DESC, contact_id DESC) WHERE assignee_id IS NOT NULL;

CREATE UNIQUE INDEX conversations_contact ON conversations (tenant_id, contact_id);

CREATE INDEX conversations_priority
      ON conversations (tenant_id, priority, state, last_timestamp DESC, contact_id DESC) WHERE priority <> 'normal';

CREATE INDEX conversations_snoozed
    ON conversations (tenant_id, snooze_until, contact_id) WHERE snooze_until IS NOT NULL;

CREATE INDEX conversations_team
      ON conversations (tenant_id, team_id, state, last_timestamp DESC, contact_id DESC) WHERE team_id IS NOT NULL;

CREATE INDEX conversations_unassigned
      ON conversations (tenant_id, state, last_timestamp DESC, contact_id DESC) WHERE assignee_id IS NULL;

CREATE INDEX conversations_unread
    ON conversations (tenant_id, last_timestamp DESC, contact_id DESC) WHERE unread > 0;

CREATE INDEX conversations_waiting
    ON conversations (tenant_id, waiting_since, contact_id) WHERE waiting_since IS NOT NULL;

CREATE TABLE credit_transactions (
    tenant_id TEXT NOT NULL, number INTEGER NOT NULL, transaction_id TEXT NOT NULL, kind TEXT NOT NULL,
    amount INTEGER NOT NULL, balance INTEGER NOT NULL, reference TEXT NOT NULL, note TEXT, created_at INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, number)) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX credit_transactions_reference ON credit_transactions (tenant_id, reference);

CREATE TABLE crm_calls (
    tenant_id TEXT NOT NULL, call_key TEXT NOT NULL, first_at INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, call_key)) STRICT, WITHOUT ROWID;

CREATE INDEX crm_calls_first ON crm_calls (tenant_id, first_at);

CREATE TABLE crm_first_syncs (
    tenant_id TEXT NOT NULL, location_id TEXT NOT NULL, state TEXT NOT NULL, step TEXT NOT NULL,
    cursor TEXT, total INTEGER, counts TEXT NOT NULL, reason TEXT, version INTEGER NOT NULL,
    started_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, finished_at INTEGER,
    PRIMARY KEY (tenant_id, location_id)) STRICT, WITHOUT ROWID;

CREATE TABLE crm_installs (
    tenant_id TEXT NOT NULL, location_id TEXT NOT NULL, company_id TEXT, sync TEXT NOT NULL,
    status TEXT NOT NULL,
    sealed_access TEXT NOT NULL, sealed_refresh TEXT NOT NULL, expires_at INTEGER NOT NULL, scopes TEXT NOT NULL,
    version INTEGER NOT NULL, refreshing_until INTEGER, reason TEXT, installed_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL, PRIMARY KEY (tenant_id, location_id)) STRICT, WITHOUT ROWID;

CREATE TABLE crm_links (
    tenant_id TEXT NOT NULL, location_id TEXT NOT NULL, crm_contact_id TEXT NOT NULL,
    contact_id TEXT NOT NULL, ours TEXT NOT NULL, theirs TEXT NOT NULL, sending TEXT,
    version INTEGER NOT NULL, gone_at INTEGER, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, location_id, crm_contact_id)) STRICT, WITHOUT ROWID;

CREATE INDEX crm_links_contact ON crm_links (tenant_id, contact_id);

CREATE TABLE crm_locations (
    tenant_id TEXT NOT NULL, location_id TEXT NOT NULL, sessions TEXT NOT NULL, created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL, PRIMARY KEY (tenant_id, location_id)) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX crm_locations_location ON crm_locations (location_id);

CREATE TABLE custom_fields (
    tenant_id TEXT NOT NULL, field_id TEXT NOT NULL, entity TEXT NOT NULL, key TEXT NOT NULL,
    label TEXT NOT NULL, type TEXT NOT NULL, options TEXT NOT NULL, required INTEGER NOT NULL,
    created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, PRIMARY KEY (tenant_id, field_id)) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX custom_fields_key ON custom_fields (tenant_id, entity, key);

CREATE TABLE dedup_keys (
    tenant_id TEXT NOT NULL, dedup_key TEXT NOT NULL, message_id TEXT NOT NULL, fingerprint TEXT,
    PRIMARY KEY (tenant_id, dedup_key)) STRICT, WITHOUT ROWID;

CREATE INDEX dedup_keys_message ON dedup_keys (tenant_id, message_id);

CREATE TABLE deployment (name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (name)) STRICT, WITHOUT ROWID;

CREATE TABLE drafts (
    tenant_id TEXT NOT NULL, draft_id TEXT NOT NULL, contact_id TEXT NOT NULL, lead_id TEXT,
    signal_id TEXT NOT NULL, channel TEXT NOT NULL, state TEXT NOT NULL, head_message_id TEXT NOT NULL,
    created_at INTEGER NOT NULL, body TEXT NOT NULL, message_id TEXT NOT NULL DEFAULT '', task_id TEXT, PRIMARY KEY (tenant_id, draft_id)) STRICT;

CREATE INDEX drafts_contact ON drafts (tenant_id, contact_id, created_at, draft_id);

CREATE INDEX drafts_of_contact ON drafts (tenant_id, contact_id, created_at, draft_id);

CREATE UNIQUE INDEX drafts_pending ON drafts (tenant_id, contact_id) WHERE state = 'pending';

CREATE TABLE enrolments (
    tenant_id TEXT NOT NULL, enrolment_id TEXT NOT NULL, sequence_id TEXT NOT NULL, contact_id TEXT NOT NULL,
    lead_id TEXT, lead_place TEXT, version INTEGER NOT NULL, state TEXT NOT NULL, stop_reason TEXT,
    step TEXT, next_at INTEGER, base_at INTEGER NOT NULL, history TEXT NOT NULL, last_sent_at INTEGER,
    attempts INTEGER NOT NULL, due_at INTEGER NOT NULL, enrolled_by TEXT NOT NULL, enrolled_by_user TEXT,
    created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, replies_after INTEGER, defects INTEGER NOT NULL DEFAULT 0, pause_reason TEXT, opted_out_at INTEGER, answered_at INTEGER,
    PRIMARY KEY (tenant_id, enrolment_id)) STRICT, WITHOUT ROWID;

CREATE INDEX enrolments_contact ON enrolments (tenant_id, contact_id, enrolment_id);

CREATE INDEX enrolments_created ON enrolments (tenant_id, sequence_id, created_at, enrolment_id);

CREATE INDEX enrolments_due ON enrolments (tenant_id, due_at, enrolment_id) WHERE state = 'active';

CREATE INDEX enrolments_ended ON enrolments (tenant_id, updated_at, enrolment_id)
    WHERE state IN ('completed', 'stopped', 'held_out');

CREATE INDEX enrolments_sequence ON enrolments (tenant_id, sequence_id, enrolment_id);

CREATE INDEX enrolments_sequence_state ON enrolments (tenant_id, sequence_id, state, enrolment_id);

CREATE INDEX enrolments_state ON enrolments (tenant_id, state, enrolment_id);

CREATE TABLE erasure_objects (
    tenant_id TEXT NOT NULL, erasure_id TEXT NOT NULL, object_key TEXT NOT NULL,
    PRIMARY KEY (tenant_id, erasure_id, object_key)) STRICT, WITHOUT ROWID;

CREATE TABLE erasures (
    tenant_id TEXT NOT NULL, erasure_id TEXT NOT NULL, contact_id TEXT NOT NULL,
    requested_by TEXT NOT NULL, requested_at INTEGER NOT NULL, completed_at INTEGER, receipt_hash TEXT,
    erased TEXT NOT NULL, emails TEXT NOT NULL, PRIMARY KEY (tenant_id, erasure_id)) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX erasures_contact ON erasures (tenant_id, contact_id);

CREATE INDEX erasures_newest ON erasures (tenant_id, requested_at DESC, erasure_id DESC);

CREATE TABLE event_sequences (
    tenant_id TEXT NOT NULL, last_sequence INTEGER NOT NULL, waiting INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (tenant_id)) STRICT, WITHOUT ROWID;

CREATE INDEX event_sequences_waiting ON event_sequences (tenant_id) WHERE waiting = 1;

CREATE TABLE events (
    tenant_id TEXT NOT NULL, sequence INTEGER NOT NULL, event_id TEXT NOT NULL, type TEXT NOT NULL,
    "timestamp" INTEGER NOT NULL, data TEXT NOT NULL, contact_id TEXT, PRIMARY KEY (tenant_id, sequence)) STRICT;

CREATE INDEX events_contact ON events (tenant_id, contact_id) WHERE contact_id IS NOT NULL;

CREATE TABLE grant_addresses (
    tenant_id TEXT NOT NULL, address TEXT NOT NULL, owned INTEGER NOT NULL DEFAULT 1, reversed_host TEXT NOT NULL DEFAULT '', PRIMARY KEY (tenant_id, address)) STRICT, WITHOUT ROWID;

CREATE INDEX grant_addresses_address ON grant_addresses (address);

CREATE INDEX grant_addresses_host ON grant_addresses (reversed_host);

CREATE UNIQUE INDEX grant_addresses_owned ON grant_addresses (address) WHERE owned = 1;

CREATE TABLE grants (
    tenant_id TEXT NOT NULL, grant_id TEXT NOT NULL, provider TEXT NOT NULL, email TEXT NOT NULL,
    name TEXT, status TEXT NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
    aliases TEXT NOT NULL, signature TEXT, provider_grant_id TEXT, is_default INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (tenant_id, grant_id)) STRICT, WITHOUT ROWID;

CREATE INDEX grants_provider ON grants (provider_grant_id) WHERE provider_grant_id IS NOT NULL;

CREATE TABLE guard_counts (
    tenant_id TEXT NOT NULL, day TEXT NOT NULL, guardrail_id TEXT NOT NULL, kind TEXT NOT NULL,
    outcome TEXT NOT NULL, count INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, day, guardrail_id, kind, outcome)) STRICT, WITHOUT ROWID;

CREATE TABLE guard_evaluations (
    tenant_id TEXT NOT NULL, evaluation_id TEXT NOT NULL, stage TEXT NOT NULL, signal_id TEXT NOT NULL,
    message_id TEXT NOT NULL, contact_id TEXT NOT NULL, created_at INTEGER NOT NULL, guardrail_id TEXT NOT NULL,
    kind TEXT NOT NULL, outcome TEXT NOT NULL, reason TEXT NOT NULL,
    PRIMARY KEY (tenant_id, evaluation_id)) STRICT, WITHOUT ROWID;

CREATE INDEX guard_evaluations_contact ON guard_evaluations (tenant_id, contact_id, evaluation_id);

CREATE INDEX guard_evaluations_guardrail ON guard_evaluations (tenant_id, guardrail_id, outcome, evaluation_id);

CREATE INDEX guard_evaluations_outcome ON guard_evaluations (tenant_id, outcome, evaluation_id);

CREATE TABLE idempotency_records (
    tenant_id TEXT NOT NULL, credential TEXT NOT NULL, route TEXT NOT NULL, idempotency_key TEXT NOT NULL,
    fingerprint TEXT NOT NULL, state TEXT NOT NULL, answer TEXT, lease_until INTEGER NOT NULL,
    created_at INTEGER NOT NULL, PRIMARY KEY (tenant_id, credential, route, idempotency_key)) STRICT, WITHOUT ROWID;

CREATE INDEX idempotency_records_created ON idempotency_records (tenant_id, created_at);

CREATE INDEX idempotency_records_state ON idempotency_records (tenant_id, state);

CREATE TRIGGER search_identity_gone AFTER DELETE ON identities BEGIN INSERT INTO search_queue (tenant_id, kind, id) VALUES (old.tenant_id, 'contact', old.contact_id)
    ON CONFLICT (tenant_id, kind, id) DO NOTHING; END;

CREATE TRIGGER search_identity_left AFTER UPDATE OF contact_id ON identities BEGIN INSERT INTO search_queue (tenant_id, kind, id) VALUES (old.tenant_id, 'contact', old.contact_id)
    ON CONFLICT (tenant_id, kind, id) DO NOTHING; END;

CREATE TRIGGER search_identity_moved AFTER UPDATE OF contact_id ON identities BEGIN INSERT INTO search_queue (tenant_id, kind, id) VALUES (new.tenant_id, 'contact', new.contact_id)
    ON CONFLICT (tenant_id, kind, id) DO NOTHING; END;

CREATE TRIGGER search_identity_new AFTER INSERT ON identities BEGIN INSERT INTO search_queue (tenant_id, kind, id) VALUES (new.tenant_id, 'contact', new.contact_id)
    ON CONFLICT (tenant_id, kind, id) DO NOTHING; END;

CREATE TABLE identities (
    tenant_id TEXT NOT NULL, identity TEXT NOT NULL, contact_id TEXT NOT NULL, created_at INTEGER NOT NULL, label TEXT, verified_at INTEGER,
    PRIMARY KEY (tenant_id, identity)) STRICT, WITHOUT ROWID;

CREATE INDEX identities_contact ON identities (tenant_id, contact_id);

CREATE TABLE "jobs" (
    tenant_id TEXT NOT NULL, job_id TEXT NOT NULL, attempts INTEGER NOT NULL, due_at INTEGER NOT NULL,
    created_at INTEGER NOT NULL, reason TEXT, job TEXT NOT NULL, PRIMARY KEY (tenant_id, job_id)) STRICT, WITHOUT ROWID;

CREATE INDEX jobs_due ON jobs (tenant_id, due_at, job_id);

CREATE INDEX jobs_failed ON jobs (tenant_id) WHERE attempts > 0 AND reason IS NOT NULL;

CREATE TABLE lead_scores (
    tenant_id TEXT NOT NULL, lead_id TEXT NOT NULL, score_id TEXT NOT NULL, message_id TEXT,
    signal_id TEXT, created_at INTEGER NOT NULL, score INTEGER NOT NULL, tier TEXT NOT NULL,
    factors TEXT NOT NULL, recommended_actions TEXT NOT NULL, classification TEXT,
    PRIMARY KEY (tenant_id, lead_id, score_id)) STRICT, WITHOUT ROWID;

CREATE TABLE lead_tags (
    tenant_id TEXT NOT NULL, tag TEXT NOT NULL, created_at INTEGER NOT NULL, lead_id TEXT NOT NULL,
    PRIMARY KEY (tenant_id, tag, created_at, lead_id)) STRICT, WITHOUT ROWID;

CREATE TABLE lead_totals (
    tenant_id TEXT NOT NULL, pipeline_id TEXT NOT NULL, stage_id TEXT NOT NULL, state TEXT NOT NULL,
    currency TEXT NOT NULL, leads INTEGER NOT NULL, value INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, pipeline_id, stage_id, state, currency)) STRICT, WITHOUT ROWID;

CREATE TRIGGER lead_counted AFTER INSERT ON leads FOR EACH ROW BEGIN INSERT INTO lead_totals (tenant_id, pipeline_id, stage_id, state, currency, leads, value)
    SELECT new.tenant_id, new.pipeline_id, coalesce(new.stage_id, ''), new.state, coalesce(new.currency, ''), 1, coalesce(new.value, 0) WHERE new.merged_into IS NULL
    ON CONFLICT (tenant_id, pipeline_id, stage_id, state, currency)
    DO UPDATE SET leads = lead_totals.leads + excluded.leads, value = lead_totals.value + excluded.value; END;

CREATE TRIGGER lead_moved AFTER UPDATE OF pipeline_id, stage_id, state, currency, value, merged_into ON leads FOR EACH ROW WHEN (old.pipeline_id IS DISTINCT FROM new.pipeline_id OR old.stage_id IS DISTINCT FROM new.stage_id OR old.state IS DISTINCT FROM new.state OR old.currency IS DISTINCT FROM new.currency OR old.value IS DISTINCT FROM new.value OR old.merged_into IS DISTINCT FROM new.merged_into) BEGIN INSERT INTO lead_totals (tenant_id, pipeline_id, stage_id, state, currency, leads, value)
    SELECT old.tenant_id, old.pipeline_id, coalesce(old.stage_id, ''), old.state, coalesce(old.currency, ''), -1, -coalesce(old.value, 0) WHERE old.merged_into IS NULL
    ON CONFLICT (tenant_id, pipeline_id, stage_id, state, currency)
    DO UPDATE SET leads = lead_totals.leads + excluded.leads, value = lead_totals.value + excluded.value; INSERT INTO lead_totals (tenant_id, pipeline_id, stage_id, state, currency, leads, value)
    SELECT new.tenant_id, new.pipeline_id, coalesce(new.stage_id, ''), new.state, coalesce(new.currency, ''), 1, coalesce(new.value, 0) WHERE new.merged_into IS NULL
    ON CONFLICT (tenant_id, pipeline_id, stage_id, state, currency)
    DO UPDATE SET leads = lead_totals.leads + excluded.leads, value = lead_totals.value + excluded.value; END;

CREATE TRIGGER lead_retagged AFTER UPDATE OF tags, merged_into ON leads FOR EACH ROW WHEN old.tags <> new.tags OR old.merged_into IS DISTINCT FROM new.merged_into BEGIN DELETE FROM lead_tags
    WHERE tenant_id = old.tenant_id AND created_at = old.created_at AND lead_id = old.lead_id
      AND tag IN (SELECT item.value FROM json_each(old.tags) AS item); INSERT INTO lead_tags (tenant_id, tag, created_at, lead_id)
    SELECT DISTINCT new.tenant_id, item.value, new.created_at, new.lead_id FROM json_each(new.tags) AS item
      WHERE new.merged_into IS NULL; END;

CREATE TRIGGER lead_tagged AFTER INSERT ON leads FOR EACH ROW WHEN new.tags <> '[]' BEGIN INSERT INTO lead_tags (tenant_id, tag, created_at, lead_id)
    SELECT DISTINCT new.tenant_id, item.value, new.created_at, new.lead_id FROM json_each(new.tags) AS item
      WHERE new.merged_into IS NULL; END;

CREATE TRIGGER lead_uncounted AFTER DELETE ON leads FOR EACH ROW BEGIN INSERT INTO lead_totals (tenant_id, pipeline_id, stage_id, state, currency, leads, value)
    SELECT old.tenant_id, old.pipeline_id, coalesce(old.stage_id, ''), old.state, coalesce(old.currency, ''), -1, -coalesce(old.value, 0) WHERE old.merged_into IS NULL
    ON CONFLICT (tenant_id, pipeline_id, stage_id, state, currency)
    DO UPDATE SET leads = lead_totals.leads + excluded.leads, value = lead_totals.value + excluded.value; END;

CREATE TRIGGER lead_untagged AFTER DELETE ON leads FOR EACH ROW WHEN old.tags <> '[]' BEGIN DELETE FROM lead_tags
    WHERE tenant_id = old.tenant_id AND created_at = old.created_at AND lead_id = old.lead_id
      AND tag IN (SELECT item.value FROM json_each(old.tags) AS item); END;

CREATE TRIGGER report_lead_changed AFTER UPDATE OF assignee_id, team_id, tags, value, currency, merged_into ON leads FOR EACH ROW
      WHEN (old.assignee_id IS DISTINCT FROM new.assignee_id OR old.team_id IS DISTINCT FROM new.team_id OR old.value IS DISTINCT FROM new.value OR old.currency IS DISTINCT FROM new.currency OR old.merged_into IS DISTINCT FROM new.merged_into
        OR CAST(old.tags AS text) IS DISTINCT FROM CAST(new.tags AS text)) BEGIN INSERT INTO report_recounts (tenant_id, subject_id, stream, position)
    SELECT new.tenant_id, new.lead_id, streams.name, '' FROM (SELECT 'leads' AS name) AS streams WHERE true
    ON CONFLICT (tenant_id, subject_id, stream) DO UPDATE SET position = '' WHERE report_recounts.position <> ''; END;

CREATE TRIGGER report_lead_deleted AFTER DELETE ON leads FOR EACH ROW BEGIN DELETE FROM stage_moves WHERE tenant_id = old.tenant_id AND lead_id = old.lead_id; DELETE FROM report_recounts WHERE tenant_id = old.tenant_id AND subject_id = old.lead_id; DELETE FROM report_facts
        WHERE tenant_id = old.tenant_id AND fact_id > old.lead_id || ':' AND fact_id < old.lead_id || ';'; END;

CREATE TRIGGER report_lead_moved AFTER UPDATE OF pipeline_id, stage_id, state ON leads FOR EACH ROW
      WHEN (old.pipeline_id IS DISTINCT FROM new.pipeline_id OR old.stage_id IS DISTINCT FROM new.stage_id OR old.state IS DISTINCT FROM new.state) BEGIN INSERT INTO stage_moves (tenant_id, lead_id, place, pipeline_id, stage_id, state, moved_at)
        SELECT old.tenant_id, old.lead_id, count(*), old.pipeline_id, old.stage_id, old.state, new.updated_at
        FROM stage_moves m WHERE m.tenant_id = old.tenant_id AND m.lead_id = old.lead_id; INSERT INTO report_recounts (tenant_id, subject_id, stream, position)
    SELECT new.tenant_id, new.lead_id, streams.name, '' FROM (SELECT 'leads' AS name) AS streams WHERE true
    ON CONFLICT (tenant_id, subject_id, stream) DO UPDATE SET position = '' WHERE report_recounts.position <> ''; END;

CREATE TRIGGER report_lead_scored AFTER UPDATE OF tier ON leads FOR EACH ROW WHEN (old.tier IS DISTINCT FROM new.tier) BEGIN INSERT INTO report_recounts (tenant_id, subject_id, stream, position)
    SELECT p.tenant_id, new.lead_id, p.stream, '' FROM report_positions p
      WHERE p.tenant_id = new.tenant_id AND p.stream = 'leads' AND p.position >= new.lead_id
    ON CONFLICT (tenant_id, subject_id, stream) DO UPDATE SET position = '' WHERE report_recounts.position <> ''; END;

CREATE TABLE leads (
    tenant_id TEXT NOT NULL, lead_id TEXT NOT NULL, contact_id TEXT NOT NULL, thread_id TEXT,
    channel TEXT NOT NULL, source TEXT NOT NULL, state TEXT NOT NULL, score INTEGER, tier TEXT,
    assignee TEXT, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, last_message_at INTEGER NOT NULL,
    merged_into TEXT, subject TEXT, classification TEXT, factors TEXT NOT NULL, assignee_id TEXT, team_id TEXT, pipeline_id TEXT NOT NULL DEFAULT 'pip_default', stage_id TEXT, value INTEGER, currency TEXT, expected_close_on TEXT, tags TEXT NOT NULL DEFAULT '[]', loss_reason TEXT, custom_fields TEXT NOT NULL DEFAULT '{}',
    PRIMARY KEY (tenant_id, lead_id)) STRICT;

CREATE INDEX leads_assignee_created_at ON leads (tenant_id, assignee, state, coalesce(tier, ''), created_at, lead_id)
    WHERE merged_into IS NULL AND assignee IS NOT NULL;

CREATE INDEX leads_assignee_id_created_at ON leads
      (tenant_id, assignee_id, state, coalesce(tier, ''), created_at, lead_id)
      WHERE merged_into IS NULL AND assignee_id IS NOT NULL;

CREATE INDEX leads_assignee_id_last_message_at ON leads
      (tenant_id, assignee_id, state, coalesce(tier, ''), last_message_at, lead_id)
      WHERE merged_into IS NULL AND assignee_id IS NOT NULL;

CREATE INDEX leads_assignee_last_message_at ON leads (tenant_id, assignee, state, coalesce(tier, ''), last_message_at, lead_id)
    WHERE merged_into IS NULL AND assignee IS NOT NULL;

CREATE INDEX leads_contact ON leads (tenant_id, contact_id, last_message_at DESC);

CREATE INDEX leads_created_at ON leads (tenant_id, state, coalesce(tier, ''), created_at, lead_id) WHERE merged_into IS NULL;

CREATE INDEX leads_expected_close_on ON leads (tenant_id, expected_close_on, lead_id)
    WHERE merged_into IS NULL AND expected_close_on IS NOT NULL;

CREATE INDEX leads_last_message_at ON leads (tenant_id, state, coalesce(tier, ''), last_message_at, lead_id) WHERE merged_into IS NULL;

CREATE INDEX leads_merged ON leads (tenant_id, merged_into) WHERE merged_into IS NOT NULL;

CREATE INDEX leads_stage ON leads (tenant_id, pipeline_id, coalesce(stage_id, ''), state, created_at, lead_id)
    WHERE merged_into IS NULL;

CREATE INDEX leads_team_id_created_at ON leads
      (tenant_id, team_id, state, coalesce(tier, ''), created_at, lead_id)
      WHERE merged_into IS NULL AND team_id IS NOT NULL;

CREATE INDEX leads_team_id_last_message_at ON leads
      (tenant_id, team_id, state, coalesce(tier, ''), last_message_at, lead_id)
      WHERE merged_into IS NULL AND team_id IS NOT NULL;

CREATE INDEX leads_value ON leads (tenant_id, value, lead_id) WHERE merged_into IS NULL AND value IS NOT NULL;

CREATE TABLE macros (
    tenant_id TEXT NOT NULL, macro_id TEXT NOT NULL, name TEXT NOT NULL, actions TEXT NOT NULL,
    created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, macro_id)) STRICT, WITHOUT ROWID;

CREATE TABLE mailbox_accounts (
    tenant_id TEXT NOT NULL, grant_id TEXT NOT NULL, username TEXT NOT NULL, imap TEXT NOT NULL,
    smtp TEXT NOT NULL, secret TEXT NOT NULL, since_at INTEGER NOT NULL, sets_flags INTEGER NOT NULL,
    created_at INTEGER NOT NULL, renewal_claim INTEGER NOT NULL DEFAULT 0, renewing_until INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (tenant_id, grant_id)) STRICT, WITHOUT ROWID;

CREATE TABLE mailbox_folders (
    tenant_id TEXT NOT NULL, grant_id TEXT NOT NULL, path TEXT NOT NULL, role TEXT NOT NULL,
    uid_validity TEXT NOT NULL, uid_next INTEGER NOT NULL, backfill_uid INTEGER, highest_modseq TEXT,
    messages INTEGER NOT NULL, synced_at INTEGER, PRIMARY KEY (tenant_id, grant_id, path)) STRICT, WITHOUT ROWID;

CREATE TABLE mailbox_syncs (
    tenant_id TEXT NOT NULL, grant_id TEXT NOT NULL, due_at INTEGER NOT NULL, claim INTEGER NOT NULL,
    last_sync_at INTEGER, failing_since INTEGER, failures INTEGER NOT NULL, error TEXT, is_reported INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, grant_id)) STRICT, WITHOUT ROWID;

CREATE INDEX mailbox_syncs_due ON mailbox_syncs (tenant_id, due_at, grant_id);

CREATE INDEX mailbox_syncs_failing ON mailbox_syncs (tenant_id, failing_since) WHERE failing_since IS NOT NULL;

CREATE TABLE merge_suggestions (
    tenant_id TEXT NOT NULL, first_id TEXT NOT NULL, second_id TEXT NOT NULL, into_id TEXT NOT NULL,
    from_id TEXT NOT NULL, reason TEXT NOT NULL, created_at INTEGER NOT NULL, dismissed_at INTEGER,
    PRIMARY KEY (tenant_id, first_id, second_id)) STRICT, WITHOUT ROWID;

CREATE INDEX merge_suggestions_newest
    ON merge_suggestions (tenant_id, created_at DESC, first_id DESC, second_id DESC) WHERE dismissed_at IS NULL;

CREATE INDEX merge_suggestions_second ON merge_suggestions (tenant_id, second_id);

CREATE TRIGGER message_answers AFTER INSERT ON messages WHEN new.actor = 'contact' AND new.auto IS NULL BEGIN UPDATE enrolments SET answered_at = new.received_at
          WHERE tenant_id = new.tenant_id AND contact_id = new.contact_id AND answered_at IS NULL; UPDATE trigger_runs SET answered_at = new.received_at
          WHERE tenant_id = new.tenant_id AND contact_id = new.contact_id AND state = 'waiting' AND trigger = 'no_answer' AND answered_at IS NULL; END;

CREATE TRIGGER report_message_changed AFTER UPDATE OF contact_id, auto ON messages FOR EACH ROW
      WHEN (old.contact_id IS DISTINCT FROM new.contact_id OR old.auto IS DISTINCT FROM new.auto) BEGIN INSERT INTO report_recounts
    (tenant_id, subject_id, stream, position)
  SELECT old.tenant_id, old.contact_id, streams.name, ''
    FROM (SELECT 'messages' AS name UNION ALL SELECT 'closings' UNION ALL SELECT 'runs') AS streams WHERE true
  ON CONFLICT (tenant_id, subject_id, stream) DO UPDATE SET position = '' WHERE report_recounts.position <> ''; INSERT INTO report_recounts
    (tenant_id, subject_id, stream, position)
  SELECT new.tenant_id, new.contact_id, streams.name, ''
    FROM (SELECT 'messages' AS name UNION ALL SELECT 'closings' UNION ALL SELECT 'runs') AS streams WHERE true
  ON CONFLICT (tenant_id, subject_id, stream) DO UPDATE SET position = '' WHERE report_recounts.position <> ''; END;

CREATE TRIGGER report_message_deleted AFTER DELETE ON messages FOR EACH ROW BEGIN DELETE FROM report_facts
      WHERE tenant_id = old.tenant_id AND fact_id IN (old.message_id, old.message_id || ':delivery'); END;

CREATE TRIGGER report_message_delivered AFTER UPDATE OF delivery ON messages FOR EACH ROW WHEN (old.delivery IS DISTINCT FROM new.delivery) BEGIN INSERT INTO report_recounts (tenant_id, subject_id, stream, position)
    SELECT p.tenant_id, new.contact_id, p.stream, '' FROM report_positions p
      WHERE p.tenant_id = new.tenant_id AND p.stream = 'messages' AND p.position >= new.message_id
    ON CONFLICT (tenant_id, subject_id, stream) DO UPDATE SET position = '' WHERE report_recounts.position <> ''; END;

CREATE TRIGGER search_message_gone AFTER DELETE ON messages BEGIN INSERT INTO search_queue (tenant_id, kind, id) VALUES (old.tenant_id, 'message', old.message_id)
    ON CONFLICT (tenant_id, kind, id) DO NOTHING; END;

CREATE TRIGGER search_message_new AFTER INSERT ON messages BEGIN INSERT INTO search_queue (tenant_id, kind, id) VALUES (new.tenant_id, 'message', new.message_id)
    ON CONFLICT (tenant_id, kind, id) DO NOTHING; END;

CREATE TABLE messages (
    tenant_id TEXT NOT NULL, message_id TEXT NOT NULL, contact_id TEXT NOT NULL, lead_id TEXT,
    thread_id TEXT, channel TEXT NOT NULL, actor TEXT NOT NULL, auto TEXT, source TEXT NOT NULL,
    "timestamp" INTEGER NOT NULL, received_at INTEGER NOT NULL, internet_message_id TEXT, received_alias TEXT,
    from_address TEXT, to_addresses TEXT NOT NULL, cc_addresses TEXT NOT NULL, flags TEXT NOT NULL,
    attachments TEXT NOT NULL, metadata TEXT NOT NULL, subject TEXT, body TEXT NOT NULL,
    quoted_text TEXT, html_body TEXT, delivery TEXT, provider_message_id TEXT, reply_to TEXT NOT NULL DEFAULT '[]', raw_key TEXT, raw_size INTEGER, raw_type TEXT, subject_contact_id TEXT, reference_ids TEXT NOT NULL DEFAULT '[]', user_id TEXT, thread_rule TEXT, thread_via TEXT, authentication TEXT, grant_id TEXT, PRIMARY KEY (tenant_id, message_id)) STRICT;

CREATE INDEX messages_contact ON messages (tenant_id, contact_id, "timestamp", message_id);

CREATE INDEX messages_from_contact ON messages (tenant_id, contact_id, received_at, message_id)
    WHERE actor = 'contact';

CREATE INDEX messages_lead_time ON messages (tenant_id, lead_id, "timestamp", message_id) WHERE lead_id IS NOT NULL;

CREATE INDEX messages_ours ON messages (tenant_id, contact_id, actor, "timestamp")
    WHERE actor IN ('assistant', 'agent');

CREATE INDEX messages_thread ON messages (tenant_id, thread_id, "timestamp", message_id)
    WHERE thread_id IS NOT NULL;

CREATE TRIGGER search_note_changed AFTER UPDATE OF body ON notes BEGIN INSERT INTO search_queue (tenant_id, kind, id) VALUES (new.tenant_id, 'note', new.note_id)
    ON CONFLICT (tenant_id, kind, id) DO NOTHING; END;

CREATE TRIGGER search_note_gone AFTER DELETE ON notes BEGIN INSERT INTO search_queue (tenant_id, kind, id) VALUES (old.tenant_id, 'note', old.note_id)
    ON CONFLICT (tenant_id, kind, id) DO NOTHING; END;

CREATE TRIGGER search_note_new AFTER INSERT ON notes BEGIN INSERT INTO search_queue (tenant_id, kind, id) VALUES (new.tenant_id, 'note', new.note_id)
    ON CONFLICT (tenant_id, kind, id) DO NOTHING; END;

CREATE TABLE notes (
    tenant_id TEXT NOT NULL, note_id TEXT NOT NULL, contact_id TEXT NOT NULL, author_id TEXT,
    author TEXT NOT NULL, body TEXT NOT NULL, mentions TEXT NOT NULL, team_mentions TEXT NOT NULL,
    created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, note_id)) STRICT, WITHOUT ROWID;

CREATE INDEX notes_contact ON notes (tenant_id, contact_id, created_at, note_id);

CREATE TABLE opt_outs (
    tenant_id TEXT NOT NULL, phone TEXT NOT NULL, own_phone TEXT NOT NULL, opted_out INTEGER NOT NULL,
    source TEXT NOT NULL, changed_at INTEGER NOT NULL, history TEXT NOT NULL, evidence TEXT,
    PRIMARY KEY (tenant_id, phone, own_phone)) STRICT, WITHOUT ROWID;

CREATE TABLE phone_numbers (
    tenant_id TEXT NOT NULL, phone TEXT NOT NULL, is_default INTEGER NOT NULL, created_at INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, phone)) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX phone_numbers_phone ON phone_numbers (phone);

CREATE TABLE "provider_events" (
    tenant_id TEXT NOT NULL, provider TEXT NOT NULL, event_id TEXT NOT NULL, received_at INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, provider, event_id)) STRICT, WITHOUT ROWID;

CREATE INDEX provider_events_received ON provider_events (tenant_id, received_at);

CREATE TABLE remote_image_senders (
    tenant_id TEXT NOT NULL, contact_id TEXT NOT NULL, allowed_at INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, contact_id)) STRICT, WITHOUT ROWID;

CREATE TABLE report_counts (
      tenant_id TEXT NOT NULL, metric TEXT NOT NULL, day TEXT NOT NULL, tag TEXT NOT NULL,
      channel TEXT NOT NULL, user_id TEXT NOT NULL, team_id TEXT NOT NULL, source TEXT NOT NULL, pipeline_id TEXT NOT NULL, detail TEXT NOT NULL, bucket INTEGER NOT NULL, "count" INTEGER NOT NULL, seconds INTEGER NOT NULL,
      PRIMARY KEY (tenant_id, metric, day, tag, channel, user_id, team_id, source, pipeline_id, detail, bucket)) STRICT, WITHOUT ROWID;

CREATE TRIGGER report_fact_counted AFTER INSERT ON report_facts FOR EACH ROW BEGIN INSERT INTO report_counts (tenant_id, metric, day, tag, channel, user_id, team_id, source, pipeline_id, detail, bucket, "count", seconds)
    SELECT new.tenant_id, new.metric, new.day, tags.value,
      new.channel, new.user_id, new.team_id, new.source, new.pipeline_id, new.detail, new.bucket, 1, new.seconds
    FROM (SELECT '' AS value UNION ALL SELECT item.value FROM json_each(new.tags) AS item) AS tags WHERE true
    ON CONFLICT (tenant_id, metric, day, tag, channel, user_id, team_id, source, pipeline_id, detail, bucket) DO UPDATE
      SET "count" = report_counts."count" + excluded."count", seconds = report_counts.seconds + excluded.seconds; END;

CREATE TRIGGER report_fact_uncounted AFTER DELETE ON report_facts FOR EACH ROW BEGIN INSERT INTO report_counts (tenant_id, metric, day, tag, channel, user_id, team_id, source, pipeline_id, detail, bucket, "count", seconds)
    SELECT old.tenant_id, old.metric, old.day, tags.value,
      old.channel, old.user_id, old.team_id, old.source, old.pipeline_id, old.detail, old.bucket, -1, -old.seconds
    FROM (SELECT '' AS value UNION ALL SELECT item.value FROM json_each(old.tags) AS item) AS tags WHERE true
    ON CONFLICT (tenant_id, metric, day, tag, channel, user_id, team_id, source, pipeline_id, detail, bucket) DO UPDATE
      SET "count" = report_counts."count" + excluded."count", seconds = report_counts.seconds + excluded.seconds; DELETE FROM report_counts WHERE tenant_id = old.tenant_id AND metric = old.metric AND day = old.day AND channel = old.channel AND user_id = old.user_id AND team_id = old.team_id AND source = old.source AND pipeline_id = old.pipeline_id AND detail = old.detail AND bucket = old.bucket AND tag IN (SELECT '' UNION ALL SELECT item.value FROM json_each(old.tags) AS item) AND "count" = 0; END;

CREATE TABLE report_facts (
      tenant_id TEXT NOT NULL, fact_id TEXT NOT NULL, metric TEXT NOT NULL, day TEXT NOT NULL,
      channel TEXT NOT NULL, user_id TEXT NOT NULL, team_id TEXT NOT NULL, source TEXT NOT NULL, pipeline_id TEXT NOT NULL, detail TEXT NOT NULL, tags TEXT NOT NULL, seconds INTEGER NOT NULL, bucket INTEGER NOT NULL,
      PRIMARY KEY (tenant_id, fact_id, metric)) STRICT, WITHOUT ROWID;

CREATE INDEX report_facts_day ON report_facts (tenant_id, day);

CREATE TABLE report_positions (
    tenant_id TEXT NOT NULL, stream TEXT NOT NULL, position TEXT NOT NULL,
    PRIMARY KEY (tenant_id, stream)) STRICT, WITHOUT ROWID;

CREATE TABLE report_recounts (
      tenant_id TEXT NOT NULL, subject_id TEXT NOT NULL, stream TEXT NOT NULL, position TEXT NOT NULL,
      PRIMARY KEY (tenant_id, subject_id, stream)) STRICT, WITHOUT ROWID;

CREATE TRIGGER report_run_deleted AFTER DELETE ON runs FOR EACH ROW BEGIN DELETE FROM report_facts WHERE tenant_id = old.tenant_id AND fact_id = old.run_id; END;

CREATE TABLE runs (
    tenant_id TEXT NOT NULL, signal_id TEXT NOT NULL, run_id TEXT NOT NULL, message_id TEXT NOT NULL,
    contact_id TEXT NOT NULL, lead_id TEXT, config_version INTEGER NOT NULL, created_at INTEGER NOT NULL,
    result TEXT NOT NULL, inputs TEXT, recordings TEXT, PRIMARY KEY (tenant_id, signal_id)) STRICT;

CREATE INDEX runs_contact ON runs (tenant_id, contact_id, signal_id);

CREATE INDEX runs_in_order ON runs (tenant_id, run_id);

CREATE INDEX runs_lead ON runs (tenant_id, lead_id, signal_id) WHERE lead_id IS NOT NULL;

CREATE TRIGGER report_stages_added AFTER INSERT ON sales_pipelines FOR EACH ROW BEGIN INSERT INTO report_recounts (tenant_id, subject_id, stream, position)
    SELECT new.tenant_id, '', streams.name, '' FROM (SELECT 'leads' AS name) AS streams WHERE true
    ON CONFLICT (tenant_id, subject_id, stream) DO UPDATE SET position = '' WHERE report_recounts.position <> ''; END;

CREATE TRIGGER report_stages_changed AFTER UPDATE OF stages ON sales_pipelines FOR EACH ROW WHEN (CAST(old.stages AS text) IS DISTINCT FROM CAST(new.stages AS text)) BEGIN INSERT INTO report_recounts (tenant_id, subject_id, stream, position)
    SELECT new.tenant_id, '', streams.name, '' FROM (SELECT 'leads' AS name) AS streams WHERE true
    ON CONFLICT (tenant_id, subject_id, stream) DO UPDATE SET position = '' WHERE report_recounts.position <> ''; END;

CREATE TABLE sales_pipelines (
    tenant_id TEXT NOT NULL, pipeline_id TEXT NOT NULL, name TEXT NOT NULL, stages TEXT NOT NULL,
    created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, PRIMARY KEY (tenant_id, pipeline_id)) STRICT, WITHOUT ROWID;

CREATE TABLE scheduled_sends (
    tenant_id TEXT NOT NULL, message_id TEXT NOT NULL, contact_id TEXT NOT NULL, state TEXT NOT NULL,
    composition TEXT NOT NULL, override TEXT, send_at INTEGER NOT NULL, undo INTEGER NOT NULL,
    cancel_on_reply INTEGER NOT NULL, version INTEGER NOT NULL, send_key TEXT NOT NULL, fingerprint TEXT NOT NULL,
    reason TEXT, attempts INTEGER NOT NULL, due_at INTEGER NOT NULL, created_by TEXT NOT NULL,
    created_by_user TEXT, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, message_id)) STRICT, WITHOUT ROWID;

CREATE INDEX scheduled_sends_contact ON scheduled_sends (tenant_id, contact_id, state, send_at, message_id);

CREATE INDEX scheduled_sends_due ON scheduled_sends (tenant_id, due_at, message_id) WHERE state = 'scheduled';

CREATE UNIQUE INDEX scheduled_sends_key ON scheduled_sends (tenant_id, send_key);

CREATE INDEX scheduled_sends_state ON scheduled_sends (tenant_id, state, send_at, message_id);

CREATE TABLE search_documents (
    tenant_id TEXT NOT NULL, place INTEGER NOT NULL, id TEXT NOT NULL, "timestamp" INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, place)) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX search_documents_id ON search_documents (tenant_id, id);

CREATE TABLE search_queue (
    tenant_id TEXT NOT NULL, kind TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY (tenant_id, kind, id)) STRICT, WITHOUT ROWID;

CREATE TABLE search_segments (
    tenant_id TEXT NOT NULL, segment INTEGER NOT NULL, documents INTEGER NOT NULL, summarized INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (tenant_id, segment)) STRICT, WITHOUT ROWID;

CREATE INDEX search_segments_unsummarized ON search_segments (tenant_id, segment)
  WHERE documents = 4096 AND (summarized = 0 OR summarized > 256);

CREATE VIRTUAL TABLE search_summaries USING fts5(
  words, content='', contentless_delete=1, detail=none, tokenize="ascii tokenchars '-_'");

CREATE VIRTUAL TABLE search_terms USING fts5vocab('search_words', 'row');

CREATE VIRTUAL TABLE search_words USING fts5(
  words, content='', contentless_delete=1, detail=none, tokenize="ascii tokenchars '-_'");

CREATE TABLE segments (
    tenant_id TEXT NOT NULL, segment_id TEXT NOT NULL, name TEXT NOT NULL, filters TEXT NOT NULL,
    created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, PRIMARY KEY (tenant_id, segment_id)) STRICT, WITHOUT ROWID;

CREATE TABLE sends (
    tenant_id TEXT NOT NULL, message_id TEXT NOT NULL, send_key TEXT NOT NULL, fingerprint TEXT NOT NULL,
    grant_id TEXT NOT NULL, contact_id TEXT NOT NULL, lead_id TEXT, thread_id TEXT NOT NULL,
    correspondent TEXT NOT NULL, automatic INTEGER NOT NULL, state TEXT NOT NULL, attempts INTEGER NOT NULL,
    slot_at INTEGER NOT NULL, due_at INTEGER NOT NULL, created_at INTEGER NOT NULL, ended_at INTEGER, reason TEXT,
    mail TEXT NOT NULL, channel TEXT NOT NULL DEFAULT 'email', override TEXT, history TEXT NOT NULL DEFAULT '[]', PRIMARY KEY (tenant_id, message_id)) STRICT;

CREATE INDEX sends_automatic ON sends (tenant_id, correspondent, created_at) WHERE automatic = 1;

CREATE INDEX sends_due ON sends (tenant_id, due_at, message_id) WHERE state IN ('reserved', 'handed_over');

CREATE INDEX sends_failed ON sends (ended_at) WHERE state = 'failed';

CREATE UNIQUE INDEX sends_key ON sends (tenant_id, send_key);

CREATE INDEX sends_slot ON sends (tenant_id, slot_at);

CREATE TABLE sequence_counts (
    tenant_id TEXT NOT NULL, sequence_id TEXT NOT NULL, starts_at INTEGER NOT NULL, emails INTEGER NOT NULL,
    texts INTEGER NOT NULL, bounced INTEGER NOT NULL, complained INTEGER NOT NULL, opted_out INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, sequence_id, starts_at)) STRICT, WITHOUT ROWID;

CREATE INDEX sequence_counts_start ON sequence_counts (tenant_id, starts_at, sequence_id);

CREATE TABLE sequence_versions (
    tenant_id TEXT NOT NULL, sequence_id TEXT NOT NULL, version INTEGER NOT NULL, steps TEXT NOT NULL,
    stop_on TEXT NOT NULL,
    PRIMARY KEY (tenant_id, sequence_id, version)) STRICT, WITHOUT ROWID;

CREATE TABLE sequences (
    tenant_id TEXT NOT NULL, sequence_id TEXT NOT NULL, name TEXT NOT NULL, version INTEGER NOT NULL,
    steps TEXT NOT NULL, stop_on TEXT NOT NULL, migrates_to INTEGER NOT NULL, archived_at INTEGER,
    created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, holdout_percent INTEGER NOT NULL DEFAULT 0, limits TEXT NOT NULL DEFAULT '{"bounce_percent":5,"complaint_percent":0.3,"opt_out_percent":5,"min_messages":50}', paused_at INTEGER, pause_reason TEXT, pause_detail TEXT, resumed_at INTEGER, rule_id TEXT,
    PRIMARY KEY (tenant_id, sequence_id)) STRICT, WITHOUT ROWID;

CREATE INDEX sequences_active ON sequences (tenant_id, sequence_id) WHERE archived_at IS NULL;

CREATE UNIQUE INDEX sequences_rule ON sequences (tenant_id, rule_id) WHERE rule_id IS NOT NULL;

CREATE TABLE session_origins (
    tenant_id TEXT NOT NULL, origin TEXT NOT NULL, PRIMARY KEY (tenant_id, origin)) STRICT, WITHOUT ROWID;

CREATE INDEX session_origins_origin ON session_origins (origin);

CREATE TABLE sign_ins (
    tenant_id TEXT NOT NULL, state_hash TEXT NOT NULL, principal TEXT NOT NULL, expires_at INTEGER NOT NULL, sealed TEXT,
    PRIMARY KEY (tenant_id, state_hash)) STRICT, WITHOUT ROWID;

CREATE TABLE signals (
    tenant_id TEXT NOT NULL, signal_id TEXT NOT NULL, message_id TEXT NOT NULL, contact_id TEXT NOT NULL,
    lead_id TEXT, state TEXT NOT NULL, attempts INTEGER NOT NULL, due_at INTEGER NOT NULL, created_at INTEGER NOT NULL,
    ended_at INTEGER, reason TEXT, unfinished INTEGER NOT NULL DEFAULT 0, suspect INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (tenant_id, signal_id)) STRICT, WITHOUT ROWID;

CREATE INDEX signals_due ON signals (tenant_id, due_at, signal_id) WHERE state = 'queued';

CREATE INDEX signals_failed ON signals (ended_at) WHERE state = 'failed';

CREATE TABLE sources (
    tenant_id TEXT NOT NULL, source_id TEXT NOT NULL, prefix TEXT NOT NULL, hash TEXT NOT NULL,
    created_at INTEGER NOT NULL, PRIMARY KEY (tenant_id, source_id)) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX sources_hash ON sources (hash);

CREATE TABLE stage_moves (
      tenant_id TEXT NOT NULL, lead_id TEXT NOT NULL, place INTEGER NOT NULL, pipeline_id TEXT NOT NULL,
      stage_id TEXT, state TEXT NOT NULL, moved_at INTEGER NOT NULL,
      PRIMARY KEY (tenant_id, lead_id, place)) STRICT, WITHOUT ROWID;

CREATE TABLE stream_tickets (
    tenant_id TEXT NOT NULL, hash TEXT NOT NULL, sealed TEXT NOT NULL, expires_at INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, hash)) STRICT, WITHOUT ROWID;

CREATE INDEX stream_tickets_expiry ON stream_tickets (tenant_id, expires_at);

CREATE TABLE task_comments (
    tenant_id TEXT NOT NULL, task_id TEXT NOT NULL, comment_id TEXT NOT NULL, author_id TEXT,
    author TEXT NOT NULL, body TEXT NOT NULL, created_at INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, task_id, comment_id)) STRICT, WITHOUT ROWID;

CREATE TABLE tasks (
    tenant_id TEXT NOT NULL, task_id TEXT NOT NULL, type TEXT NOT NULL, status TEXT NOT NULL,
    title TEXT NOT NULL, lead_id TEXT, signal_id TEXT, due_at INTEGER,
    created_at INTEGER NOT NULL, disposition TEXT, snooze_until INTEGER, updated_at INTEGER NOT NULL DEFAULT 0, priority TEXT NOT NULL DEFAULT 'normal', description TEXT, assignee_id TEXT, team_id TEXT, remind_at INTEGER, recurrence TEXT, recurrence_minute INTEGER, next_task_id TEXT, contact_id TEXT, PRIMARY KEY (tenant_id, task_id)) STRICT, WITHOUT ROWID;

CREATE INDEX tasks_assignee ON tasks (tenant_id, assignee_id, status, type, priority, coalesce(due_at, 9007199254740991), created_at, task_id) WHERE assignee_id IS NOT NULL;

CREATE INDEX tasks_contact ON tasks (tenant_id, contact_id, created_at, task_id);

CREATE INDEX tasks_lead ON tasks (tenant_id, lead_id) WHERE lead_id IS NOT NULL;

CREATE INDEX tasks_priority ON tasks
    (tenant_id, status, type, priority, coalesce(due_at, 9007199254740991), created_at, task_id);

CREATE INDEX tasks_queue ON tasks (tenant_id, status, type, coalesce(due_at, 9007199254740991), created_at, task_id);

CREATE INDEX tasks_snoozed ON tasks (tenant_id, snooze_until) WHERE status = 'snoozed';

CREATE INDEX tasks_team ON tasks (tenant_id, team_id, status, type, priority, coalesce(due_at, 9007199254740991), created_at, task_id) WHERE team_id IS NOT NULL;

CREATE TABLE teams (
    tenant_id TEXT NOT NULL, team_id TEXT NOT NULL, name TEXT NOT NULL, member_ids TEXT NOT NULL,
    last_assigned_id TEXT, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, team_id)) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX teams_name ON teams (tenant_id, name);

CREATE TABLE tenant_configs (
    tenant_id TEXT NOT NULL, version INTEGER NOT NULL, config TEXT NOT NULL,
    PRIMARY KEY (tenant_id, version)) STRICT, WITHOUT ROWID;

CREATE TABLE tenants (
    tenant_id TEXT NOT NULL, name TEXT NOT NULL, domain TEXT, hipaa INTEGER NOT NULL, created_at INTEGER NOT NULL,
    archived_at INTEGER, config_version INTEGER NOT NULL, plan TEXT NOT NULL DEFAULT 'trial', cap_actions INTEGER, cap_ai_calls INTEGER, owns_domain INTEGER NOT NULL DEFAULT 1, locale TEXT, PRIMARY KEY (tenant_id)) STRICT, WITHOUT ROWID;

CREATE INDEX tenants_domain ON tenants (domain);

CREATE UNIQUE INDEX tenants_owned_domain ON tenants (domain) WHERE archived_at IS NULL AND owns_domain = 1;

CREATE TABLE thread_correction_items (
    tenant_id TEXT NOT NULL, correction_id TEXT NOT NULL, kind TEXT NOT NULL, item_id TEXT NOT NULL,
    thread_id TEXT NOT NULL, lead_id TEXT, seen INTEGER, weak INTEGER,
    PRIMARY KEY (tenant_id, correction_id, kind, item_id, thread_id)) STRICT, WITHOUT ROWID;

CREATE INDEX thread_correction_items_item ON thread_correction_items (tenant_id, item_id, correction_id);

CREATE TABLE thread_corrections (
    tenant_id TEXT NOT NULL, correction_id TEXT NOT NULL, kind TEXT NOT NULL, thread_id TEXT NOT NULL,
    from_thread_ids TEXT NOT NULL, message_id TEXT, actor TEXT NOT NULL, created_at INTEGER NOT NULL,
    undone_at INTEGER, undone_by TEXT, user_id TEXT, undone_by_user TEXT, user_name TEXT, undone_by_user_name TEXT, PRIMARY KEY (tenant_id, correction_id)) STRICT;

CREATE TABLE thread_ids (
    tenant_id TEXT NOT NULL, message_id TEXT NOT NULL, thread_id TEXT NOT NULL, seen INTEGER NOT NULL,
    weak INTEGER NOT NULL, PRIMARY KEY (tenant_id, message_id, thread_id)) STRICT, WITHOUT ROWID;

CREATE INDEX thread_ids_thread ON thread_ids (tenant_id, thread_id);

CREATE TABLE thread_participants (
    tenant_id TEXT NOT NULL, thread_id TEXT NOT NULL, email TEXT NOT NULL,
    PRIMARY KEY (tenant_id, thread_id, email)) STRICT, WITHOUT ROWID;

CREATE TABLE threads (
    tenant_id TEXT NOT NULL, thread_id TEXT NOT NULL, lead_id TEXT, created_at INTEGER NOT NULL,
    base_subject TEXT NOT NULL, corrected INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (tenant_id, thread_id)) STRICT, WITHOUT ROWID;

CREATE TABLE tracked_links (
    tenant_id TEXT NOT NULL, token TEXT NOT NULL, position INTEGER NOT NULL, url TEXT NOT NULL,
    contact_id TEXT NOT NULL, message_id TEXT NOT NULL, sequence_id TEXT NOT NULL, enrolment_id TEXT NOT NULL,
    step TEXT NOT NULL, sent_at INTEGER, opens INTEGER NOT NULL, first_opened_at INTEGER, last_opened_at INTEGER,
    created_at INTEGER NOT NULL, PRIMARY KEY (tenant_id, token)) STRICT, WITHOUT ROWID;

CREATE INDEX tracked_links_contact ON tracked_links (tenant_id, contact_id, token);

CREATE INDEX tracked_links_created ON tracked_links (tenant_id, created_at, token);

CREATE INDEX tracked_links_message ON tracked_links (tenant_id, message_id, position);

CREATE INDEX tracked_links_opened ON tracked_links (tenant_id, enrolment_id, message_id) WHERE opens > 0;

CREATE TABLE tracking_consents (
    tenant_id TEXT NOT NULL, email TEXT NOT NULL, opted_out INTEGER NOT NULL, source TEXT NOT NULL,
    changed_at INTEGER NOT NULL, evidence TEXT, history TEXT NOT NULL,
    PRIMARY KEY (tenant_id, email)) STRICT, WITHOUT ROWID;

CREATE TABLE trigger_runs (
    tenant_id TEXT NOT NULL, trigger_run_id TEXT NOT NULL, rule_id TEXT NOT NULL, rule_name TEXT NOT NULL,
    trigger TEXT NOT NULL, cause TEXT NOT NULL, contact_id TEXT NOT NULL, lead_id TEXT,
    cause_at INTEGER NOT NULL, run_at INTEGER NOT NULL, state TEXT NOT NULL, reason TEXT,
    actions TEXT NOT NULL, config_version INTEGER, attempts INTEGER NOT NULL, due_at INTEGER NOT NULL,
    created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, message_id TEXT, task_id TEXT, change TEXT, defects INTEGER NOT NULL DEFAULT 0, answered_at INTEGER,
    PRIMARY KEY (tenant_id, trigger_run_id)) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX trigger_runs_cause ON trigger_runs (tenant_id, rule_id, cause);

CREATE INDEX trigger_runs_contact ON trigger_runs (tenant_id, contact_id, trigger_run_id);

CREATE INDEX trigger_runs_due ON trigger_runs (tenant_id, due_at, trigger_run_id) WHERE state = 'waiting';

CREATE INDEX trigger_runs_ended ON trigger_runs (tenant_id, updated_at, trigger_run_id) WHERE state <> 'waiting';

CREATE INDEX trigger_runs_rule ON trigger_runs (tenant_id, rule_id, trigger_run_id);

CREATE INDEX trigger_runs_waiting ON trigger_runs (tenant_id, contact_id) WHERE state = 'waiting';

CREATE TABLE undeliverable (
    tenant_id TEXT NOT NULL, email TEXT NOT NULL, bounced_at INTEGER NOT NULL, reason TEXT NOT NULL,
    PRIMARY KEY (tenant_id, email)) STRICT, WITHOUT ROWID;

CREATE TABLE uploads (
    tenant_id TEXT NOT NULL, upload_id TEXT NOT NULL, filename TEXT NOT NULL, content_type TEXT NOT NULL,
    size INTEGER NOT NULL, holder TEXT, created_by TEXT NOT NULL, created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL, PRIMARY KEY (tenant_id, upload_id)) STRICT, WITHOUT ROWID;

CREATE INDEX uploads_expiry ON uploads (tenant_id, expires_at, upload_id);

CREATE INDEX uploads_holder ON uploads (tenant_id, holder);

CREATE TABLE usages (
    tenant_id TEXT NOT NULL, month TEXT NOT NULL, kind TEXT NOT NULL, used INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, month, kind)) STRICT, WITHOUT ROWID;

CREATE TRIGGER report_user_changed AFTER UPDATE OF working_hours, time_zone ON users FOR EACH ROW
      WHEN (CAST(old.working_hours AS text) IS DISTINCT FROM CAST(new.working_hours AS text) OR (new.working_hours IS NOT NULL AND old.time_zone IS DISTINCT FROM new.time_zone)) BEGIN INSERT INTO report_recounts (tenant_id, subject_id, stream, position)
    SELECT new.tenant_id, '', streams.name, '' FROM (SELECT 'messages' AS name UNION ALL SELECT 'closings' UNION ALL SELECT 'runs') AS streams WHERE true
    ON CONFLICT (tenant_id, subject_id, stream) DO UPDATE SET position = '' WHERE report_recounts.position <> ''; END;

CREATE TABLE users (
    tenant_id TEXT NOT NULL, user_id TEXT NOT NULL, name TEXT NOT NULL, email TEXT, role TEXT NOT NULL,
    active INTEGER NOT NULL, working_hours TEXT, time_zone TEXT, signature TEXT, subject TEXT,
    created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, PRIMARY KEY (tenant_id, user_id)) STRICT, WITHOUT ROWID;

CREATE INDEX users_active ON users (tenant_id, active, user_id);

CREATE UNIQUE INDEX users_email ON users (tenant_id, email) WHERE email IS NOT NULL;

CREATE UNIQUE INDEX users_subject ON users (tenant_id, subject) WHERE subject IS NOT NULL;

CREATE TABLE views (
    tenant_id TEXT NOT NULL, view_id TEXT NOT NULL, name TEXT NOT NULL, filters TEXT NOT NULL,
    owner_id TEXT, shared INTEGER NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, view_id)) STRICT, WITHOUT ROWID;

CREATE INDEX views_private ON views (tenant_id, owner_id, view_id) WHERE shared = 0;

CREATE INDEX views_shared ON views (tenant_id, view_id) WHERE shared = 1;

CREATE TABLE webhook_calls (
    tenant_id TEXT NOT NULL, call_id TEXT NOT NULL, request TEXT NOT NULL, tries INTEGER NOT NULL,
    attempts INTEGER NOT NULL, due_at INTEGER NOT NULL, created_at INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, call_id)) STRICT, WITHOUT ROWID;

CREATE INDEX webhook_calls_due ON webhook_calls (tenant_id, due_at, call_id) WHERE attempts >= 0;

CREATE TABLE webhook_deliveries (
    tenant_id TEXT NOT NULL, webhook_id TEXT NOT NULL, sequence INTEGER NOT NULL, status TEXT NOT NULL,
    due_at INTEGER NOT NULL, tries INTEGER NOT NULL, attempts TEXT NOT NULL, updated_at INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, webhook_id, sequence)) STRICT;

CREATE INDEX webhook_deliveries_due ON webhook_deliveries (tenant_id, webhook_id, due_at) WHERE status = 'pending';

CREATE INDEX webhook_deliveries_failed ON webhook_deliveries (updated_at) WHERE status = 'failed';

CREATE INDEX webhook_deliveries_status ON webhook_deliveries (tenant_id, webhook_id, status, sequence);

CREATE TABLE webhook_log (
    tenant_id TEXT NOT NULL, webhook_id TEXT NOT NULL, first_sequence INTEGER NOT NULL, entries TEXT NOT NULL,
    PRIMARY KEY (tenant_id, webhook_id, first_sequence)) STRICT, WITHOUT ROWID;

CREATE TABLE webhook_subscriptions (
    tenant_id TEXT NOT NULL, webhook_id TEXT NOT NULL, url TEXT NOT NULL, description TEXT,
    event_types TEXT NOT NULL, max_in_flight INTEGER NOT NULL, status TEXT NOT NULL, inactive_reason TEXT,
    secret TEXT NOT NULL, former_secret TEXT, former_secret_until INTEGER,
    consecutive_failures INTEGER NOT NULL, ailing INTEGER NOT NULL, "position" INTEGER NOT NULL, retry_at INTEGER NOT NULL,
    next_at INTEGER NOT NULL, last_success_at INTEGER, last_failure_at INTEGER, created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL, lease TEXT, lease_until INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant_id, webhook_id)) STRICT, WITHOUT ROWID;

CREATE INDEX webhook_subscriptions_waiting ON webhook_subscriptions (tenant_id, webhook_id)
    WHERE next_at < 9007199254740991 AND (retry_at < 9007199254740991 OR status = 'paused');
