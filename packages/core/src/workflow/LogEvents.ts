import { logger, type LogEvents } from "../port/system/Log.ts"

/** The log events of workflows. */
export const logEvents = {
  "message.waits": {
    level: "info",
    sentence: "a message waits",
    fields: ["tenant", "message_id", "waits_until", "reason"],
    when: "A message to a contact is sent later: quiet hours, the hourly limit, or its provider does not accept it now."
  },
  "message.not_accepted": {
    level: "warn",
    sentence: "a message was not accepted",
    fields: ["tenant", "message_id", "channel", "outcome", "reason"],
    when: "The provider refused a message, or the result is unknown. A person gets a task unless the caller received the error."
  },
  "message.schedule_failed": {
    level: "warn",
    sentence: "a scheduled message was not sent",
    fields: ["tenant", "message_id", "reason"],
    when: "A rule or a missing connection prevented a message at its scheduled time. A person gets a task."
  },
  "message.schedule_delayed": {
    level: "warn",
    sentence: "a scheduled message was delayed",
    fields: ["tenant", "message_id", "reason"],
    when: "The HTML of the message could not be rendered now. The server tries again within a minute."
  },
  "sequence.step_delayed": {
    level: "warn",
    sentence: "the step of a sequence was delayed",
    fields: ["tenant", "enrolment", "reason"],
    when: "The HTML of the message could not be rendered now. The server tries again within a minute."
  },
  "sequence.step_failed": {
    level: "error",
    sentence: "failed to run the step of a sequence",
    fields: ["tenant", "enrolment", "defects", "waits_until"],
    when: "A defect of the server; report it. The step is tried again after 1, 5, 15 and 60 minutes. After the fifth defect, `waits_until` is null and the enrolment is paused."
  },
  "trigger.run_failed": {
    level: "error",
    sentence: "failed to run a rule for its trigger",
    fields: ["tenant", "trigger_run", "defects", "waits_until"],
    when: "A defect of the server; report it. The rule is tried again after 1, 5, 15 and 60 minutes. After the fifth defect, `waits_until` is null and the run ends as `prevented`."
  },
  "uploads.remove_failed": {
    level: "warn",
    sentence: "failed to delete expired uploads",
    fields: ["tenant", "reason"],
    when: "The object storage did not delete a file. The server tries again within an hour."
  },
  "message.outcome_late": {
    level: "error",
    sentence: "failed to send a message or to store its outcome: the database was unavailable; a worker continues",
    fields: ["reason"],
    when: "The database was unavailable during a send. A worker stores the outcome; the message is not sent twice."
  },
  "signal.failed": {
    level: "error",
    sentence: "failed to run a signal",
    fields: ["attempts", "waits_until", "reason"],
    when: "An attempt to process a message failed. The server tries again."
  },
  "signal.given_up": {
    level: "error",
    sentence: "failed to run a signal for the last time",
    fields: ["attempts"],
    when: "All attempts to process a message failed. A person gets a review task."
  },
  "signal.delayed": {
    level: "warn",
    sentence: "the language model did not answer",
    fields: ["attempts", "waits_until", "reason"],
    when: "The model was unavailable or overloaded. The message is processed later."
  },
  "signal.moved_back": {
    level: "warn",
    sentence: "moved a signal with an unfinished start to the back of its queue",
    fields: ["unfinished"],
    when: "A server stopped while it processed this message."
  },
  "signal.stopped": {
    level: "warn",
    sentence: "stopped running a signal after repeated unfinished starts and created a review task",
    fields: ["unfinished"],
    when: "Servers stopped during every attempt at this message. Report it."
  },
  "batch.item_failed": {
    level: "error",
    sentence: "failed to ingest a request of a batch",
    fields: ["tenant", "batch", "index"],
    when: "One request of a batch caused a defect. The others are not affected."
  },
  "work.unavailable": {
    level: "warn",
    sentence: "failed to claim or store work: the database was unavailable",
    fields: ["reason"],
    when: "Workers try again every second."
  },
  "work.failed": {
    level: "error",
    sentence: "failed to process an item of a queue",
    fields: ["queue", "detail"],
    when: "An item caused a defect. The item is tried again after its lease."
  },
  "worker.restarted": {
    level: "error",
    sentence: "a worker failed and restarts",
    fields: [],
    when: "A worker caused a defect. Report it."
  },
  "search.failed": {
    level: "warn",
    sentence: "failed to update the search index",
    fields: ["reason"],
    when: "The database was unavailable. The worker continues after five seconds."
  },
  "grant.revoke_failed": {
    level: "error",
    sentence: "failed to revoke the access to an email account; revoke it at the provider",
    fields: ["tenant", "provider_grant", "reason"],
    when: "The provider rejected the revocation repeatedly."
  },
  "mailbox.job_failed": {
    level: "warn",
    sentence: "a change in a connected mailbox was given up",
    fields: ["tenant", "job", "reason"],
    when: "The mail server rejected a flag or the copy of a sent mail repeatedly. The mail itself was sent."
  },
  "mailbox.failed": {
    level: "warn",
    sentence: "failed to read a mailbox",
    fields: ["tenant", "attempts", "waits_until", "reason"],
    when: "The mail server refused the login or did not answer. After an hour, the tenant gets `email.connection_failed`."
  },
  "mailbox.mail_failed": {
    level: "error",
    sentence: "failed to store a mail of a connected mailbox",
    fields: ["tenant", "provider_grant", "provider_message"],
    when: "A defect of the server. The mail stays in the mailbox and is listed in the inbound ledger. Report the error."
  },
  "idempotency.failed": {
    level: "error",
    sentence: "failed to store the result of an idempotent request or to release its key",
    fields: ["reason"],
    when: "The database was unavailable at the end of a request. Its key stays in use until its lease ends."
  },
  "audit.failed": {
    level: "error",
    sentence: "failed to write the audit entry of an action",
    fields: ["action", "tenant", "reason"],
    when: "The action took effect, and the audit trail lacks its entry."
  },
  "key.leaked": {
    level: "warn",
    sentence: "revoked a leaked key",
    fields: ["tenant", "by", "prefix", "key"],
    when: "A caller reported the text of a key. Create a new key for its user."
  },
  "billing.event_ignored": {
    level: "warn",
    sentence: "ignored a payment event: its references name different tenants",
    fields: ["provider_event", "event_type", "customer"],
    when: "Check the metadata of the customer at the payment provider."
  },
  "billing.plan_changed": {
    level: "info",
    sentence: "changed the plan of a tenant after a billing update",
    fields: ["tenant", "from", "plan", "status"],
    when: "A subscription began, changed or ended."
  },
  "billing.subscriptions": {
    level: "warn",
    sentence: "a tenant pays for several subscriptions; only the newest counts",
    fields: ["tenant", "customer"],
    when: "Cancel the other subscriptions at the payment provider."
  },
  "billing.job_given_up": {
    level: "error",
    sentence: "gave up a billing job, because the payment provider refused its request",
    fields: ["tenant", "job", "reason"],
    when: "Check the account at the payment provider."
  },
  "recording.delete_failed": {
    level: "warn",
    sentence: "failed to delete a recording: its provider is not configured",
    fields: ["tenant", "provider", "recording"],
    when: "Configure the provider that made the recording, or delete it there."
  },
  "call.not_placed": {
    level: "warn",
    sentence: "the provider did not place a call",
    fields: ["tenant", "call", "outcome", "reason"],
    when: "The provider refused a call, or the result is unknown."
  },
  "objects.remove_failed": {
    level: "warn",
    sentence: "failed to remove unreferenced objects",
    fields: ["detail", "reason", "keys"],
    when: "The raw form of a mail that was not accepted stays in the object store."
  },
  "source.missing": {
    level: "error",
    sentence: "the stored source of a message is missing in the object store",
    fields: ["tenant", "message_id", "key"],
    when: "Somebody removed the object, or the server uses another object store."
  },
  "attachment.missing": {
    level: "error",
    sentence: "the content of an attachment is missing in the object store",
    fields: ["tenant", "message_id", "index", "key"],
    when: "Somebody removed the object, or the server uses another object store."
  },
  "crm.signed_out": {
    level: "warn",
    sentence: "the CRM revoked the access to a location; install the app there again",
    fields: ["tenant", "location", "reason"],
    when: "The owner of the location removed the app, or its token expired."
  },
  "text.dropped": {
    level: "warn",
    sentence: "dropped a text to a number that is not assigned to a tenant",
    fields: ["to", "provider_message"],
    when: "Assign the number to a tenant, or remove its webhook at the provider."
  }
} as const satisfies LogEvents

/** Logs an event of a workflow. */
export const log = logger(logEvents)
