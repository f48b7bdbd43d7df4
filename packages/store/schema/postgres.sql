-- Generated from the migrations by generate/schema.ts. Do not edit.

CREATE TABLE activities (
  tenant_id text COLLATE "C" NOT NULL,
  contact_id text COLLATE "C" NOT NULL,
  happened_at bigint NOT NULL,
  activity_id text COLLATE "C" NOT NULL,
  lead_id text COLLATE "C",
  type text COLLATE "C" NOT NULL,
  actor text COLLATE "C" NOT NULL,
  data json NOT NULL,
  user_id text COLLATE "C",
  user_name text COLLATE "C",
  PRIMARY KEY (tenant_id, contact_id, happened_at, activity_id)
);

CREATE OR REPLACE FUNCTION report_activity_deleted()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ BEGIN DELETE FROM report_facts WHERE tenant_id = old.tenant_id AND fact_id = old.activity_id; RETURN NULL; END $function$
;
CREATE TRIGGER report_activity_deleted AFTER DELETE ON activities FOR EACH ROW EXECUTE FUNCTION report_activity_deleted();

CREATE OR REPLACE FUNCTION report_activity_moved()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ BEGIN INSERT INTO report_recounts (tenant_id, subject_id, stream, position)
    SELECT old.tenant_id, old.contact_id, streams.name, '' FROM (SELECT 'messages' AS name UNION ALL SELECT 'closings' UNION ALL SELECT 'runs') AS streams WHERE true
    ON CONFLICT (tenant_id, subject_id, stream) DO UPDATE SET position = '' WHERE report_recounts.position <> ''; INSERT INTO report_recounts (tenant_id, subject_id, stream, position)
    SELECT new.tenant_id, new.contact_id, streams.name, '' FROM (SELECT 'messages' AS name UNION ALL SELECT 'closings' UNION ALL SELECT 'runs') AS streams WHERE true
    ON CONFLICT (tenant_id, subject_id, stream) DO UPDATE SET position = '' WHERE report_recounts.position <> ''; RETURN NULL; END $function$
;
CREATE TRIGGER report_activity_moved AFTER UPDATE OF contact_id ON activities FOR EACH ROW WHEN (((new.type = ANY (ARRAY['conversation_closed'::text, 'conversation_reopened'::text])) AND (old.contact_id IS DISTINCT FROM new.contact_id))) EXECUTE FUNCTION report_activity_moved();

CREATE UNIQUE INDEX activities_id ON activities USING btree (tenant_id, activity_id);

CREATE TABLE agent_drafts (
  tenant_id text COLLATE "C" NOT NULL,
  draft_id text COLLATE "C" NOT NULL,
  contact_id text COLLATE "C" NOT NULL,
  composition json NOT NULL,
  version bigint NOT NULL,
  created_by text COLLATE "C" NOT NULL,
  created_by_user text COLLATE "C",
  updated_by text COLLATE "C" NOT NULL,
  updated_by_user text COLLATE "C",
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  PRIMARY KEY (tenant_id, draft_id)
);

CREATE INDEX agent_drafts_contact ON agent_drafts USING btree (tenant_id, contact_id, created_at, draft_id);

CREATE TABLE api_keys (
  tenant_id text COLLATE "C" NOT NULL,
  key_id text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  prefix text COLLATE "C" NOT NULL,
  hash text COLLATE "C" NOT NULL,
  created_at bigint NOT NULL,
  expires_at bigint,
  revoked_at bigint,
  last_used_at bigint,
  scopes text COLLATE "C",
  replaced_at bigint,
  PRIMARY KEY (tenant_id, key_id)
);

CREATE UNIQUE INDEX api_keys_hash ON api_keys USING btree (hash);

CREATE TABLE arrival_counts (
  tenant_id text COLLATE "C" NOT NULL,
  outcome text COLLATE "C" NOT NULL,
  arrivals bigint NOT NULL,
  PRIMARY KEY (tenant_id, outcome)
);

CREATE TABLE arrivals (
  tenant_id text COLLATE "C" NOT NULL,
  arrival_id text COLLATE "C" NOT NULL,
  channel text COLLATE "C" NOT NULL,
  source text COLLATE "C" NOT NULL,
  outcome text COLLATE "C" NOT NULL,
  message_id text COLLATE "C",
  received_at bigint NOT NULL,
  detail text COLLATE "C",
  PRIMARY KEY (tenant_id, arrival_id)
);

CREATE INDEX arrivals_message ON arrivals USING btree (tenant_id, message_id) WHERE (message_id IS NOT NULL);

CREATE TABLE assistant_answers (
  tenant_id text COLLATE "C" NOT NULL,
  answer_id text COLLATE "C" NOT NULL,
  created_at bigint NOT NULL,
  answer json NOT NULL,
  PRIMARY KEY (tenant_id, answer_id)
);

CREATE INDEX assistant_answers_age ON assistant_answers USING btree (tenant_id, created_at);

CREATE TABLE assistants (
  tenant_id text COLLATE "C" NOT NULL,
  prefix text COLLATE "C",
  hash text COLLATE "C",
  retell_key text COLLATE "C",
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  PRIMARY KEY (tenant_id)
);

CREATE TABLE audit_entries (
  tenant_id text COLLATE "C" NOT NULL,
  audit_id text COLLATE "C" NOT NULL,
  happened_at bigint NOT NULL,
  actor text COLLATE "C" NOT NULL,
  action text COLLATE "C" NOT NULL,
  target json NOT NULL,
  address text COLLATE "C",
  request_id text COLLATE "C",
  change json,
  user_id text COLLATE "C",
  user_name text COLLATE "C",
  PRIMARY KEY (tenant_id, audit_id)
);

CREATE TABLE batch_items (
  tenant_id text COLLATE "C" NOT NULL,
  batch_id text COLLATE "C" NOT NULL,
  item_index bigint NOT NULL,
  status text COLLATE "C" NOT NULL,
  signal_id text COLLATE "C",
  failure json,
  PRIMARY KEY (tenant_id, batch_id, item_index)
);

CREATE TABLE batches (
  tenant_id text COLLATE "C" NOT NULL,
  batch_id text COLLATE "C" NOT NULL,
  idempotency_key text COLLATE "C",
  fingerprint text COLLATE "C" NOT NULL,
  total bigint NOT NULL,
  created_at bigint NOT NULL,
  PRIMARY KEY (tenant_id, batch_id)
);

CREATE UNIQUE INDEX batches_key ON batches USING btree (tenant_id, idempotency_key) WHERE (idempotency_key IS NOT NULL);

CREATE TABLE billing_accounts (
  tenant_id text COLLATE "C" NOT NULL,
  plan text COLLATE "C",
  status text COLLATE "C" NOT NULL,
  trial_ends_at bigint,
  period_starts_at bigint,
  period_ends_at bigint,
  cancel_at_period_end bigint NOT NULL,
  unpaid_since bigint,
  customer_id text COLLATE "C",
  subscription_id text COLLATE "C",
  given_plan text COLLATE "C",
  looks bigint NOT NULL,
  look_taken bigint NOT NULL,
  PRIMARY KEY (tenant_id)
);

CREATE INDEX billing_accounts_customer ON billing_accounts USING btree (customer_id) WHERE (customer_id IS NOT NULL);

CREATE TABLE blocked_numbers (
  tenant_id text COLLATE "C" NOT NULL,
  phone text COLLATE "C" NOT NULL,
  created_at bigint NOT NULL,
  PRIMARY KEY (tenant_id, phone)
);

CREATE TABLE calls (
  tenant_id text COLLATE "C" NOT NULL,
  call_id text COLLATE "C" NOT NULL,
  contact_id text COLLATE "C" NOT NULL,
  lead_id text COLLATE "C",
  provider text COLLATE "C" NOT NULL,
  provider_call_id text COLLATE "C",
  contact_leg text COLLATE "C",
  direction text COLLATE "C" NOT NULL,
  from_number text COLLATE "C",
  to_number text COLLATE "C",
  agent_phone text COLLATE "C",
  transferred_to text COLLATE "C",
  status text COLLATE "C" NOT NULL,
  reason text COLLATE "C",
  started_at bigint NOT NULL,
  answered_at bigint,
  ended_at bigint,
  duration_seconds bigint,
  recording text COLLATE "C" NOT NULL,
  recording_id text COLLATE "C",
  recording_seconds bigint,
  message_id text COLLATE "C",
  requested_by text COLLATE "C",
  request_key text COLLATE "C",
  fingerprint text COLLATE "C",
  updated_at bigint NOT NULL,
  PRIMARY KEY (tenant_id, call_id)
);

CREATE INDEX calls_contact ON calls USING btree (tenant_id, contact_id, started_at, call_id);

CREATE UNIQUE INDEX calls_key ON calls USING btree (tenant_id, request_key);

CREATE INDEX calls_newest ON calls USING btree (tenant_id, started_at, call_id);

CREATE UNIQUE INDEX calls_provider ON calls USING btree (tenant_id, provider, provider_call_id);

CREATE INDEX calls_status ON calls USING btree (tenant_id, status, started_at, call_id);

CREATE TABLE canned_replies (
  tenant_id text COLLATE "C" NOT NULL,
  canned_reply_id text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  body text COLLATE "C" NOT NULL,
  folder text COLLATE "C",
  subject text COLLATE "C",
  shortcut text COLLATE "C",
  channels json NOT NULL,
  sort_name text COLLATE "C" NOT NULL,
  uses bigint NOT NULL,
  last_used_at bigint,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  PRIMARY KEY (tenant_id, canned_reply_id)
);

CREATE INDEX canned_replies_name ON canned_replies USING btree (tenant_id, sort_name, canned_reply_id);

CREATE UNIQUE INDEX canned_replies_shortcut ON canned_replies USING btree (tenant_id, shortcut) WHERE (shortcut IS NOT NULL);

CREATE TABLE companies (
  tenant_id text COLLATE "C" NOT NULL,
  company_id text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  domain text COLLATE "C",
  notes text COLLATE "C",
  custom_fields json NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  PRIMARY KEY (tenant_id, company_id)
);

CREATE UNIQUE INDEX companies_domain ON companies USING btree (tenant_id, domain) WHERE (domain IS NOT NULL);

CREATE INDEX companies_name ON companies USING btree (tenant_id, lower(name), company_id);

CREATE TABLE config_changes (
  tenant_id text COLLATE "C" NOT NULL,
  version bigint NOT NULL,
  from_version bigint NOT NULL,
  action text COLLATE "C" NOT NULL,
  preset text COLLATE "C",
  changed_by text COLLATE "C" NOT NULL,
  changed_at bigint NOT NULL,
  differences json NOT NULL,
  omitted bigint NOT NULL,
  changed_by_user text COLLATE "C",
  changed_by_user_name text COLLATE "C",
  comment text COLLATE "C",
  PRIMARY KEY (tenant_id, version)
);

CREATE TABLE console_sessions (
  tenant_id text COLLATE "C" NOT NULL,
  session_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C",
  role text COLLATE "C" NOT NULL,
  started_at bigint NOT NULL,
  ends_at bigint NOT NULL,
  revoked_at bigint,
  PRIMARY KEY (tenant_id, session_id)
);

CREATE INDEX console_sessions_end ON console_sessions USING btree (tenant_id, ends_at);

CREATE TABLE contact_import_items (
  tenant_id text COLLATE "C" NOT NULL,
  import_id text COLLATE "C" NOT NULL,
  contact_id text COLLATE "C" NOT NULL,
  change json NOT NULL,
  PRIMARY KEY (tenant_id, import_id, contact_id)
);

CREATE INDEX contact_import_items_contact ON contact_import_items USING btree (tenant_id, contact_id);

CREATE TABLE contact_imports (
  tenant_id text COLLATE "C" NOT NULL,
  import_id text COLLATE "C" NOT NULL,
  status text COLLATE "C" NOT NULL,
  dry_run bigint NOT NULL,
  on_conflict text COLLATE "C" NOT NULL,
  mapping json NOT NULL,
  errors json NOT NULL,
  rows bigint NOT NULL,
  processed bigint NOT NULL,
  created bigint NOT NULL,
  updated bigint NOT NULL,
  skipped bigint NOT NULL,
  failed bigint NOT NULL,
  reverted bigint NOT NULL,
  kept bigint NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  PRIMARY KEY (tenant_id, import_id)
);

