import { Schema } from "effect"
import { mailProviders, Grant as GrantNoun } from "@leadloom/core/internal/domain/email/Grant"
import { connectionSecurities } from "@leadloom/core/internal/domain/mailbox/MailServer"
import { defaultSinceDays, maxSinceDays } from "@leadloom/core/internal/domain/mailbox/MailboxAccount"
import {
  maxHostLength,
  maxPasswordLength,
  maxUsernameLength
} from "@leadloom/core/internal/domain/mailbox/MailboxLimits"
import { EmailText, Name } from "../schema/Composition.ts"
import { text, unstated } from "../schema/Field.ts"
import { wire } from "../schema/Wire.ts"
import { mailboxState } from "./MailboxState.ts"

const Provider = Schema.Literals(mailProviders).annotate({
  identifier: "MailProvider",
  description:
    "The provider of an email account. `smtp`: the operator's own relay. `imap`: a mailbox at any mail server",
  message: `Expected one of ${mailProviders.join(", ")}`
})

const grantDescription = "The connected email account of a tenant"
const { schema: StoredGrant, toJson } = wire(GrantNoun, "EmailGrant", {
  description: grantDescription,
  pick: ["grantId", "provider", "email", "name", "status", "aliases", "signature", "createdAt", "updatedAt"],
  schemas: { provider: Provider }
})

export const grantToJson = toJson
export const EmailGrant = Schema.Struct({ ...StoredGrant.fields, ...mailboxState }).annotate({
  identifier: "EmailGrant",
  description: grantDescription
})

/** Rejects control characters, which could end a command of the mail protocols. */
const printable = Schema.makeFilter((value: string) => !/\p{Cc}/u.test(value), {
  ...unstated,
  message: "Expected a text without control characters"
})

export const MailServerJson = Schema.Struct({
  host: text(maxHostLength).check(printable).annotate({ description: "The host name, at most 255 characters" }),
  port: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 65_535 })).annotate({
    description:
      "The port: 993 or 143 for IMAP, 465, 587 or 25 for SMTP, or one from 1024 on. The operator can permit others"
  }),
  security: Schema.Literals(connectionSecurities).annotate({
    description:
      "`tls`: TLS from the first byte. `starttls`: the connection is upgraded before the login. `none`: only for hosts that the operator permits",
    message: `Expected one of ${connectionSecurities.join(", ")}`
  })
}).annotate({ identifier: "MailServer", description: "The address of a mail server" })

/** The fields of an account of the family `imap`. */
const mailboxFields = {
  username: Schema.optionalKey(text(maxUsernameLength).check(printable)).annotate({
    description: "`imap` only: the login name. Default: the discovered one, usually the address"
  }),
  password: Schema.optionalKey(text(maxPasswordLength).check(printable)).annotate({
    description:
      "`imap` only, required: the password or app password. It is stored encrypted, and no response contains it"
  }),
  imap: Schema.optionalKey(MailServerJson).annotate({
    description: "`imap` only: the IMAP server. Default: discovered from the address"
  }),
  smtp: Schema.optionalKey(MailServerJson).annotate({
    description: "`imap` only: the SMTP submission server. Default: discovered from the address"
  }),
  since_days: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: maxSinceDays }))).annotate({
    description: `\`imap\` only: the days that the first sync reaches back, 0 to ${maxSinceDays}. Default: ${defaultSinceDays}`
  }),
  sets_flags: Schema.optionalKey(Schema.Boolean).annotate({
    description: "`imap` only: whether answered and read mail gets the flags `\\Answered` and `\\Seen`. Default: true"
  })
}

export const EmailAccount = Schema.Struct({
  provider: Provider,
  email: EmailText.annotate({ description: "The address of the account" }),
  name: Schema.optionalKey(Name).annotate({ description: "The default display name of the sender. Default: none" }),
  provider_grant_id: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(200))).annotate({
    description:
      "The provider's id of a grant that the account's owner has already given to this deployment. Only the operator may use it"
  }),
  ...mailboxFields
}).annotate({ identifier: "EmailAccount", description: "The account to connect" })

export const DiscoveredMailServers = Schema.Struct({
  email: Schema.String.annotate({ description: "The address in lower case" }),
  username: Schema.String.annotate({ description: "The suggested login name" }),
  imap: MailServerJson.annotate({ description: "The suggested IMAP server" }),
  smtp: MailServerJson.annotate({ description: "The suggested SMTP submission server" }),
  origin: Schema.String.annotate({ description: "The origin of the suggestion, for people" }),
  sign_in: Schema.optionalKey(
    Schema.Struct({
      provider: Schema.Literals(["google", "microsoft"]).annotate({
        description:
          "The provider of the mailbox, for `auth-url`. Google accepts app passwords only, and Microsoft accepts no passwords"
      }),
      available: Schema.Boolean.annotate({ description: "Whether this server has an OAuth client at the provider" })
    })
  ).annotate({
    description: "The sign-in that replaces a password. Only present for mail servers of Google and Microsoft"
  })
}).annotate({
  identifier: "DiscoveredMailServers",
  description: "The suggested mail servers of an address. They were not contacted"
})
