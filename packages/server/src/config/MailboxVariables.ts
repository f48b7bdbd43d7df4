import { defaultAccountsPerTenant, maxAccountsPerTenant } from "@leadloom/core/internal/domain/email/Accounts"
import type { VariableEntry } from "./VariableEntry.ts"

/** The variables of email accounts, and of mailboxes at IMAP servers. */
export const mailboxVariables = {
  LEADLOOM_EMAIL_ACCOUNTS_PER_TENANT: {
    group: "Mailboxes (IMAP)",
    default: `${defaultAccountsPerTenant}`,
    text: `Maximum number of connected email accounts of one tenant, of all providers, 1 to ${maxAccountsPerTenant}. A lower value keeps connected accounts. All servers need the same value. See [several email accounts](../how-to/connect-several-email-accounts.md).`
  },
  LEADLOOM_MAILBOX_ALLOW_HOSTS: {
    group: "Mailboxes (IMAP)",
    default: null,
    text: "Comma-separated `host:port` of mail servers that may have internal addresses, other ports and no encryption. See [connect a mailbox](../how-to/connect-a-mailbox.md)."
  },
  LEADLOOM_MAILBOX_CONNECTION_LIMIT: {
    group: "Mailboxes (IMAP)",
    default: "1000",
    text: "Maximum number of mailboxes that this server keeps connected, 1 to 50,000. Further mailboxes take turns."
  },
  LEADLOOM_GOOGLE_CLIENT_ID: {
    group: "Mailboxes (IMAP)",
    default: null,
    text: "Id of your OAuth client at Google. Owners of mailboxes then sign in at Google. See [sign in at Google or Microsoft](../how-to/sign-in-at-google-or-microsoft.md)."
  },
  LEADLOOM_GOOGLE_CLIENT_SECRET: {
    group: "Mailboxes (IMAP)",
    default: null,
    text: "Secret of your OAuth client at Google."
  },
  LEADLOOM_MICROSOFT_CLIENT_ID: {
    group: "Mailboxes (IMAP)",
    default: null,
    text: "Id of your application at Microsoft Entra. Owners of mailboxes then sign in at Microsoft."
  },
  LEADLOOM_MICROSOFT_CLIENT_SECRET: {
    group: "Mailboxes (IMAP)",
    default: null,
    text: "Secret of your application at Microsoft Entra."
  },
  LEADLOOM_MICROSOFT_TENANT: {
    group: "Mailboxes (IMAP)",
    default: "common",
    text: "Accounts that may sign in at Microsoft: `common`, `organizations`, `consumers`, or the id or domain of a directory."
  },
  LEADLOOM_MICROSOFT_CLOUD: {
    group: "Mailboxes (IMAP)",
    default: "global",
    text: "Cloud of Microsoft in which the application is registered: `global`, `gcc-high` and `dod` (US Government), or `china` (21Vianet). It determines the sign-in and the mail servers."
  },
  LEADLOOM_MICROSOFT_IMAP_HOST: {
    group: "Mailboxes (IMAP)",
    default: null,
    text: "IMAP server (port 993) of the mailboxes whose owners sign in at Microsoft. Default: the one of the cloud."
  },
  LEADLOOM_MICROSOFT_SMTP_HOST: {
    group: "Mailboxes (IMAP)",
    default: null,
    text: "SMTP server (port 587) of the mailboxes whose owners sign in at Microsoft. Default: the one of the cloud."
  },
  LEADLOOM_MAILBOX_REDIRECT_URI: {
    group: "Mailboxes (IMAP)",
    default: null,
    text: "HTTPS URL to which owners return from Google and Microsoft. Required with one of the client ids."
  }
} as const satisfies Readonly<Record<string, VariableEntry>>