CREATE TABLE contact_list (
  tenant_id text COLLATE "C" NOT NULL,
  contact_id text COLLATE "C" NOT NULL,
  last_activity_at bigint NOT NULL,
  archived bigint NOT NULL,
  channel text COLLATE "C",
  state text COLLATE "C",
  tier text COLLATE "C",
  has_email bigint NOT NULL,
  has_phone bigint NOT NULL,
  PRIMARY KEY (tenant_id, contact_id)
);

CREATE OR REPLACE FUNCTION contact_tags_follow()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ BEGIN
      UPDATE contact_tags SET last_activity_at = changed.last_activity_at, archived = changed.archived FROM changed
        WHERE contact_tags.tenant_id = changed.tenant_id AND contact_tags.contact_id = changed.contact_id
          AND (contact_tags.last_activity_at <> changed.last_activity_at OR contact_tags.archived <> changed.archived);
      RETURN NULL; END $function$
;
CREATE TRIGGER contact_tags_follow AFTER UPDATE ON contact_list REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION contact_tags_follow();

CREATE INDEX contact_list_channel ON contact_list USING btree (tenant_id, archived, channel, last_activity_at DESC, contact_id DESC);

CREATE INDEX contact_list_newest ON contact_list USING btree (tenant_id, archived, last_activity_at DESC, contact_id DESC);

CREATE INDEX contact_list_state ON contact_list USING btree (tenant_id, archived, state, last_activity_at DESC, contact_id DESC);

CREATE INDEX contact_list_tier ON contact_list USING btree (tenant_id, archived, tier, last_activity_at DESC, contact_id DESC);

CREATE TABLE contact_merge_items (
  tenant_id text COLLATE "C" NOT NULL,
  merge_id text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  item_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant_id, merge_id, kind, item_id)
);

CREATE TABLE contact_merges (
  tenant_id text COLLATE "C" NOT NULL,
  merge_id text COLLATE "C" NOT NULL,
  primary_id text COLLATE "C" NOT NULL,
  duplicate_id text COLLATE "C" NOT NULL,
  ordinal bigint NOT NULL,
  merged_at bigint NOT NULL,
  undone_at bigint,
  watermark bigint NOT NULL,
  journal json NOT NULL,
  PRIMARY KEY (tenant_id, merge_id)
);

CREATE UNIQUE INDEX contact_merges_duplicate ON contact_merges USING btree (tenant_id, duplicate_id) WHERE (undone_at IS NULL);

CREATE INDEX contact_merges_first ON contact_merges USING btree (tenant_id, primary_id);

CREATE UNIQUE INDEX contact_merges_primary ON contact_merges USING btree (tenant_id, primary_id, ordinal) WHERE (undone_at IS NULL);

CREATE INDEX contact_merges_second ON contact_merges USING btree (tenant_id, duplicate_id);

CREATE TABLE contact_tags (
  tenant_id text COLLATE "C" NOT NULL,
  contact_id text COLLATE "C" NOT NULL,
  tag text COLLATE "C" NOT NULL,
  archived bigint NOT NULL,
  last_activity_at bigint NOT NULL,
  PRIMARY KEY (tenant_id, contact_id, tag)
);

CREATE INDEX contact_tags_newest ON contact_tags USING btree (tenant_id, tag, archived, last_activity_at DESC, contact_id DESC);

CREATE TABLE contacts (
  tenant_id text COLLATE "C" NOT NULL,
  contact_id text COLLATE "C" NOT NULL,
  name text COLLATE "C",
  email text COLLATE "C",
  phone text COLLATE "C",
  company text COLLATE "C",
  tags json NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  archived_at bigint,
  notes text COLLATE "C",
  attributes json NOT NULL,
  merged_into text COLLATE "C",
  custom_fields json NOT NULL,
  company_id text COLLATE "C",
  company_removed bigint NOT NULL,
  PRIMARY KEY (tenant_id, contact_id)
);

CREATE OR REPLACE FUNCTION report_contact_deleted()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ BEGIN DELETE FROM report_recounts WHERE tenant_id = old.tenant_id AND subject_id = old.contact_id; RETURN NULL; END $function$
;
CREATE TRIGGER report_contact_deleted AFTER DELETE ON contacts FOR EACH ROW EXECUTE FUNCTION report_contact_deleted();

CREATE OR REPLACE FUNCTION search_contact_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ BEGIN INSERT INTO search_queue (tenant_id, kind, id) VALUES (new.tenant_id, 'contact', new.contact_id)
    ON CONFLICT (tenant_id, kind, id) DO NOTHING; RETURN NULL; END $function$
;
CREATE TRIGGER search_contact_changed AFTER UPDATE OF name, email, phone, company, notes, tags, archived_at ON contacts FOR EACH ROW EXECUTE FUNCTION search_contact_changed();

CREATE OR REPLACE FUNCTION search_contact_gone()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ BEGIN INSERT INTO search_queue (tenant_id, kind, id) VALUES (old.tenant_id, 'contact', old.contact_id)
    ON CONFLICT (tenant_id, kind, id) DO NOTHING; RETURN NULL; END $function$
;
CREATE TRIGGER search_contact_gone AFTER DELETE ON contacts FOR EACH ROW EXECUTE FUNCTION search_contact_gone();

CREATE OR REPLACE FUNCTION search_contact_new()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ BEGIN INSERT INTO search_queue (tenant_id, kind, id) VALUES (new.tenant_id, 'contact', new.contact_id)
    ON CONFLICT (tenant_id, kind, id) DO NOTHING; RETURN NULL; END $function$
;
CREATE TRIGGER search_contact_new AFTER INSERT ON contacts FOR EACH ROW EXECUTE FUNCTION search_contact_new();

CREATE INDEX contacts_archived ON contacts USING btree (tenant_id, created_at DESC, contact_id DESC) WHERE ((archived_at IS NOT NULL) AND (merged_into IS NULL));

CREATE INDEX contacts_archived_name ON contacts USING btree (tenant_id, COALESCE(lower(name), '􏿽'::text), contact_id) WHERE ((archived_at IS NOT NULL) AND (merged_into IS NULL));

CREATE INDEX contacts_name ON contacts USING btree (tenant_id, COALESCE(lower(name), '􏿽'::text), contact_id) WHERE (archived_at IS NULL);

CREATE INDEX contacts_newest ON contacts USING btree (tenant_id, created_at DESC, contact_id DESC) WHERE (archived_at IS NULL);

CREATE INDEX contacts_second ON contacts USING btree (tenant_id, merged_into) WHERE (merged_into IS NOT NULL);

CREATE TABLE conversation_aliases (
  tenant_id text COLLATE "C" NOT NULL,
  contact_id text COLLATE "C" NOT NULL,
  alias text COLLATE "C" NOT NULL,
  last_timestamp bigint NOT NULL,
  PRIMARY KEY (tenant_id, contact_id, alias)
);

CREATE INDEX conversation_aliases_newest ON conversation_aliases USING btree (tenant_id, alias, last_timestamp DESC, contact_id DESC);

CREATE TABLE conversation_counts (
  tenant_id text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL,
  assignee_id text COLLATE "C" NOT NULL,
  team_id text COLLATE "C" NOT NULL,
  unread bigint NOT NULL,
  conversations bigint NOT NULL,
  PRIMARY KEY (tenant_id, state, assignee_id, team_id, unread)
);

CREATE TABLE conversation_reads (
  tenant_id text COLLATE "C" NOT NULL,
  contact_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  seen bigint NOT NULL,
  PRIMARY KEY (tenant_id, contact_id, user_id)
);

CREATE INDEX conversation_reads_user ON conversation_reads USING btree (tenant_id, user_id, seen, contact_id);

CREATE TABLE conversation_tags (
  tenant_id text COLLATE "C" NOT NULL,
  contact_id text COLLATE "C" NOT NULL,
  tag text COLLATE "C" NOT NULL,
  last_timestamp bigint NOT NULL,
  PRIMARY KEY (tenant_id, contact_id, tag)
);

CREATE INDEX conversation_tags_newest ON conversation_tags USING btree (tenant_id, tag, last_timestamp DESC, contact_id DESC);

CREATE TABLE conversations (
  tenant_id text COLLATE "C" NOT NULL,
  last_timestamp bigint NOT NULL,
  contact_id text COLLATE "C" NOT NULL,
  last_message_id text COLLATE "C" NOT NULL,
  last_message text COLLATE "C" NOT NULL,
  last_channel text COLLATE "C" NOT NULL,
  lead_id text COLLATE "C",
  unread bigint NOT NULL,
  state text COLLATE "C" NOT NULL,
  assignee_id text COLLATE "C",
  team_id text COLLATE "C",
  tags json NOT NULL,
  priority text COLLATE "C" NOT NULL,
  snooze_until bigint,
  waiting_since bigint,
  answered_at bigint NOT NULL,
  PRIMARY KEY (tenant_id, last_timestamp, contact_id)
);

CREATE OR REPLACE FUNCTION conversation_aliases_follow()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ BEGIN
      UPDATE conversation_aliases SET last_timestamp = changed.last_timestamp FROM changed
        WHERE conversation_aliases.tenant_id = changed.tenant_id AND conversation_aliases.contact_id = changed.contact_id
          AND (conversation_aliases.last_timestamp <> changed.last_timestamp);
      RETURN NULL; END $function$
;
CREATE TRIGGER conversation_aliases_follow AFTER UPDATE ON conversations REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION conversation_aliases_follow();

CREATE OR REPLACE FUNCTION conversation_counted()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ BEGIN
    INSERT INTO conversation_counts (tenant_id, state, assignee_id, team_id, unread, conversations)
      SELECT tenant_id, state, assignee_id, team_id, unread, sum(change)
      FROM (SELECT added.tenant_id, added.state, coalesce(added.assignee_id, ''), coalesce(added.team_id, ''),
    CASE WHEN added.unread > 0 THEN 1 ELSE 0 END, 1 FROM added) AS changes(tenant_id, state, assignee_id, team_id, unread, change)
      GROUP BY 1, 2, 3, 4, 5 HAVING sum(change) <> 0 ON CONFLICT (tenant_id, state, assignee_id, team_id, unread)
  DO UPDATE SET conversations = conversation_counts.conversations + excluded.conversations;
    RETURN NULL; END $function$
;
CREATE TRIGGER conversation_counted AFTER INSERT ON conversations REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION conversation_counted();

CREATE OR REPLACE FUNCTION conversation_recounted()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ BEGIN
    INSERT INTO conversation_counts (tenant_id, state, assignee_id, team_id, unread, conversations)
      SELECT tenant_id, state, assignee_id, team_id, unread, sum(change)
      FROM (SELECT removed.tenant_id, removed.state, coalesce(removed.assignee_id, ''), coalesce(removed.team_id, ''),
    CASE WHEN removed.unread > 0 THEN 1 ELSE 0 END, -1 FROM removed UNION ALL SELECT added.tenant_id, added.state, coalesce(added.assignee_id, ''), coalesce(added.team_id, ''),
    CASE WHEN added.unread > 0 THEN 1 ELSE 0 END, 1 FROM added) AS changes(tenant_id, state, assignee_id, team_id, unread, change)
      GROUP BY 1, 2, 3, 4, 5 HAVING sum(change) <> 0 ON CONFLICT (tenant_id, state, assignee_id, team_id, unread)
  DO UPDATE SET conversations = conversation_counts.conversations + excluded.conversations;
    RETURN NULL; END $function$
;
CREATE TRIGGER conversation_recounted AFTER UPDATE ON conversations REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION conversation_recounted();

CREATE OR REPLACE FUNCTION conversation_tags_follow()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ BEGIN
      UPDATE conversation_tags SET last_timestamp = changed.last_timestamp FROM changed
        WHERE conversation_tags.tenant_id = changed.tenant_id AND conversation_tags.contact_id = changed.contact_id
          AND (conversation_tags.last_timestamp <> changed.last_timestamp);
      RETURN NULL; END $function$
;
CREATE TRIGGER conversation_tags_follow AFTER UPDATE ON conversations REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION conversation_tags_follow();

CREATE OR REPLACE FUNCTION conversation_uncounted()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ BEGIN
    INSERT INTO conversation_counts (tenant_id, state, assignee_id, team_id, unread, conversations)
      SELECT tenant_id, state, assignee_id, team_id, unread, sum(change)
      FROM (SELECT removed.tenant_id, removed.state, coalesce(removed.assignee_id, ''), coalesce(removed.team_id, ''),
    CASE WHEN removed.unread > 0 THEN 1 ELSE 0 END, -1 FROM removed) AS changes(tenant_id, state, assignee_id, team_id, unread, change)
      GROUP BY 1, 2, 3, 4, 5 HAVING sum(change) <> 0 ON CONFLICT (tenant_id, state, assignee_id, team_id, unread)
  DO UPDATE SET conversations = conversation_counts.conversations + excluded.conversations;
    RETURN NULL; END $function$
