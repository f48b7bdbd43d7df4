import { logger, type LogEvents } from "@leadloom/core/internal/port/system/Log"

/** The log events of the store. */
export const logEvents = {
  "database.waiting": {
    level: "warn",
    sentence: "waiting for the database; retrying every second",
    fields: ["reason"],
    when: "Postgres does not answer at the start."
  },
  "database.connected": {
    level: "info",
    sentence: "connected to the database",
    fields: ["database"],
    when: "Postgres answers after a wait."
  },
  "commit.callback_failed": {
    level: "error",
    sentence: "a callback after a commit failed",
    fields: [],
    when: "The data is stored. Report the defect."
  },
  "notifications.missing": {
    level: "warn",
    sentence: "Postgres notifications do not arrive; workers poll for the work of other servers once a second",
    fields: [],
    when: "A pooler in transaction mode drops notifications. Connect to Postgres directly for shorter delays."
  },
  "notifications.lost": {
    level: "warn",
    sentence: "lost the connection for notifications from other servers; workers poll once a second",
    fields: ["reason"],
    when: "Postgres closed the connection. The server connects again."
  },
  "notifications.restored": {
    level: "info",
    sentence: "notifications from other servers arrive again",
    fields: [],
    when: "The connection works again."
  },
  "limits.count_failed": {
    level: "error",
    sentence: "failed to count requests for a rate limit",
    fields: [],
    when: "The requests were permitted."
  },
  "limits.sweep_failed": {
    level: "warn",
    sentence: "failed to delete expired rate-limit keys",
    fields: [],
    when: "The next sweep deletes them."
  }
} as const satisfies LogEvents

/** Logs an event of the store. */
export const log = logger(logEvents)
