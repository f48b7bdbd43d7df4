import { logger, type LogEvents } from "@leadloom/core/internal/port/system/Log"

/** The log events of connectors. */
export const logEvents = {
  "mail.sandboxed": {
    level: "warn",
    sentence: "nothing left this machine: no mail relay is configured (LEADLOOM_SMTP_URL)",
    fields: ["tenant", "from", "recipients"],
    when: "A mail was stored as sent, without a relay. Set LEADLOOM_SMTP_URL."
  },
  "text.sandboxed": {
    level: "warn",
    sentence: "nothing left this machine: no account for texts is configured (LEADLOOM_TWILIO_ACCOUNT_SID)",
    fields: ["tenant", "from", "segments"],
    when: "A text was stored as sent, without a provider. Configure one."
  },
  "call.sandboxed": {
    level: "warn",
    sentence: "no phone was called: no voice provider is configured (LEADLOOM_TWILIO_ACCOUNT_SID)",
    fields: ["tenant", "call"],
    when: "A call was stored without a provider. Configure one."
  },
  "mail.refused": {
    level: "error",
    sentence: "failed to accept mail",
    fields: [],
    when: "A defect prevented the storage of a mail. The sender tries again."
  },
  "mail.deferred": {
    level: "warn",
    sentence: "failed to accept mail for now",
    fields: [],
    when: "The database or the object store was unavailable. The sender tries again."
  },
  "mail.unparsed": {
    level: "warn",
    sentence: "failed to parse a message",
    fields: ["flow", "bytes", "reason", "detail"],
    when: "A mail exceeded a limit of the parser. It is stored and can be parsed again."
  },
  "mail.unverified": {
    level: "warn",
    sentence: "failed to verify the sender of a mail",
    fields: ["bytes"],
    when: "The verification exceeded its time limit or its process ended. The mail is stored with the result `temperror`."
  },
  "billing.invoices_unreadable": {
    level: "warn",
    sentence: "failed to read invoices; the grace period of a failed payment may start again",
    fields: ["reason"],
    when: "Give the restricted Stripe key the permission to read invoices."
  }
} as const satisfies LogEvents

/** Logs an event of a connector. */
export const log = logger(logEvents)