;
CREATE TRIGGER conversation_uncounted AFTER DELETE ON conversations REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION conversation_uncounted();

CREATE OR REPLACE FUNCTION report_conversation_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ BEGIN INSERT INTO report_recounts (tenant_id, subject_id, stream, position)
    SELECT new.tenant_id, new.contact_id, streams.name, '' FROM (SELECT 'messages' AS name UNION ALL SELECT 'closings' UNION ALL SELECT 'runs') AS streams WHERE true
    ON CONFLICT (tenant_id, subject_id, stream) DO UPDATE SET position = '' WHERE report_recounts.position <> ''; RETURN NULL; END $function$
;
CREATE TRIGGER report_conversation_changed AFTER UPDATE OF team_id, tags ON conversations FOR EACH ROW WHEN (((old.team_id IS DISTINCT FROM new.team_id) OR ((old.tags)::text IS DISTINCT FROM (new.tags)::text))) EXECUTE FUNCTION report_conversation_changed();

CREATE INDEX conversations_assigned ON conversations USING btree (tenant_id, state, last_timestamp DESC, contact_id DESC) WHERE (assignee_id IS NOT NULL);

CREATE INDEX conversations_assignee ON conversations USING btree (tenant_id, assignee_id, state, last_timestamp DESC, contact_id DESC) WHERE (assignee_id IS NOT NULL);

CREATE UNIQUE INDEX conversations_contact ON conversations USING btree (tenant_id, contact_id);

CREATE INDEX conversations_priority ON conversations USING btree (tenant_id, priority, state, last_timestamp DESC, contact_id DESC) WHERE (priority <> 'normal'::text);

CREATE INDEX conversations_snoozed ON conversations USING btree (tenant_id, snooze_until, contact_id) WHERE (snooze_until IS NOT NULL);

CREATE INDEX conversations_team ON conversations USING btree (tenant_id, team_id, state, last_timestamp DESC, contact_id DESC) WHERE (team_id IS NOT NULL);

CREATE INDEX conversations_unassigned ON conversations USING btree (tenant_id, state, last_timestamp DESC, contact_id DESC) WHERE (assignee_id IS NULL);

CREATE INDEX conversations_unread ON conversations USING btree (tenant_id, last_timestamp DESC, contact_id DESC) WHERE (unread > 0);

CREATE INDEX conversations_waiting ON conversations USING btree (tenant_id, waiting_since, contact_id) WHERE (waiting_since IS NOT NULL);

CREATE TABLE credit_transactions (
  tenant_id text COLLATE "C" NOT NULL,
  number bigint NOT NULL,
  transaction_id text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  amount bigint NOT NULL,
  balance bigint NOT NULL,
  reference text COLLATE "C" NOT NULL,
  note text COLLATE "C",
  created_at bigint NOT NULL,
  PRIMARY KEY (tenant_id, number)
);

CREATE UNIQUE INDEX credit_transactions_reference ON credit_transactions USING btree (tenant_id, reference);

CREATE TABLE crm_calls (
  tenant_id text COLLATE "C" NOT NULL,
  call_key text COLLATE "C" NOT NULL,
  first_at bigint NOT NULL,
  PRIMARY KEY (tenant_id, call_key)
);

CREATE INDEX crm_calls_first ON crm_calls USING btree (tenant_id, first_at);

CREATE TABLE crm_first_syncs (
  tenant_id text COLLATE "C" NOT NULL,
  location_id text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL,
  step text COLLATE "C" NOT NULL,
  cursor text COLLATE "C",
  total bigint,
  counts json NOT NULL,
  reason text COLLATE "C",
  version bigint NOT NULL,
  started_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  finished_at bigint,
  PRIMARY KEY (tenant_id, location_id)
);

CREATE TABLE crm_installs (
  tenant_id text COLLATE "C" NOT NULL,
  location_id text COLLATE "C" NOT NULL,
  company_id text COLLATE "C",
  sync text COLLATE "C" NOT NULL,
  status text COLLATE "C" NOT NULL,
  sealed_access text COLLATE "C" NOT NULL,
  sealed_refresh text COLLATE "C" NOT NULL,
  expires_at bigint NOT NULL,
  scopes json NOT NULL,
  version bigint NOT NULL,
  refreshing_until bigint,
  reason text COLLATE "C",
  installed_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  PRIMARY KEY (tenant_id, location_id)
);

CREATE TABLE crm_links (
  tenant_id text COLLATE "C" NOT NULL,
  location_id text COLLATE "C" NOT NULL,
  crm_contact_id text COLLATE "C" NOT NULL,
  contact_id text COLLATE "C" NOT NULL,
  ours json NOT NULL,
  theirs json NOT NULL,
  sending json,
  version bigint NOT NULL,
  gone_at bigint,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  PRIMARY KEY (tenant_id, location_id, crm_contact_id)
);

CREATE INDEX crm_links_contact ON crm_links USING btree (tenant_id, contact_id);

CREATE TABLE crm_locations (
  tenant_id text COLLATE "C" NOT NULL,
  location_id text COLLATE "C" NOT NULL,
  sessions text COLLATE "C" NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  PRIMARY KEY (tenant_id, location_id)
);

CREATE UNIQUE INDEX crm_locations_location ON crm_locations USING btree (location_id);

CREATE TABLE custom_fields (
  tenant_id text COLLATE "C" NOT NULL,
  field_id text COLLATE "C" NOT NULL,
  entity text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  label text COLLATE "C" NOT NULL,
  type text COLLATE "C" NOT NULL,
  options json NOT NULL,
  required bigint NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  PRIMARY KEY (tenant_id, field_id)
);

CREATE UNIQUE INDEX custom_fields_key ON custom_fields USING btree (tenant_id, entity, key);

CREATE TABLE dedup_keys (
  tenant_id text COLLATE "C" NOT NULL,
  dedup_key text COLLATE "C" NOT NULL,
  message_id text COLLATE "C" NOT NULL,
  fingerprint text COLLATE "C",
  PRIMARY KEY (tenant_id, dedup_key)
);

CREATE INDEX dedup_keys_message ON dedup_keys USING btree (tenant_id, message_id);

CREATE TABLE deployment (
  name text COLLATE "C" NOT NULL,
  value text COLLATE "C" NOT NULL,
  PRIMARY KEY (name)
);

CREATE TABLE drafts (
  tenant_id text COLLATE "C" NOT NULL,
  draft_id text COLLATE "C" NOT NULL,
  contact_id text COLLATE "C" NOT NULL,
  lead_id text COLLATE "C",
  signal_id text COLLATE "C" NOT NULL,
  channel text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL,
  head_message_id text COLLATE "C" NOT NULL,
  created_at bigint NOT NULL,
  body text COLLATE "C" NOT NULL,
  message_id text COLLATE "C" NOT NULL,
  task_id text COLLATE "C",
  PRIMARY KEY (tenant_id, draft_id)
);

CREATE INDEX drafts_contact ON drafts USING btree (tenant_id, contact_id, created_at, draft_id);

CREATE INDEX drafts_of_contact ON drafts USING btree (tenant_id, contact_id, created_at, draft_id);

CREATE UNIQUE INDEX drafts_pending ON drafts USING btree (tenant_id, contact_id) WHERE (state = 'pending'::text);

CREATE TABLE enrolments (
  tenant_id text COLLATE "C" NOT NULL,
  enrolment_id text COLLATE "C" NOT NULL,
  sequence_id text COLLATE "C" NOT NULL,
  contact_id text COLLATE "C" NOT NULL,
  lead_id text COLLATE "C",
  lead_place text COLLATE "C",
  version bigint NOT NULL,
  state text COLLATE "C" NOT NULL,
  stop_reason text COLLATE "C",
  step text COLLATE "C",
  next_at bigint,
  base_at bigint NOT NULL,
  history json NOT NULL,
  last_sent_at bigint,
  attempts bigint NOT NULL,
  due_at bigint NOT NULL,
  enrolled_by text COLLATE "C" NOT NULL,
  enrolled_by_user text COLLATE "C",
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  replies_after bigint,
  defects bigint NOT NULL,
  pause_reason text COLLATE "C",
  opted_out_at bigint,
  answered_at bigint,
  PRIMARY KEY (tenant_id, enrolment_id)
);

CREATE INDEX enrolments_contact ON enrolments USING btree (tenant_id, contact_id, enrolment_id);

CREATE INDEX enrolments_created ON enrolments USING btree (tenant_id, sequence_id, created_at, enrolment_id);

CREATE INDEX enrolments_due ON enrolments USING btree (tenant_id, due_at, enrolment_id) WHERE (state = 'active'::text);

CREATE INDEX enrolments_ended ON enrolments USING btree (tenant_id, updated_at, enrolment_id) WHERE (state = ANY (ARRAY['completed'::text, 'stopped'::text, 'held_out'::text]));

CREATE INDEX enrolments_sequence ON enrolments USING btree (tenant_id, sequence_id, enrolment_id);

CREATE INDEX enrolments_sequence_state ON enrolments USING btree (tenant_id, sequence_id, state, enrolment_id);

CREATE INDEX enrolments_state ON enrolments USING btree (tenant_id, state, enrolment_id);

CREATE TABLE erasure_objects (
  tenant_id text COLLATE "C" NOT NULL,
  erasure_id text COLLATE "C" NOT NULL,
  object_key text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant_id, erasure_id, object_key)
);

CREATE TABLE erasures (
  tenant_id text COLLATE "C" NOT NULL,
  erasure_id text COLLATE "C" NOT NULL,
  contact_id text COLLATE "C" NOT NULL,
  requested_by text COLLATE "C" NOT NULL,
  requested_at bigint NOT NULL,
  completed_at bigint,
  receipt_hash text COLLATE "C",
  erased json NOT NULL,
  emails json NOT NULL,
  PRIMARY KEY (tenant_id, erasure_id)
);

CREATE UNIQUE INDEX erasures_contact ON erasures USING btree (tenant_id, contact_id);

CREATE INDEX erasures_newest ON erasures USING btree (tenant_id, requested_at DESC, erasure_id DESC);

CREATE TABLE event_sequences (
  tenant_id text COLLATE "C" NOT NULL,
  last_sequence bigint NOT NULL,
  waiting bigint NOT NULL,
  PRIMARY KEY (tenant_id)
);

CREATE INDEX event_sequences_waiting ON event_sequences USING btree (tenant_id) WHERE (waiting = 1);

CREATE TABLE events (
  tenant_id text COLLATE "C" NOT NULL,
  sequence bigint NOT NULL,
  event_id text COLLATE "C" NOT NULL,
  type text COLLATE "C" NOT NULL,
  "timestamp" bigint NOT NULL,
  data json NOT NULL,
  contact_id text COLLATE "C",
  PRIMARY KEY (tenant_id, sequence)
);

CREATE INDEX events_contact ON events USING btree (tenant_id, contact_id) WHERE (contact_id IS NOT NULL);

CREATE TABLE grant_addresses (
  tenant_id text COLLATE "C" NOT NULL,
  address text COLLATE "C" NOT NULL,
  owned bigint NOT NULL,
  reversed_host text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant_id, address)
);

CREATE INDEX grant_addresses_address ON grant_addresses USING btree (address);

CREATE INDEX grant_addresses_host ON grant_addresses USING btree (reversed_host);

CREATE UNIQUE INDEX grant_addresses_owned ON grant_addresses USING btree (address) WHERE (owned = 1);

CREATE TABLE grants (
  tenant_id text COLLATE "C" NOT NULL,
  grant_id text COLLATE "C" NOT NULL,
  provider text COLLATE "C" NOT NULL,
  email text COLLATE "C" NOT NULL,
  name text COLLATE "C",
  status text COLLATE "C" NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  aliases json NOT NULL,
  signature text COLLATE "C",
  provider_grant_id text COLLATE "C",
  is_default bigint NOT NULL,
  PRIMARY KEY (tenant_id, grant_id)
);

CREATE INDEX grants_provider ON grants USING btree (provider_grant_id) WHERE (provider_grant_id IS NOT NULL);

