import { logger, type LogEvents } from "@leadloom/core/internal/port/system/Log"

/** The log events of the server. */
export const logEvents = {
  "server.starting": {
    level: "info",
    sentence: "starting",
    fields: ["data_dir", "database"],
    when: "The process has read its configuration."
  },
  "server.listening": {
    level: "info",
    sentence: "listening",
    fields: ["url", "data_dir"],
    when: "The server answers requests."
  },
  "server.stopped": {
    level: "info",
    sentence: "stopped",
    fields: [],
    when: "The server has finished its work after SIGTERM or SIGINT."
  },
  "server.no_admin_key": {
    level: "warn",
    sentence:
      "LEADLOOM_ADMIN_KEY is not set, so no tenant can be created or configured. Set it, e.g. to the output of: openssl rand -hex 32",
    fields: [],
    when: "Set the variable and start again."
  },
  "server.new_database": {
    level: "warn",
    sentence: "LEADLOOM_NEW_DATABASE: accepted an empty database; unset the variable now",
    fields: [],
    when: "The variable permits an empty database once."
  },
  "server.secret_key_replaced": {
    level: "warn",
    sentence: "LEADLOOM_SECRET_KEY_LOST: replaced the secret key of the database; unset the variable now",
    fields: [],
    when: "Credentials of the former key are no longer valid."
  },
  "metrics.listening": {
    level: "info",
    sentence: "serving metrics",
    fields: ["url"],
    when: "LEADLOOM_METRICS_PORT is set."
  },
  "smtp.listening": {
    level: "info",
    sentence: "listening for mail",
    fields: ["address", "starttls"],
    when: "LEADLOOM_SMTP_LISTEN is set."
  },
  "loop.blocked": {
    level: "warn",
    sentence: "event loop blocked",
    fields: ["operation", "tenant", "request_id", "blocked_ms"],
    when: "One task occupied the process. Requests waited meanwhile."
  },
  "traces.failed": {
    level: "warn",
    sentence: "failed to export spans",
    fields: ["reason"],
    when: "The OpenTelemetry collector is slow or unavailable. Spans are dropped."
  },
  "backlogs.failed": {
    level: "error",
    sentence: "failed to read the backlogs",
    fields: [],
    when: "The metrics lack the backlogs. Report the defect."
  },
  "request.failed": {
    level: "error",
    sentence: "request failed",
    fields: ["method", "path", "client", "status", "duration_ms"],
    when: "A response had status 500 or higher. The line has the cause of a defect."
  },
  "request.slow": {
    level: "warn",
    sentence: "request slow",
    fields: ["method", "path", "client", "status", "duration_ms"],
    when: "A response took longer than one second."
  },
  "request.refused": {
    level: "info",
    sentence: "request refused",
    fields: ["method", "path", "client", "status", "duration_ms"],
    when: "A response had a status from 400 to 499."
  },
  "request.unavailable": {
    level: "error",
    sentence: "failed to handle a request: a dependency was unavailable",
    fields: ["dependency", "reason"],
    when: "The client received 503. `reason` has the failure of the dependency."
  },
  "form.unverified": {
    level: "error",
    sentence: "form verification failed",
    fields: ["reason"],
    when: "Turnstile was unavailable or is not configured. The form answered 503."
  },
  "issuer.unavailable": {
    level: "error",
    sentence: "failed to read the endpoints of the identity provider; people cannot sign in to the console with it",
    fields: ["reason"],
    when: "Run `leadloom doctor`. The server tries again after a minute."
  },
  "credential.rejected": {
    level: "debug",
    sentence: "rejected a credential",
    fields: ["reason"],
    when: "A request had an unknown, expired or revoked credential."
  },
  "unsubscribe.failed": {
    level: "error",
    sentence: "an opt-out through the link of an email failed",
    fields: ["reason"],
    when: "The store is unavailable. The recipient is asked to try again."
  },
  "link.open_failed": {
    level: "error",
    sentence: "an opened link of an email was not recorded",
    fields: ["reason"],
    when: "The store is unavailable. If the link was read before, the recipient reaches its URL."
  },
  "webhook.failed": {
    level: "error",
    sentence: "failed to store an event of a provider: the database was unavailable",
    fields: ["provider", "reason"],
    when: "The provider received 503 and sends the event again."
  },
  "stripe.foreign_version": {
    level: "warn",
    sentence: "a Stripe event has an unsupported API version; read its object from Stripe",
    fields: ["provider_event", "event_type", "version", "ours"],
    when: "Set the API version of the webhook endpoint at Stripe."
  },
  "tool.failed": {
    level: "error",
    sentence: "a tool of a voice assistant failed",
    fields: [],
    when: "The caller heard an apology. Report the defect."
  },
  "tool.unavailable": {
    level: "error",
    sentence: "failed to answer a tool call of a voice assistant: the database was unavailable",
    fields: ["reason"],
    when: "The assistant received 503."
  },
  "conversation.incomplete": {
    level: "error",
    sentence: "failed to read a conversation during its response; the client received incomplete JSON",
    fields: ["tenant", "reason"],
    when: "The connection was closed."
  },
  "export.incomplete": {
    level: "error",
    sentence: "failed to read data during an export; the client received an incomplete file",
    fields: ["tenant", "contact", "detail", "reason"],
    when: "The connection was closed. Export again."
  },
  "import.failed": {
    level: "error",
    sentence: "failed to import a mail",
    fields: ["file"],
    when: "One mail of an import caused a defect. The others are not affected."
  },
  "stream.ended": {
    level: "warn",
    sentence: "ended an event stream: the database was unavailable",
    fields: ["reason"],
    when: "The client connects again and misses nothing."
  },
  "events.expired": {
    level: "info",
    sentence: "deleted expired events",
    fields: ["removed", "days"],
    when: "The retention of outbound events has ended."
  }
} as const satisfies LogEvents

/** Logs an event of the server. */
export const log = logger(logEvents)