CREATE TABLE guard_counts (
  tenant_id text COLLATE "C" NOT NULL,
  day text COLLATE "C" NOT NULL,
  guardrail_id text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  outcome text COLLATE "C" NOT NULL,
  count bigint NOT NULL,
  PRIMARY KEY (tenant_id, day, guardrail_id, kind, outcome)
);

CREATE TABLE guard_evaluations (
  tenant_id text COLLATE "C" NOT NULL,
  evaluation_id text COLLATE "C" NOT NULL,
  stage text COLLATE "C" NOT NULL,
  signal_id text COLLATE "C" NOT NULL,
  message_id text COLLATE "C" NOT NULL,
  contact_id text COLLATE "C" NOT NULL,
  created_at bigint NOT NULL,
  guardrail_id text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  outcome text COLLATE "C" NOT NULL,
  reason text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant_id, evaluation_id)
);

CREATE INDEX guard_evaluations_contact ON guard_evaluations USING btree (tenant_id, contact_id, evaluation_id);

CREATE INDEX guard_evaluations_guardrail ON guard_evaluations USING btree (tenant_id, guardrail_id, outcome, evaluation_id);

CREATE INDEX guard_evaluations_outcome ON guard_evaluations USING btree (tenant_id, outcome, evaluation_id);

CREATE TABLE idempotency_records (
  tenant_id text COLLATE "C" NOT NULL,
  credential text COLLATE "C" NOT NULL,
  route text COLLATE "C" NOT NULL,
  idempotency_key text COLLATE "C" NOT NULL,
  fingerprint text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL,
  answer text COLLATE "C",
  lease_until bigint NOT NULL,
  created_at bigint NOT NULL,
  PRIMARY KEY (tenant_id, credential, route, idempotency_key)
);

CREATE INDEX idempotency_records_created ON idempotency_records USING btree (tenant_id, created_at);

CREATE INDEX idempotency_records_state ON idempotency_records USING btree (tenant_id, state);

CREATE TABLE identities (
  tenant_id text COLLATE "C" NOT NULL,
  identity text COLLATE "C" NOT NULL,
  contact_id text COLLATE "C" NOT NULL,
  created_at bigint NOT NULL,
  label text COLLATE "C",
  verified_at bigint,
  PRIMARY KEY (tenant_id, identity)
);

CREATE OR REPLACE FUNCTION search_identity_gone()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ BEGIN INSERT INTO search_queue (tenant_id, kind, id) VALUES (old.tenant_id, 'contact', old.contact_id)
    ON CONFLICT (tenant_id, kind, id) DO NOTHING; RETURN NULL; END $function$
;
CREATE TRIGGER search_identity_gone AFTER DELETE ON identities FOR EACH ROW EXECUTE FUNCTION search_identity_gone();

CREATE OR REPLACE FUNCTION search_identity_left()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ BEGIN INSERT INTO search_queue (tenant_id, kind, id) VALUES (old.tenant_id, 'contact', old.contact_id)
    ON CONFLICT (tenant_id, kind, id) DO NOTHING; RETURN NULL; END $function$
;
CREATE TRIGGER search_identity_left AFTER UPDATE OF contact_id ON identities FOR EACH ROW EXECUTE FUNCTION search_identity_left();

CREATE OR REPLACE FUNCTION search_identity_moved()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ BEGIN INSERT INTO search_queue (tenant_id, kind, id) VALUES (new.tenant_id, 'contact', new.contact_id)
    ON CONFLICT (tenant_id, kind, id) DO NOTHING; RETURN NULL; END $function$
;
CREATE TRIGGER search_identity_moved AFTER UPDATE OF contact_id ON identities FOR EACH ROW EXECUTE FUNCTION search_identity_moved();

CREATE OR REPLACE FUNCTION search_identity_new()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ BEGIN INSERT INTO search_queue (tenant_id, kind, id) VALUES (new.tenant_id, 'contact', new.contact_id)
    ON CONFLICT (tenant_id, kind, id) DO NOTHING; RETURN NULL; END $function$
;
CREATE TRIGGER search_identity_new AFTER INSERT ON identities FOR EACH ROW EXECUTE FUNCTION search_identity_new();

CREATE INDEX identities_contact ON identities USING btree (tenant_id, contact_id);

CREATE TABLE jobs (
  tenant_id text COLLATE "C" NOT NULL,
  job_id text COLLATE "C" NOT NULL,
  attempts bigint NOT NULL,
  due_at bigint NOT NULL,
  created_at bigint NOT NULL,
  reason text COLLATE "C",
  job json NOT NULL,
  PRIMARY KEY (tenant_id, job_id)
);

CREATE INDEX jobs_due ON jobs USING btree (tenant_id, due_at, job_id);

CREATE INDEX jobs_failed ON jobs USING btree (tenant_id) WHERE ((attempts > 0) AND (reason IS NOT NULL));

CREATE TABLE lead_scores (
  tenant_id text COLLATE "C" NOT NULL,
  lead_id text COLLATE "C" NOT NULL,
  score_id text COLLATE "C" NOT NULL,
  message_id text COLLATE "C",
  signal_id text COLLATE "C",
  created_at bigint NOT NULL,
  score bigint NOT NULL,
  tier text COLLATE "C" NOT NULL,
  factors json NOT NULL,
  recommended_actions json NOT NULL,
  classification json,
  PRIMARY KEY (tenant_id, lead_id, score_id)
);

CREATE TABLE lead_tags (
  tenant_id text COLLATE "C" NOT NULL,
  tag text COLLATE "C" NOT NULL,
  created_at bigint NOT NULL,
  lead_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant_id, tag, created_at, lead_id)
);

CREATE TABLE lead_totals (
  tenant_id text COLLATE "C" NOT NULL,
  pipeline_id text COLLATE "C" NOT NULL,
  stage_id text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL,
  currency text COLLATE "C" NOT NULL,
  leads bigint NOT NULL,
  value bigint NOT NULL,
  PRIMARY KEY (tenant_id, pipeline_id, stage_id, state, currency)
);

CREATE TABLE leads (
  tenant_id text COLLATE "C" NOT NULL,
  lead_id text COLLATE "C" NOT NULL,
  contact_id text COLLATE "C" NOT NULL,
  thread_id text COLLATE "C",
  channel text COLLATE "C" NOT NULL,
  source text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL,
  score bigint,
  tier text COLLATE "C",
  assignee text COLLATE "C",
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  last_message_at bigint NOT NULL,
  merged_into text COLLATE "C",
  subject text COLLATE "C",
  classification json,
  factors json NOT NULL,
  assignee_id text COLLATE "C",
  team_id text COLLATE "C",
  pipeline_id text COLLATE "C" NOT NULL,
  stage_id text COLLATE "C",
  value bigint,
  currency text COLLATE "C",
  expected_close_on text COLLATE "C",
  tags json NOT NULL,
  loss_reason text COLLATE "C",
  custom_fields json NOT NULL,
  PRIMARY KEY (tenant_id, lead_id)
);

CREATE OR REPLACE FUNCTION lead_counted()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ BEGIN INSERT INTO lead_totals (tenant_id, pipeline_id, stage_id, state, currency, leads, value)
    SELECT new.tenant_id, new.pipeline_id, coalesce(new.stage_id, ''), new.state, coalesce(new.currency, ''), 1, coalesce(new.value, 0) WHERE new.merged_into IS NULL
    ON CONFLICT (tenant_id, pipeline_id, stage_id, state, currency)
    DO UPDATE SET leads = lead_totals.leads + excluded.leads, value = lead_totals.value + excluded.value; RETURN NULL; END $function$
;
CREATE TRIGGER lead_counted AFTER INSERT ON leads FOR EACH ROW EXECUTE FUNCTION lead_counted();

CREATE OR REPLACE FUNCTION lead_moved()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ BEGIN INSERT INTO lead_totals (tenant_id, pipeline_id, stage_id, state, currency, leads, value)
    SELECT old.tenant_id, old.pipeline_id, coalesce(old.stage_id, ''), old.state, coalesce(old.currency, ''), -1, -coalesce(old.value, 0) WHERE old.merged_into IS NULL
    ON CONFLICT (tenant_id, pipeline_id, stage_id, state, currency)
    DO UPDATE SET leads = lead_totals.leads + excluded.leads, value = lead_totals.value + excluded.value; INSERT INTO lead_totals (tenant_id, pipeline_id, stage_id, state, currency, leads, value)
    SELECT new.tenant_id, new.pipeline_id, coalesce(new.stage_id, ''), new.state, coalesce(new.currency, ''), 1, coalesce(new.value, 0) WHERE new.merged_into IS NULL
    ON CONFLICT (tenant_id, pipeline_id, stage_id, state, currency)
    DO UPDATE SET leads = lead_totals.leads + excluded.leads, value = lead_totals.value + excluded.value; RETURN NULL; END $function$
;
CREATE TRIGGER lead_moved AFTER UPDATE OF pipeline_id, stage_id, state, currency, value, merged_into ON leads FOR EACH ROW WHEN (((old.pipeline_id IS DISTINCT FROM new.pipeline_id) OR (old.stage_id IS DISTINCT FROM new.stage_id) OR (old.state IS DISTINCT FROM new.state) OR (old.currency IS DISTINCT FROM new.currency) OR (old.value IS DISTINCT FROM new.value) OR (old.merged_into IS DISTINCT FROM new.merged_into))) EXECUTE FUNCTION lead_moved();

CREATE OR REPLACE FUNCTION lead_retagged()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ BEGIN DELETE FROM lead_tags WHERE tenant_id = old.tenant_id AND created_at = old.created_at AND lead_id = old.lead_id
    AND tag IN (SELECT item.value FROM json_array_elements_text(old.tags) AS item(value)); INSERT INTO lead_tags (tenant_id, tag, created_at, lead_id)
    SELECT DISTINCT new.tenant_id, item.value, new.created_at, new.lead_id FROM json_array_elements_text(new.tags) AS item(value) WHERE new.merged_into IS NULL; RETURN NULL; END $function$
;
CREATE TRIGGER lead_retagged AFTER UPDATE OF tags, merged_into ON leads FOR EACH ROW WHEN ((((old.tags)::text <> (new.tags)::text) OR (old.merged_into IS DISTINCT FROM new.merged_into))) EXECUTE FUNCTION lead_retagged();

CREATE OR REPLACE FUNCTION lead_tagged()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ BEGIN INSERT INTO lead_tags (tenant_id, tag, created_at, lead_id)
    SELECT DISTINCT new.tenant_id, item.value, new.created_at, new.lead_id FROM json_array_elements_text(new.tags) AS item(value) WHERE new.merged_into IS NULL; RETURN NULL; END $function$
;
CREATE TRIGGER lead_tagged AFTER INSERT ON leads FOR EACH ROW WHEN (((new.tags)::text <> '[]'::text)) EXECUTE FUNCTION lead_tagged();

CREATE OR REPLACE FUNCTION lead_uncounted()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ BEGIN INSERT INTO lead_totals (tenant_id, pipeline_id, stage_id, state, currency, leads, value)
    SELECT old.tenant_id, old.pipeline_id, coalesce(old.stage_id, ''), old.state, coalesce(old.currency, ''), -1, -coalesce(old.value, 0) WHERE old.merged_into IS NULL
    ON CONFLICT (tenant_id, pipeline_id, stage_id, state, currency)
    DO UPDATE SET leads = lead_totals.leads + excluded.leads, value = lead_totals.value + excluded.value; RETURN NULL; END $function$
;
CREATE TRIGGER lead_uncounted AFTER DELETE ON leads FOR EACH ROW EXECUTE FUNCTION lead_uncounted();

CREATE OR REPLACE FUNCTION lead_untagged()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ BEGIN DELETE FROM lead_tags WHERE tenant_id = old.tenant_id AND created_at = old.created_at AND lead_id = old.lead_id
    AND tag IN (SELECT item.value FROM json_array_elements_text(old.tags) AS item(value)); RETURN NULL; END $function$
;
CREATE TRIGGER lead_untagged AFTER DELETE ON leads FOR EACH ROW WHEN (((old.tags)::text <> '[]'::text)) EXECUTE FUNCTION lead_untagged();

CREATE OR REPLACE FUNCTION report_lead_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ BEGIN INSERT INTO report_recounts (tenant_id, subject_id, stream, position)
    SELECT new.tenant_id, new.lead_id, streams.name, '' FROM (SELECT 'leads' AS name) AS streams WHERE true
    ON CONFLICT (tenant_id, subject_id, stream) DO UPDATE SET position = '' WHERE report_recounts.position <> ''; RETURN NULL; END $function$
;
CREATE TRIGGER report_lead_changed AFTER UPDATE OF assignee_id, team_id, tags, value, currency, merged_into ON leads FOR EACH ROW WHEN (((old.assignee_id IS DISTINCT FROM new.assignee_id) OR (old.team_id IS DISTINCT FROM new.team_id) OR (old.value IS DISTINCT FROM new.value) OR (old.currency IS DISTINCT FROM new.currency) OR (old.merged_into IS DISTINCT FROM new.merged_into) OR ((old.tags)::text IS DISTINCT FROM (new.tags)::text))) EXECUTE FUNCTION report_lead_changed();

CREATE OR REPLACE FUNCTION report_lead_deleted()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ BEGIN DELETE FROM stage_moves WHERE tenant_id = old.tenant_id AND lead_id = old.lead_id; DELETE FROM report_recounts WHERE tenant_id = old.tenant_id AND subject_id = old.lead_id; DELETE FROM report_facts
        WHERE tenant_id = old.tenant_id AND fact_id > old.lead_id || ':' AND fact_id < old.lead_id || ';'; RETURN NULL; END $function$
;
CREATE TRIGGER report_lead_deleted AFTER DELETE ON leads FOR EACH ROW EXECUTE FUNCTION report_lead_deleted();

CREATE OR REPLACE FUNCTION report_lead_moved()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ BEGIN INSERT INTO stage_moves (tenant_id, lead_id, place, pipeline_id, stage_id, state, moved_at)
        SELECT old.tenant_id, old.lead_id, count(*), old.pipeline_id, old.stage_id, old.state, new.updated_at
        FROM stage_moves m WHERE m.tenant_id = old.tenant_id AND m.lead_id = old.lead_id; INSERT INTO report_recounts (tenant_id, subject_id, stream, position)
    SELECT new.tenant_id, new.lead_id, streams.name, '' FROM (SELECT 'leads' AS name) AS streams WHERE true
    ON CONFLICT (tenant_id, subject_id, stream) DO UPDATE SET position = '' WHERE report_recounts.position <> ''; RETURN NULL; END $function$
;
CREATE TRIGGER report_lead_moved AFTER UPDATE OF pipeline_id, stage_id, state ON leads FOR EACH ROW WHEN (((old.pipeline_id IS DISTINCT FROM new.pipeline_id) OR (old.stage_id IS DISTINCT FROM new.stage_id) OR (old.state IS DISTINCT FROM new.state))) EXECUTE FUNCTION report_lead_moved();

CREATE OR REPLACE FUNCTION report_lead_scored()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ BEGIN INSERT INTO report_recounts (tenant_id, subject_id, stream, position)
    SELECT p.tenant_id, new.lead_id, p.stream, '' FROM report_positions p
      WHERE p.tenant_id = new.tenant_id AND p.stream = 'leads' AND p.position >= new.lead_id
    ON CONFLICT (tenant_id, subject_id, stream) DO UPDATE SET position = '' WHERE report_recounts.position <> ''; RETURN NULL; END $function$
;
CREATE TRIGGER report_lead_scored AFTER UPDATE OF tier ON leads FOR EACH ROW WHEN ((old.tier IS DISTINCT FROM new.tier)) EXECUTE FUNCTION report_lead_scored();

CREATE INDEX leads_assignee_created_at ON leads USING btree (tenant_id, assignee, state, COALESCE(tier, ''::text), created_at, lead_id) WHERE ((merged_into IS NULL) AND (assignee IS NOT NULL));

CREATE INDEX leads_assignee_id_created_at ON leads USING btree (tenant_id, assignee_id, state, COALESCE(tier, ''::text), created_at, lead_id) WHERE ((merged_into IS NULL) AND (assignee_id IS NOT NULL));

CREATE INDEX leads_assignee_id_last_message_at ON leads USING btree (tenant_id, assignee_id, state, COALESCE(tier, ''::text), last_message_at, lead_id) WHERE ((merged_into IS NULL) AND (assignee_id IS NOT NULL));

CREATE INDEX leads_assignee_last_message_at ON leads USING btree (tenant_id, assignee, state, COALESCE(tier, ''::text), last_message_at, lead_id) WHERE ((merged_into IS NULL) AND (assignee IS NOT NULL));

CREATE INDEX leads_contact ON leads USING btree (tenant_id, contact_id, last_message_at DESC);

CREATE INDEX leads_created_at ON leads USING btree (tenant_id, state, COALESCE(tier, ''::text), created_at, lead_id) WHERE (merged_into IS NULL);

CREATE INDEX leads_expected_close_on ON leads USING btree (tenant_id, expected_close_on, lead_id) WHERE ((merged_into IS NULL) AND (expected_close_on IS NOT NULL));

CREATE INDEX leads_last_message_at ON leads USING btree (tenant_id, state, COALESCE(tier, ''::text), last_message_at, lead_id) WHERE (merged_into IS NULL);

CREATE INDEX leads_merged ON leads USING btree (tenant_id, merged_into) WHERE (merged_into IS NOT NULL);

CREATE INDEX leads_stage ON leads USING btree (tenant_id, pipeline_id, COALESCE(stage_id, ''::text), state, created_at, lead_id) WHERE (merged_into IS NULL);

CREATE INDEX leads_team_id_created_at ON leads USING btree (tenant_id, team_id, state, COALESCE(tier, ''::text), created_at, lead_id) WHERE ((merged_into IS NULL) AND (team_id IS NOT NULL));

CREATE INDEX leads_team_id_last_message_at ON leads USING btree (tenant_id, team_id, state, COALESCE(tier, ''::text), last_message_at, lead_id) WHERE ((merged_into IS NULL) AND (team_id IS NOT NULL));

CREATE INDEX leads_value ON leads USING btree (tenant_id, value, lead_id) WHERE ((merged_into IS NULL) AND (value IS NOT NULL));

CREATE TABLE macros (
  tenant_id text COLLATE "C" NOT NULL,
  macro_id text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  actions json NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  PRIMARY KEY (tenant_id, macro_id)
);

CREATE TABLE mailbox_accounts (
  tenant_id text COLLATE "C" NOT NULL,
  grant_id text COLLATE "C" NOT NULL,
  username text COLLATE "C" NOT NULL,
  imap text COLLATE "C" NOT NULL,
  smtp text COLLATE "C" NOT NULL,
  secret text COLLATE "C" NOT NULL,
  since_at bigint NOT NULL,
  sets_flags bigint NOT NULL,
  created_at bigint NOT NULL,
  renewal_claim bigint NOT NULL,
  renewing_until bigint NOT NULL,
  PRIMARY KEY (tenant_id, grant_id)
);

CREATE TABLE mailbox_folders (
  tenant_id text COLLATE "C" NOT NULL,
  grant_id text COLLATE "C" NOT NULL,
  path text COLLATE "C" NOT NULL,
  role text COLLATE "C" NOT NULL,
  uid_validity text COLLATE "C" NOT NULL,
  uid_next bigint NOT NULL,
  backfill_uid bigint,
  highest_modseq text COLLATE "C",
  messages bigint NOT NULL,
  synced_at bigint,
  PRIMARY KEY (tenant_id, grant_id, path)
);

CREATE TABLE mailbox_syncs (
  tenant_id text COLLATE "C" NOT NULL,
  grant_id text COLLATE "C" NOT NULL,
  due_at bigint NOT NULL,
  claim bigint NOT NULL,
  last_sync_at bigint,
  failing_since bigint,
  failures bigint NOT NULL,
  error text COLLATE "C",
  is_reported bigint NOT NULL,
  PRIMARY KEY (tenant_id, grant_id)
);

CREATE INDEX mailbox_syncs_due ON mailbox_syncs USING btree (tenant_id, due_at, grant_id);

CREATE INDEX mailbox_syncs_failing ON mailbox_syncs USING btree (tenant_id, failing_since) WHERE (failing_since IS NOT NULL);

CREATE TABLE merge_suggestions (
  tenant_id text COLLATE "C" NOT NULL,
  first_id text COLLATE "C" NOT NULL,
  second_id text COLLATE "C" NOT NULL,
  into_id text COLLATE "C" NOT NULL,
  from_id text COLLATE "C" NOT NULL,
  reason text COLLATE "C" NOT NULL,
  created_at bigint NOT NULL,
  dismissed_at bigint,
  PRIMARY KEY (tenant_id, first_id, second_id)
);

CREATE INDEX merge_suggestions_newest ON merge_suggestions USING btree (tenant_id, created_at DESC, first_id DESC, second_id DESC) WHERE (dismissed_at IS NULL);

CREATE INDEX merge_suggestions_second ON merge_suggestions USING btree (tenant_id, second_id);

CREATE TABLE messages (
  tenant_id text COLLATE "C" NOT NULL,
  message_id text COLLATE "C" NOT NULL,
  contact_id text COLLATE "C" NOT NULL,
  lead_id text COLLATE "C",
  thread_id text COLLATE "C",
  channel text COLLATE "C" NOT NULL,
  actor text COLLATE "C" NOT NULL,
  auto text COLLATE "C",
  source text COLLATE "C" NOT NULL,
  "timestamp" bigint NOT NULL,
  received_at bigint NOT NULL,
  internet_message_id text COLLATE "C",
  received_alias text COLLATE "C",
  from_address text COLLATE "C",
  to_addresses json NOT NULL,
  cc_addresses json NOT NULL,
  flags json NOT NULL,
  attachments json NOT NULL,
  metadata json NOT NULL,
  subject text COLLATE "C",
  body text COLLATE "C" NOT NULL,
  quoted_text text COLLATE "C",
  html_body text COLLATE "C",
  delivery text COLLATE "C",
  provider_message_id text COLLATE "C",
  reply_to json NOT NULL,
  raw_key text COLLATE "C",
  raw_size bigint,
  raw_type text COLLATE "C",
  subject_contact_id text COLLATE "C",
  reference_ids json NOT NULL,
  user_id text COLLATE "C",
  thread_rule text COLLATE "C",
  thread_via text COLLATE "C",
  authentication json,
  grant_id text COLLATE "C",
  PRIMARY KEY (tenant_id, message_id)
);

CREATE OR REPLACE FUNCTION message_answers()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ BEGIN
    IF EXISTS (SELECT 1 FROM added WHERE actor = 'contact' AND auto IS NULL) THEN
      UPDATE enrolments SET answered_at = answers.received_at
              FROM (SELECT tenant_id, contact_id, min(received_at) AS received_at FROM added
                WHERE actor = 'contact' AND auto IS NULL GROUP BY tenant_id, contact_id) AS answers
              WHERE enrolments.tenant_id = answers.tenant_id AND enrolments.contact_id = answers.contact_id
                AND answered_at IS NULL;
UPDATE trigger_runs SET answered_at = answers.received_at
              FROM (SELECT tenant_id, contact_id, min(received_at) AS received_at FROM added
                WHERE actor = 'contact' AND auto IS NULL GROUP BY tenant_id, contact_id) AS answers
              WHERE trigger_runs.tenant_id = answers.tenant_id AND trigger_runs.contact_id = answers.contact_id
                AND state = 'waiting' AND trigger = 'no_answer' AND answered_at IS NULL;
    END IF;
    RETURN NULL;
  END $function$
;
CREATE TRIGGER message_answers AFTER INSERT ON messages REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION message_answers();

CREATE OR REPLACE FUNCTION report_message_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ BEGIN INSERT INTO report_recounts
    (tenant_id, subject_id, stream, position)
  SELECT old.tenant_id, old.contact_id, streams.name, ''
    FROM (SELECT 'messages' AS name UNION ALL SELECT 'closings' UNION ALL SELECT 'runs') AS streams WHERE true
  ON CONFLICT (tenant_id, subject_id, stream) DO UPDATE SET position = '' WHERE report_recounts.position <> ''; INSERT INTO report_recounts
    (tenant_id, subject_id, stream, position)
  SELECT new.tenant_id, new.contact_id, streams.name, ''
    FROM (SELECT 'messages' AS name UNION ALL SELECT 'closings' UNION ALL SELECT 'runs') AS streams WHERE true
  ON CONFLICT (tenant_id, subject_id, stream) DO UPDATE SET position = '' WHERE report_recounts.position <> ''; RETURN NULL; END $function$
;
CREATE TRIGGER report_message_changed AFTER UPDATE OF contact_id, auto ON messages FOR EACH ROW WHEN (((old.contact_id IS DISTINCT FROM new.contact_id) OR (old.auto IS DISTINCT FROM new.auto))) EXECUTE FUNCTION report_message_changed();

CREATE OR REPLACE FUNCTION report_message_deleted()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ BEGIN DELETE FROM report_facts
      WHERE tenant_id = old.tenant_id AND fact_id IN (old.message_id, old.message_id || ':delivery'); RETURN NULL; END $function$
;
CREATE TRIGGER report_message_deleted AFTER DELETE ON messages FOR EACH ROW EXECUTE FUNCTION report_message_deleted();

CREATE OR REPLACE FUNCTION report_message_delivered()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ BEGIN INSERT INTO report_recounts (tenant_id, subject_id, stream, position)
    SELECT p.tenant_id, new.contact_id, p.stream, '' FROM report_positions p
      WHERE p.tenant_id = new.tenant_id AND p.stream = 'messages' AND p.position >= new.message_id
    ON CONFLICT (tenant_id, subject_id, stream) DO UPDATE SET position = '' WHERE report_recounts.position <> ''; RETURN NULL; END $function$
;
CREATE TRIGGER report_message_delivered AFTER UPDATE OF delivery ON messages FOR EACH ROW WHEN ((old.delivery IS DISTINCT FROM new.delivery)) EXECUTE FUNCTION report_message_delivered();

CREATE OR REPLACE FUNCTION search_message_gone()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ BEGIN INSERT INTO search_queue (tenant_id, kind, id) VALUES (old.tenant_id, 'message', old.message_id)
    ON CONFLICT (tenant_id, kind, id) DO NOTHING; RETURN NULL; END $function$
;
CREATE TRIGGER search_message_gone AFTER DELETE ON messages FOR EACH ROW EXECUTE FUNCTION search_message_gone();

CREATE OR REPLACE FUNCTION search_message_new()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ BEGIN INSERT INTO search_queue (tenant_id, kind, id) VALUES (new.tenant_id, 'message', new.message_id)
    ON CONFLICT (tenant_id, kind, id) DO NOTHING; RETURN NULL; END $function$
;
CREATE TRIGGER search_message_new AFTER INSERT ON messages FOR EACH ROW EXECUTE FUNCTION search_message_new();

CREATE INDEX messages_contact ON messages USING btree (tenant_id, contact_id, "timestamp", message_id);

CREATE INDEX messages_from_contact ON messages USING btree (tenant_id, contact_id, received_at, message_id) WHERE (actor = 'contact'::text);

CREATE INDEX messages_lead_time ON messages USING btree (tenant_id, lead_id, "timestamp", message_id) WHERE (lead_id IS NOT NULL);

CREATE INDEX messages_ours ON messages USING btree (tenant_id, contact_id, actor, "timestamp") WHERE (actor = ANY (ARRAY['assistant'::text, 'agent'::text]));

CREATE INDEX messages_thread ON messages USING btree (tenant_id, thread_id, "timestamp", message_id) WHERE (thread_id IS NOT NULL);

CREATE TABLE notes (
  tenant_id text COLLATE "C" NOT NULL,
  note_id text COLLATE "C" NOT NULL,
  contact_id text COLLATE "C" NOT NULL,
  author_id text COLLATE "C",
  author text COLLATE "C" NOT NULL,
  body text COLLATE "C" NOT NULL,
  mentions json NOT NULL,
  team_mentions json NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  PRIMARY KEY (tenant_id, note_id)
);

CREATE OR REPLACE FUNCTION search_note_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ BEGIN INSERT INTO search_queue (tenant_id, kind, id) VALUES (new.tenant_id, 'note', new.note_id)
    ON CONFLICT (tenant_id, kind, id) DO NOTHING; RETURN NULL; END $function$
;
CREATE TRIGGER search_note_changed AFTER UPDATE OF body ON notes FOR EACH ROW EXECUTE FUNCTION search_note_changed();

CREATE OR REPLACE FUNCTION search_note_gone()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ BEGIN INSERT INTO search_queue (tenant_id, kind, id) VALUES (old.tenant_id, 'note', old.note_id)
    ON CONFLICT (tenant_id, kind, id) DO NOTHING; RETURN NULL; END $function$
;
CREATE TRIGGER search_note_gone AFTER DELETE ON notes FOR EACH ROW EXECUTE FUNCTION search_note_gone();

CREATE OR REPLACE FUNCTION search_note_new()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ BEGIN INSERT INTO search_queue (tenant_id, kind, id) VALUES (new.tenant_id, 'note', new.note_id)
    ON CONFLICT (tenant_id, kind, id) DO NOTHING; RETURN NULL; END $function$
;
CREATE TRIGGER search_note_new AFTER INSERT ON notes FOR EACH ROW EXECUTE FUNCTION search_note_new();

CREATE INDEX notes_contact ON notes USING btree (tenant_id, contact_id, created_at, note_id);

CREATE TABLE opt_outs (
  tenant_id text COLLATE "C" NOT NULL,
  phone text COLLATE "C" NOT NULL,
  own_phone text COLLATE "C" NOT NULL,
  opted_out bigint NOT NULL,
  source text COLLATE "C" NOT NULL,
  changed_at bigint NOT NULL,
  history json NOT NULL,
  evidence json,
  PRIMARY KEY (tenant_id, phone, own_phone)
);

CREATE TABLE phone_numbers (
  tenant_id text COLLATE "C" NOT NULL,
  phone text COLLATE "C" NOT NULL,
  is_default bigint NOT NULL,
  created_at bigint NOT NULL,
  PRIMARY KEY (tenant_id, phone)
);

CREATE UNIQUE INDEX phone_numbers_phone ON phone_numbers USING btree (phone);

CREATE TABLE provider_events (
  tenant_id text COLLATE "C" NOT NULL,
  provider text COLLATE "C" NOT NULL,
  event_id text COLLATE "C" NOT NULL,
  received_at bigint NOT NULL,
  PRIMARY KEY (tenant_id, provider, event_id)
);

CREATE INDEX provider_events_received ON provider_events USING btree (tenant_id, received_at);

CREATE UNLOGGED TABLE rate_logs (
  tenant_id text COLLATE "C" NOT NULL,
  rate_key text COLLATE "C" NOT NULL,
  times bigint[] NOT NULL,
  totals bigint[] NOT NULL,
  ends_at bigint NOT NULL,
  granted bigint NOT NULL,
  PRIMARY KEY (tenant_id, rate_key)
) WITH (fillfactor=50);

CREATE TABLE remote_image_senders (
  tenant_id text COLLATE "C" NOT NULL,
  contact_id text COLLATE "C" NOT NULL,
  allowed_at bigint NOT NULL,
  PRIMARY KEY (tenant_id, contact_id)
);

CREATE TABLE report_counts (
  tenant_id text COLLATE "C" NOT NULL,
  metric text COLLATE "C" NOT NULL,
  day text COLLATE "C" NOT NULL,
  tag text COLLATE "C" NOT NULL,
  channel text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  team_id text COLLATE "C" NOT NULL,
  source text COLLATE "C" NOT NULL,
  pipeline_id text COLLATE "C" NOT NULL,
  detail text COLLATE "C" NOT NULL,
  bucket bigint NOT NULL,
  count bigint NOT NULL,
  seconds bigint NOT NULL,
  PRIMARY KEY (tenant_id, metric, day, tag, channel, user_id, team_id, source, pipeline_id, detail, bucket)
);

CREATE TABLE report_facts (
  tenant_id text COLLATE "C" NOT NULL,
  fact_id text COLLATE "C" NOT NULL,
  metric text COLLATE "C" NOT NULL,
  day text COLLATE "C" NOT NULL,
  channel text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  team_id text COLLATE "C" NOT NULL,
  source text COLLATE "C" NOT NULL,
  pipeline_id text COLLATE "C" NOT NULL,
  detail text COLLATE "C" NOT NULL,
  tags json NOT NULL,
  seconds bigint NOT NULL,
  bucket bigint NOT NULL,
  PRIMARY KEY (tenant_id, fact_id, metric)
);

CREATE OR REPLACE FUNCTION report_fact_counted()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ BEGIN INSERT INTO report_counts (tenant_id, metric, day, tag, channel, user_id, team_id, source, pipeline_id, detail, bucket, "count", seconds)
    SELECT new.tenant_id, new.metric, new.day, tags.value,
      new.channel, new.user_id, new.team_id, new.source, new.pipeline_id, new.detail, new.bucket, 1, new.seconds
    FROM (SELECT '' AS value UNION ALL SELECT item.value FROM json_array_elements_text(new.tags) AS item(value)) AS tags WHERE true
    ON CONFLICT (tenant_id, metric, day, tag, channel, user_id, team_id, source, pipeline_id, detail, bucket) DO UPDATE
      SET "count" = report_counts."count" + excluded."count", seconds = report_counts.seconds + excluded.seconds; RETURN NULL; END $function$
;
CREATE TRIGGER report_fact_counted AFTER INSERT ON report_facts FOR EACH ROW EXECUTE FUNCTION report_fact_counted();

CREATE OR REPLACE FUNCTION report_fact_uncounted()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ BEGIN INSERT INTO report_counts (tenant_id, metric, day, tag, channel, user_id, team_id, source, pipeline_id, detail, bucket, "count", seconds)
    SELECT old.tenant_id, old.metric, old.day, tags.value,
      old.channel, old.user_id, old.team_id, old.source, old.pipeline_id, old.detail, old.bucket, -1, -old.seconds
    FROM (SELECT '' AS value UNION ALL SELECT item.value FROM json_array_elements_text(old.tags) AS item(value)) AS tags WHERE true
    ON CONFLICT (tenant_id, metric, day, tag, channel, user_id, team_id, source, pipeline_id, detail, bucket) DO UPDATE
      SET "count" = report_counts."count" + excluded."count", seconds = report_counts.seconds + excluded.seconds; DELETE FROM report_counts WHERE tenant_id = old.tenant_id AND metric = old.metric AND day = old.day AND channel = old.channel AND user_id = old.user_id AND team_id = old.team_id AND source = old.source AND pipeline_id = old.pipeline_id AND detail = old.detail AND bucket = old.bucket AND tag IN (SELECT '' UNION ALL SELECT item.value FROM json_array_elements_text(old.tags) AS item(value)) AND "count" = 0; RETURN NULL; END $function$
;
CREATE TRIGGER report_fact_uncounted AFTER DELETE ON report_facts FOR EACH ROW EXECUTE FUNCTION report_fact_uncounted();

CREATE INDEX report_facts_day ON report_facts USING btree (tenant_id, day);

CREATE TABLE report_positions (
  tenant_id text COLLATE "C" NOT NULL,
  stream text COLLATE "C" NOT NULL,
  "position" text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant_id, stream)
);

CREATE TABLE report_recounts (
  tenant_id text COLLATE "C" NOT NULL,
  subject_id text COLLATE "C" NOT NULL,
  stream text COLLATE "C" NOT NULL,
  "position" text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant_id, subject_id, stream)
);

CREATE TABLE runs (
  tenant_id text COLLATE "C" NOT NULL,
  signal_id text COLLATE "C" NOT NULL,
  run_id text COLLATE "C" NOT NULL,
  message_id text COLLATE "C" NOT NULL,
  contact_id text COLLATE "C" NOT NULL,
  lead_id text COLLATE "C",
  config_version bigint NOT NULL,
  created_at bigint NOT NULL,
  result json NOT NULL,
  inputs json,
  recordings json,
  PRIMARY KEY (tenant_id, signal_id)
);

CREATE OR REPLACE FUNCTION report_run_deleted()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ BEGIN DELETE FROM report_facts WHERE tenant_id = old.tenant_id AND fact_id = old.run_id; RETURN NULL; END $function$
;
CREATE TRIGGER report_run_deleted AFTER DELETE ON runs FOR EACH ROW EXECUTE FUNCTION report_run_deleted();

CREATE INDEX runs_contact ON runs USING btree (tenant_id, contact_id, signal_id);

CREATE INDEX runs_in_order ON runs USING btree (tenant_id, run_id);

CREATE INDEX runs_lead ON runs USING btree (tenant_id, lead_id, signal_id) WHERE (lead_id IS NOT NULL);

CREATE TABLE sales_pipelines (
  tenant_id text COLLATE "C" NOT NULL,
  pipeline_id text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  stages json NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  PRIMARY KEY (tenant_id, pipeline_id)
);

CREATE OR REPLACE FUNCTION report_stages_added()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ BEGIN INSERT INTO report_recounts (tenant_id, subject_id, stream, position)
    SELECT new.tenant_id, '', streams.name, '' FROM (SELECT 'leads' AS name) AS streams WHERE true
    ON CONFLICT (tenant_id, subject_id, stream) DO UPDATE SET position = '' WHERE report_recounts.position <> ''; RETURN NULL; END $function$
;
CREATE TRIGGER report_stages_added AFTER INSERT ON sales_pipelines FOR EACH ROW EXECUTE FUNCTION report_stages_added();

CREATE OR REPLACE FUNCTION report_stages_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ BEGIN INSERT INTO report_recounts (tenant_id, subject_id, stream, position)
    SELECT new.tenant_id, '', streams.name, '' FROM (SELECT 'leads' AS name) AS streams WHERE true
    ON CONFLICT (tenant_id, subject_id, stream) DO UPDATE SET position = '' WHERE report_recounts.position <> ''; RETURN NULL; END $function$
;
CREATE TRIGGER report_stages_changed AFTER UPDATE OF stages ON sales_pipelines FOR EACH ROW WHEN (((old.stages)::text IS DISTINCT FROM (new.stages)::text)) EXECUTE FUNCTION report_stages_changed();

CREATE TABLE scheduled_sends (
  tenant_id text COLLATE "C" NOT NULL,
  message_id text COLLATE "C" NOT NULL,
  contact_id text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL,
  composition json NOT NULL,
  override json,
  send_at bigint NOT NULL,
  undo bigint NOT NULL,
  cancel_on_reply bigint NOT NULL,
  version bigint NOT NULL,
  send_key text COLLATE "C" NOT NULL,
  fingerprint text COLLATE "C" NOT NULL,
  reason text COLLATE "C",
  attempts bigint NOT NULL,
  due_at bigint NOT NULL,
  created_by text COLLATE "C" NOT NULL,
  created_by_user text COLLATE "C",
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  PRIMARY KEY (tenant_id, message_id)
);

CREATE INDEX scheduled_sends_contact ON scheduled_sends USING btree (tenant_id, contact_id, state, send_at, message_id);

CREATE INDEX scheduled_sends_due ON scheduled_sends USING btree (tenant_id, due_at, message_id) WHERE (state = 'scheduled'::text);

CREATE UNIQUE INDEX scheduled_sends_key ON scheduled_sends USING btree (tenant_id, send_key);

CREATE INDEX scheduled_sends_state ON scheduled_sends USING btree (tenant_id, state, send_at, message_id);

CREATE TABLE search_documents (
  tenant_id text COLLATE "C" NOT NULL,
  place bigint NOT NULL,
  id text COLLATE "C" NOT NULL,
  "timestamp" bigint NOT NULL,
  words tsvector NOT NULL,
  PRIMARY KEY (tenant_id, place)
);

CREATE UNIQUE INDEX search_documents_id ON search_documents USING btree (tenant_id, id);

CREATE INDEX search_documents_words ON search_documents USING gin (words) WITH (fastupdate=off);

CREATE TABLE search_queue (
  tenant_id text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant_id, kind, id)
);

CREATE TABLE search_segments (
  tenant_id text COLLATE "C" NOT NULL,
  segment bigint NOT NULL,
  documents bigint NOT NULL,
  summarized bigint NOT NULL,
  PRIMARY KEY (tenant_id, segment)
);

CREATE INDEX search_segments_unsummarized ON search_segments USING btree (tenant_id, segment) WHERE ((documents = 4096) AND ((summarized = 0) OR (summarized > 256)));

CREATE TABLE search_summaries (
  tenant_id text COLLATE "C" NOT NULL,
  segment bigint NOT NULL,
  part bigint NOT NULL,
  words tsvector NOT NULL,
  PRIMARY KEY (tenant_id, segment, part)
);

CREATE INDEX search_summaries_words ON search_summaries USING gin (words) WITH (fastupdate=off);

CREATE TABLE segments (
  tenant_id text COLLATE "C" NOT NULL,
  segment_id text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  filters json NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  PRIMARY KEY (tenant_id, segment_id)
);

CREATE TABLE sends (
  tenant_id text COLLATE "C" NOT NULL,
  message_id text COLLATE "C" NOT NULL,
  send_key text COLLATE "C" NOT NULL,
  fingerprint text COLLATE "C" NOT NULL,
  grant_id text COLLATE "C" NOT NULL,
  contact_id text COLLATE "C" NOT NULL,
  lead_id text COLLATE "C",
  thread_id text COLLATE "C" NOT NULL,
  correspondent text COLLATE "C" NOT NULL,
  automatic bigint NOT NULL,
  state text COLLATE "C" NOT NULL,
  attempts bigint NOT NULL,
  slot_at bigint NOT NULL,
  due_at bigint NOT NULL,
  created_at bigint NOT NULL,
  ended_at bigint,
  reason text COLLATE "C",
  mail json NOT NULL,
  channel text COLLATE "C" NOT NULL,
  override json,
  history json NOT NULL,
  PRIMARY KEY (tenant_id, message_id)
);

CREATE INDEX sends_automatic ON sends USING btree (tenant_id, correspondent, created_at) WHERE (automatic = 1);

CREATE INDEX sends_due ON sends USING btree (tenant_id, due_at, message_id) WHERE (state = ANY (ARRAY['reserved'::text, 'handed_over'::text]));

CREATE INDEX sends_failed ON sends USING btree (ended_at) WHERE (state = 'failed'::text);

CREATE UNIQUE INDEX sends_key ON sends USING btree (tenant_id, send_key);

CREATE INDEX sends_slot ON sends USING btree (tenant_id, slot_at);

CREATE TABLE sequence_counts (
  tenant_id text COLLATE "C" NOT NULL,
  sequence_id text COLLATE "C" NOT NULL,
  starts_at bigint NOT NULL,
  emails bigint NOT NULL,
  texts bigint NOT NULL,
  bounced bigint NOT NULL,
  complained bigint NOT NULL,
  opted_out bigint NOT NULL,
  PRIMARY KEY (tenant_id, sequence_id, starts_at)
);

CREATE INDEX sequence_counts_start ON sequence_counts USING btree (tenant_id, starts_at, sequence_id);

CREATE TABLE sequence_versions (
  tenant_id text COLLATE "C" NOT NULL,
  sequence_id text COLLATE "C" NOT NULL,
  version bigint NOT NULL,
  steps json NOT NULL,
  stop_on json NOT NULL,
  PRIMARY KEY (tenant_id, sequence_id, version)
);

CREATE TABLE sequences (
  tenant_id text COLLATE "C" NOT NULL,
  sequence_id text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  version bigint NOT NULL,
  steps json NOT NULL,
  stop_on json NOT NULL,
  migrates_to bigint NOT NULL,
  archived_at bigint,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  holdout_percent bigint NOT NULL,
  limits json NOT NULL,
  paused_at bigint,
  pause_reason text COLLATE "C",
  pause_detail text COLLATE "C",
  resumed_at bigint,
  rule_id text COLLATE "C",
  PRIMARY KEY (tenant_id, sequence_id)
);

CREATE INDEX sequences_active ON sequences USING btree (tenant_id, sequence_id) WHERE (archived_at IS NULL);

CREATE UNIQUE INDEX sequences_rule ON sequences USING btree (tenant_id, rule_id) WHERE (rule_id IS NOT NULL);

CREATE TABLE session_origins (
  tenant_id text COLLATE "C" NOT NULL,
  origin text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant_id, origin)
);

CREATE INDEX session_origins_origin ON session_origins USING btree (origin);

CREATE TABLE sign_ins (
  tenant_id text COLLATE "C" NOT NULL,
  state_hash text COLLATE "C" NOT NULL,
  principal text COLLATE "C" NOT NULL,
  expires_at bigint NOT NULL,
  sealed text COLLATE "C",
  PRIMARY KEY (tenant_id, state_hash)
);

CREATE TABLE signals (
  tenant_id text COLLATE "C" NOT NULL,
  signal_id text COLLATE "C" NOT NULL,
  message_id text COLLATE "C" NOT NULL,
  contact_id text COLLATE "C" NOT NULL,
  lead_id text COLLATE "C",
  state text COLLATE "C" NOT NULL,
  attempts bigint NOT NULL,
  due_at bigint NOT NULL,
  created_at bigint NOT NULL,
  ended_at bigint,
  reason text COLLATE "C",
  unfinished bigint NOT NULL,
  suspect bigint NOT NULL,
  PRIMARY KEY (tenant_id, signal_id)
);

CREATE INDEX signals_due ON signals USING btree (tenant_id, due_at, signal_id) WHERE (state = 'queued'::text);

CREATE INDEX signals_failed ON signals USING btree (ended_at) WHERE (state = 'failed'::text);

CREATE TABLE sources (
  tenant_id text COLLATE "C" NOT NULL,
  source_id text COLLATE "C" NOT NULL,
  prefix text COLLATE "C" NOT NULL,
  hash text COLLATE "C" NOT NULL,
  created_at bigint NOT NULL,
  PRIMARY KEY (tenant_id, source_id)
);

CREATE UNIQUE INDEX sources_hash ON sources USING btree (hash);

CREATE TABLE stage_moves (
  tenant_id text COLLATE "C" NOT NULL,
  lead_id text COLLATE "C" NOT NULL,
  place bigint NOT NULL,
  pipeline_id text COLLATE "C" NOT NULL,
  stage_id text COLLATE "C",
  state text COLLATE "C" NOT NULL,
  moved_at bigint NOT NULL,
  PRIMARY KEY (tenant_id, lead_id, place)
);

CREATE TABLE stream_tickets (
  tenant_id text COLLATE "C" NOT NULL,
  hash text COLLATE "C" NOT NULL,
  sealed text COLLATE "C" NOT NULL,
  expires_at bigint NOT NULL,
  PRIMARY KEY (tenant_id, hash)
);

CREATE INDEX stream_tickets_expiry ON stream_tickets USING btree (tenant_id, expires_at);

CREATE TABLE task_comments (
  tenant_id text COLLATE "C" NOT NULL,
  task_id text COLLATE "C" NOT NULL,
  comment_id text COLLATE "C" NOT NULL,
  author_id text COLLATE "C",
  author text COLLATE "C" NOT NULL,
  body text COLLATE "C" NOT NULL,
  created_at bigint NOT NULL,
  PRIMARY KEY (tenant_id, task_id, comment_id)
);

CREATE TABLE tasks (
  tenant_id text COLLATE "C" NOT NULL,
  task_id text COLLATE "C" NOT NULL,
  type text COLLATE "C" NOT NULL,
  status text COLLATE "C" NOT NULL,
  title text COLLATE "C" NOT NULL,
  contact_id text COLLATE "C",
  lead_id text COLLATE "C",
  signal_id text COLLATE "C",
  due_at bigint,
  created_at bigint NOT NULL,
  disposition text COLLATE "C",
  snooze_until bigint,
  updated_at bigint NOT NULL,
  priority text COLLATE "C" NOT NULL,
  description text COLLATE "C",
  assignee_id text COLLATE "C",
  team_id text COLLATE "C",
  remind_at bigint,
  recurrence text COLLATE "C",
  recurrence_minute bigint,
  next_task_id text COLLATE "C",
  PRIMARY KEY (tenant_id, task_id)
);

CREATE INDEX tasks_assignee ON tasks USING btree (tenant_id, assignee_id, status, type, priority, COALESCE(due_at, '9007199254740991'::bigint), created_at, task_id) WHERE (assignee_id IS NOT NULL);

CREATE INDEX tasks_contact ON tasks USING btree (tenant_id, contact_id, created_at, task_id);

CREATE INDEX tasks_lead ON tasks USING btree (tenant_id, lead_id) WHERE (lead_id IS NOT NULL);

CREATE INDEX tasks_priority ON tasks USING btree (tenant_id, status, type, priority, COALESCE(due_at, '9007199254740991'::bigint), created_at, task_id);

CREATE INDEX tasks_queue ON tasks USING btree (tenant_id, status, type, COALESCE(due_at, '9007199254740991'::bigint), created_at, task_id);

CREATE INDEX tasks_snoozed ON tasks USING btree (tenant_id, snooze_until) WHERE (status = 'snoozed'::text);

CREATE INDEX tasks_team ON tasks USING btree (tenant_id, team_id, status, type, priority, COALESCE(due_at, '9007199254740991'::bigint), created_at, task_id) WHERE (team_id IS NOT NULL);

CREATE TABLE teams (
  tenant_id text COLLATE "C" NOT NULL,
  team_id text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  member_ids json NOT NULL,
  last_assigned_id text COLLATE "C",
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  PRIMARY KEY (tenant_id, team_id)
);

CREATE UNIQUE INDEX teams_name ON teams USING btree (tenant_id, name);

CREATE TABLE tenant_configs (
  tenant_id text COLLATE "C" NOT NULL,
  version bigint NOT NULL,
  config json NOT NULL,
  PRIMARY KEY (tenant_id, version)
);

CREATE TABLE tenants (
  tenant_id text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  domain text COLLATE "C",
  hipaa bigint NOT NULL,
  created_at bigint NOT NULL,
  archived_at bigint,
  config_version bigint NOT NULL,
  plan text COLLATE "C" NOT NULL,
  cap_actions bigint,
  cap_ai_calls bigint,
  owns_domain bigint NOT NULL,
  locale text COLLATE "C",
  PRIMARY KEY (tenant_id)
);

CREATE INDEX tenants_domain ON tenants USING btree (domain);

CREATE UNIQUE INDEX tenants_owned_domain ON tenants USING btree (domain) WHERE ((archived_at IS NULL) AND (owns_domain = 1));

CREATE TABLE thread_correction_items (
  tenant_id text COLLATE "C" NOT NULL,
  correction_id text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  item_id text COLLATE "C" NOT NULL,
  thread_id text COLLATE "C" NOT NULL,
  lead_id text COLLATE "C",
  seen bigint,
  weak bigint,
  PRIMARY KEY (tenant_id, correction_id, kind, item_id, thread_id)
);

CREATE INDEX thread_correction_items_item ON thread_correction_items USING btree (tenant_id, item_id, correction_id);

CREATE TABLE thread_corrections (
  tenant_id text COLLATE "C" NOT NULL,
  correction_id text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  thread_id text COLLATE "C" NOT NULL,
  from_thread_ids json NOT NULL,
  message_id text COLLATE "C",
  actor text COLLATE "C" NOT NULL,
  created_at bigint NOT NULL,
  undone_at bigint,
  undone_by text COLLATE "C",
  user_id text COLLATE "C",
  undone_by_user text COLLATE "C",
  user_name text COLLATE "C",
  undone_by_user_name text COLLATE "C",
  PRIMARY KEY (tenant_id, correction_id)
);

CREATE TABLE thread_ids (
  tenant_id text COLLATE "C" NOT NULL,
  message_id text COLLATE "C" NOT NULL,
  thread_id text COLLATE "C" NOT NULL,
  seen bigint NOT NULL,
  weak bigint NOT NULL,
  PRIMARY KEY (tenant_id, message_id, thread_id)
);

CREATE INDEX thread_ids_thread ON thread_ids USING btree (tenant_id, thread_id);

CREATE TABLE thread_participants (
  tenant_id text COLLATE "C" NOT NULL,
  thread_id text COLLATE "C" NOT NULL,
  email text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant_id, thread_id, email)
);

CREATE TABLE threads (
  tenant_id text COLLATE "C" NOT NULL,
  thread_id text COLLATE "C" NOT NULL,
  lead_id text COLLATE "C",
  created_at bigint NOT NULL,
  base_subject text COLLATE "C" NOT NULL,
  corrected bigint NOT NULL,
  PRIMARY KEY (tenant_id, thread_id)
);

CREATE TABLE tracked_links (
  tenant_id text COLLATE "C" NOT NULL,
  token text COLLATE "C" NOT NULL,
  "position" bigint NOT NULL,
  url text COLLATE "C" NOT NULL,
  contact_id text COLLATE "C" NOT NULL,
  message_id text COLLATE "C" NOT NULL,
  sequence_id text COLLATE "C" NOT NULL,
  enrolment_id text COLLATE "C" NOT NULL,
  step text COLLATE "C" NOT NULL,
  sent_at bigint,
  opens bigint NOT NULL,
  first_opened_at bigint,
  last_opened_at bigint,
  created_at bigint NOT NULL,
  PRIMARY KEY (tenant_id, token)
);

CREATE INDEX tracked_links_contact ON tracked_links USING btree (tenant_id, contact_id, token);

CREATE INDEX tracked_links_created ON tracked_links USING btree (tenant_id, created_at, token);

CREATE INDEX tracked_links_message ON tracked_links USING btree (tenant_id, message_id, "position");

CREATE INDEX tracked_links_opened ON tracked_links USING btree (tenant_id, enrolment_id, message_id) WHERE (opens > 0);

CREATE TABLE tracking_consents (
  tenant_id text COLLATE "C" NOT NULL,
  email text COLLATE "C" NOT NULL,
  opted_out bigint NOT NULL,
  source text COLLATE "C" NOT NULL,
  changed_at bigint NOT NULL,
  evidence json,
  history json NOT NULL,
  PRIMARY KEY (tenant_id, email)
);

CREATE TABLE trigger_runs (
  tenant_id text COLLATE "C" NOT NULL,
  trigger_run_id text COLLATE "C" NOT NULL,
  rule_id text COLLATE "C" NOT NULL,
  rule_name text COLLATE "C" NOT NULL,
  trigger text COLLATE "C" NOT NULL,
  cause text COLLATE "C" NOT NULL,
  contact_id text COLLATE "C" NOT NULL,
  lead_id text COLLATE "C",
  message_id text COLLATE "C",
  cause_at bigint NOT NULL,
  run_at bigint NOT NULL,
  state text COLLATE "C" NOT NULL,
  reason text COLLATE "C",
  actions json NOT NULL,
  config_version bigint,
  attempts bigint NOT NULL,
  due_at bigint NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  task_id text COLLATE "C",
  change json,
  defects bigint NOT NULL,
  answered_at bigint,
  PRIMARY KEY (tenant_id, trigger_run_id)
);

CREATE UNIQUE INDEX trigger_runs_cause ON trigger_runs USING btree (tenant_id, rule_id, cause);

CREATE INDEX trigger_runs_contact ON trigger_runs USING btree (tenant_id, contact_id, trigger_run_id);

CREATE INDEX trigger_runs_due ON trigger_runs USING btree (tenant_id, due_at, trigger_run_id) WHERE (state = 'waiting'::text);

CREATE INDEX trigger_runs_ended ON trigger_runs USING btree (tenant_id, updated_at, trigger_run_id) WHERE (state <> 'waiting'::text);

CREATE INDEX trigger_runs_rule ON trigger_runs USING btree (tenant_id, rule_id, trigger_run_id);

CREATE INDEX trigger_runs_waiting ON trigger_runs USING btree (tenant_id, contact_id) WHERE (state = 'waiting'::text);

CREATE TABLE undeliverable (
  tenant_id text COLLATE "C" NOT NULL,
  email text COLLATE "C" NOT NULL,
  bounced_at bigint NOT NULL,
  reason text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant_id, email)
);

CREATE TABLE uploads (
  tenant_id text COLLATE "C" NOT NULL,
  upload_id text COLLATE "C" NOT NULL,
  filename text COLLATE "C" NOT NULL,
  content_type text COLLATE "C" NOT NULL,
  size bigint NOT NULL,
  holder text COLLATE "C",
  created_by text COLLATE "C" NOT NULL,
  created_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  PRIMARY KEY (tenant_id, upload_id)
);

CREATE INDEX uploads_expiry ON uploads USING btree (tenant_id, expires_at, upload_id);

CREATE INDEX uploads_holder ON uploads USING btree (tenant_id, holder);

CREATE TABLE usages (
  tenant_id text COLLATE "C" NOT NULL,
  month text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  used bigint NOT NULL,
  PRIMARY KEY (tenant_id, month, kind)
);

CREATE TABLE users (
  tenant_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  email text COLLATE "C",
  role text COLLATE "C" NOT NULL,
  active bigint NOT NULL,
  working_hours json,
  time_zone text COLLATE "C",
  signature text COLLATE "C",
  subject text COLLATE "C",
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  PRIMARY KEY (tenant_id, user_id)
);

CREATE OR REPLACE FUNCTION report_user_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ BEGIN INSERT INTO report_recounts (tenant_id, subject_id, stream, position)
    SELECT new.tenant_id, '', streams.name, '' FROM (SELECT 'messages' AS name UNION ALL SELECT 'closings' UNION ALL SELECT 'runs') AS streams WHERE true
    ON CONFLICT (tenant_id, subject_id, stream) DO UPDATE SET position = '' WHERE report_recounts.position <> ''; RETURN NULL; END $function$
;
CREATE TRIGGER report_user_changed AFTER UPDATE OF working_hours, time_zone ON users FOR EACH ROW WHEN ((((old.working_hours)::text IS DISTINCT FROM (new.working_hours)::text) OR ((new.working_hours IS NOT NULL) AND (old.time_zone IS DISTINCT FROM new.time_zone)))) EXECUTE FUNCTION report_user_changed();

CREATE INDEX users_active ON users USING btree (tenant_id, active, user_id);

CREATE UNIQUE INDEX users_email ON users USING btree (tenant_id, email) WHERE (email IS NOT NULL);

CREATE UNIQUE INDEX users_subject ON users USING btree (tenant_id, subject) WHERE (subject IS NOT NULL);

CREATE TABLE views (
  tenant_id text COLLATE "C" NOT NULL,
  view_id text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  filters json NOT NULL,
  owner_id text COLLATE "C",
  shared bigint NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  PRIMARY KEY (tenant_id, view_id)
);

CREATE INDEX views_private ON views USING btree (tenant_id, owner_id, view_id) WHERE (shared = 0);

CREATE INDEX views_shared ON views USING btree (tenant_id, view_id) WHERE (shared = 1);

CREATE TABLE webhook_calls (
  tenant_id text COLLATE "C" NOT NULL,
  call_id text COLLATE "C" NOT NULL,
  request json NOT NULL,
  tries bigint NOT NULL,
  attempts bigint NOT NULL,
  due_at bigint NOT NULL,
  created_at bigint NOT NULL,
  PRIMARY KEY (tenant_id, call_id)
);

CREATE INDEX webhook_calls_due ON webhook_calls USING btree (tenant_id, due_at, call_id) WHERE (attempts >= 0);

CREATE TABLE webhook_deliveries (
  tenant_id text COLLATE "C" NOT NULL,
  webhook_id text COLLATE "C" NOT NULL,
  sequence bigint NOT NULL,
  status text COLLATE "C" NOT NULL,
  due_at bigint NOT NULL,
  tries bigint NOT NULL,
  attempts json NOT NULL,
  updated_at bigint NOT NULL,
  PRIMARY KEY (tenant_id, webhook_id, sequence)
);

CREATE INDEX webhook_deliveries_due ON webhook_deliveries USING btree (tenant_id, webhook_id, due_at) WHERE (status = 'pending'::text);

CREATE INDEX webhook_deliveries_failed ON webhook_deliveries USING btree (updated_at) WHERE (status = 'failed'::text);

CREATE INDEX webhook_deliveries_status ON webhook_deliveries USING btree (tenant_id, webhook_id, status, sequence);

CREATE TABLE webhook_log (
  tenant_id text COLLATE "C" NOT NULL,
  webhook_id text COLLATE "C" NOT NULL,
  first_sequence bigint NOT NULL,
  entries json NOT NULL,
  PRIMARY KEY (tenant_id, webhook_id, first_sequence)
);

CREATE TABLE webhook_subscriptions (
  tenant_id text COLLATE "C" NOT NULL,
  webhook_id text COLLATE "C" NOT NULL,
  url text COLLATE "C" NOT NULL,
  description text COLLATE "C",
  event_types json NOT NULL,
  max_in_flight bigint NOT NULL,
  status text COLLATE "C" NOT NULL,
  inactive_reason text COLLATE "C",
  secret text COLLATE "C" NOT NULL,
  former_secret text COLLATE "C",
  former_secret_until bigint,
  consecutive_failures bigint NOT NULL,
  ailing bigint NOT NULL,
  "position" bigint NOT NULL,
  retry_at bigint NOT NULL,
  next_at bigint NOT NULL,
  last_success_at bigint,
  last_failure_at bigint,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  lease text COLLATE "C",
  lease_until bigint NOT NULL,
  PRIMARY KEY (tenant_id, webhook_id)
);

CREATE INDEX webhook_subscriptions_waiting ON webhook_subscriptions USING btree (tenant_id, webhook_id) WHERE ((next_at < '9007199254740991'::bigint) AND ((retry_at < '9007199254740991'::bigint) OR (status = 'paused'::text)));
