import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authorization, Gate, gate, RequestValidation } from "../Access.ts"
import {
  BadRequest,
  Conflict,
  ConnectionExists,
  Forbidden,
  IdempotencyConflict,
  IdempotencyInProgress,
  MailboxLoginFailed,
  NotFound,
  ProviderError,
  RateLimited,
  ServiceUnavailable,
  keyErrors
} from "../errors.ts"
import {
  attachments,
  EmailText,
  forwardMessageId,
  from,
  Recipients,
  replyTo,
  replyToMessageId,
  ScheduleOptions,
  LaterReceipt
} from "../schema/Composition.ts"
import { IdempotencyKey, TenantPath, text, Timestamp } from "../schema/Field.ts"
import { DiscoveredMailServers, EmailAccount, EmailGrant } from "./EmailAccount.ts"
import { Override, Receipt } from "../schema/Override.ts"
import { messageId } from "../schema/Ids.ts"

export const EmailToSend = Schema.Struct({
  to: Recipients.check(Schema.isMinLength(1)).annotate({ description: "1 to 100 recipients" }),
  subject: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(998))).annotate({
    description: "The subject line, at most 998 characters. Default: for a reply, the subject of the answered email"
  }),
  body: text(1_000_000).annotate({ description: "Plain text or HTML" }),
  cc: Schema.optionalKey(Recipients).annotate({ description: "The recipients in Cc. Default: none" }),
  bcc: Schema.optionalKey(Recipients).annotate({ description: "The recipients in Bcc. Default: none" }),
  from,
  reply_to: replyTo,
  reply_to_message_id: replyToMessageId,
  forward_message_id: forwardMessageId,
  attachments,
  ...ScheduleOptions,
  ...Override
}).annotate({ identifier: "EmailToSend", description: "The email to send. The signature of the account is appended" })

export const EmailSent = Schema.Struct({
  success: Schema.Literal(true).annotate({ description: "Always true" }),
  message_id: messageId,
  thread_id: Schema.NullOr(Schema.String).annotate({
    description: "The email thread (`thr_…`); null: the email is sent later and joins or opens its thread then"
  }),
  ...LaterReceipt,
  ...Receipt
}).annotate({
  identifier: "EmailSent",
  description: "The stored email. Its `delivery` in the conversation shows the result"
})

/** Selects one of several accounts. */
const grantId = Schema.optionalKey(Schema.String.check(Schema.isMaxLength(64))).annotate({
  description: "Id of the connected account (`grant_…`). Default: the default account"
})

const accountAddresses = {
  grant_email: Schema.String.annotate({ description: "The address of the connected account" }),
  aliases: Schema.Array(Schema.String).annotate({
    description: "The other addresses from which the account may send"
  })
}

const GrantList = Schema.Struct({
  grants: Schema.Array(EmailGrant).annotate({
    description: "The connected accounts: the default account first, then in the order of connection"
  }),
  limit: Schema.optionalKey(Schema.Int).annotate({
    description: "The maximum number of accounts of a tenant. Only present if it is more than one"
  }),
  console_sign_in: Schema.optionalKey(Schema.Array(Schema.Literals(["google", "microsoft"]))).annotate({
    description:
      "The providers at which the owner of an account can sign in from the console, because the redirect URI of the operator's client is its page. Only present if there is one"
  })
}).annotate({ identifier: "EmailGrantList", description: "The connected accounts of the tenant" })

const AliasList = Schema.Array(EmailText).check(Schema.isMaxLength(20))

const GrantPath = {
  ...TenantPath,
  grant_id: Schema.String.annotate({ description: "Id of the connected account (`grant_…`)" })
}

export const EmailGroup = HttpApiGroup.make("email")
  .add(
    HttpApiEndpoint.post("send", "/tenants/:tenant_id/email/send", {
      params: TenantPath,
      headers: IdempotencyKey,
      payload: EmailToSend,
      success: EmailSent.pipe(HttpApiSchema.status(201)),
      error: [
        BadRequest,
        Forbidden,
        NotFound,
        Conflict,
        IdempotencyConflict,
        IdempotencyInProgress,
        RateLimited,
        ProviderError
      ]
    })
      .annotate(OpenApi.Summary, "Send an email through the connected account; 50 per hour and tenant")
      .annotate(
        OpenApi.Description,
        "The sender must be a connected address or an alias (400). Without `from`, an answer leaves from the account that received the email, another email from the default account. The rules for outbound messages apply. A repeated request without an Idempotency-Key sends twice."
      )
      .annotate(Gate, gate("email.send", { limiter: "admin", email: true, idempotency: "stored" })),
    HttpApiEndpoint.get("getAliases", "/tenants/:tenant_id/email/aliases", {
      params: TenantPath,
      query: { grant_id: grantId },
      success: Schema.Struct({
        ...accountAddresses,
        accounts: Schema.optionalKey(
          Schema.Array(
            Schema.Struct({
              grant_id: Schema.String.annotate({ description: "Id of the connected account (`grant_…`)" }),
              ...accountAddresses
            })
          )
        ).annotate({
          description:
            "All connected accounts, the default account first. Only present if the tenant has several accounts"
        })
      }).annotate({
        identifier: "EmailAliases",
        description: "The connected address and its aliases"
      }),
      error: [NotFound, Conflict]
    })
      .annotate(OpenApi.Summary, "Show the connected address and its aliases")
      .annotate(OpenApi.Description, "Answers 409 if no account is connected.")
      .annotate(Gate, gate("email.getAliases", { limiter: "admin", email: true })),
    HttpApiEndpoint.patch("updateAliases", "/tenants/:tenant_id/email/aliases", {
      params: TenantPath,
      payload: Schema.Struct({
        aliases: AliasList.annotate({
          description:
            "The complete list of at most 20 addresses on the tenant's domain. Addresses that are absent are removed"
        }),
        grant_id: grantId
      }).annotate({ identifier: "AliasesToSet", description: "The aliases to set" }),
      success: Schema.Struct({
        aliases: Schema.Array(Schema.String).annotate({ description: "The aliases after the change" })
      }).annotate({ identifier: "AliasesSet", description: "The changed aliases" }),
      error: [BadRequest, NotFound, Conflict]
    })
      .annotate(OpenApi.Summary, "Replace the aliases; at most 20, on the tenant's domain")
      .annotate(OpenApi.Description, "Answers 409 if no account is connected.")
      .annotate(Gate, gate("email.updateAliases", { limiter: "admin", email: true })),
    HttpApiEndpoint.patch("updateSignature", "/tenants/:tenant_id/email/signature", {
      params: TenantPath,
      payload: Schema.Struct({
        signature: Schema.String.check(Schema.isMaxLength(4_096)).annotate({
          description: "Plain text or HTML, at most 4,096 characters; empty: no signature"
        }),
        grant_id: grantId
      }).annotate({
        identifier: "SignatureToSet",
        description: "The signature to set"
      }),
      success: Schema.Struct({ success: Schema.Literal(true).annotate({ description: "Always true" }) }).annotate({
        identifier: "SignatureSet",
        description: "The confirmation of a change"
      }),
      error: [BadRequest, NotFound, Conflict]
    })
      .annotate(OpenApi.Summary, "Replace the signature, as plain text or HTML; an empty signature removes it")
      .annotate(
        OpenApi.Description,
        "HTML is sanitised. In an HTML email, it is inserted before `</body>`; otherwise it is appended."
      )
      .annotate(Gate, gate("email.updateSignature", { limiter: "admin", email: true })),
    HttpApiEndpoint.post("connect", "/tenants/:tenant_id/email/connect", {
      params: TenantPath,
      headers: IdempotencyKey,
      payload: EmailAccount,
      success: EmailGrant.pipe(HttpApiSchema.status(201)),
      error: [
        BadRequest,
        Forbidden,
        NotFound,
        Conflict,
        ConnectionExists,
        MailboxLoginFailed,
        RateLimited,
        ProviderError,
        ServiceUnavailable,
        ...keyErrors
      ]
    })
      .annotate(OpenApi.Summary, "Connect an email account of a tenant; by default, a tenant has at most one")
      .annotate(
        OpenApi.Description,
        "Connects the operator's relay (`smtp`), a mailbox with its password (`imap`), or a grant that the provider already has. Both logins of a mailbox are verified before anything is stored; at most 20 attempts per hour. A connected mailbox keeps its grant and gets the new login. Google and Microsoft accounts without a password are connected with `auth-url` and `callback`."
      )
      .annotate(
        Gate,
        gate("email.connect", { limiter: "admin", email: true, idempotency: "steps", containsSecret: true })
      ),
    HttpApiEndpoint.get("autoconfig", "/tenants/:tenant_id/email/autoconfig", {
      params: TenantPath,
      query: {
        email: EmailText.annotate({ description: "The address of the mailbox" })
      },
      success: DiscoveredMailServers,
      error: [BadRequest, NotFound, RateLimited]
    })
      .annotate(OpenApi.Summary, "Suggest the mail servers of an address; 60 searches per hour")
      .annotate(
        OpenApi.Description,
        "Searches a table of large providers, the autoconfig files of the domain and of Thunderbird, and DNS (SRV, MX, autodiscover), for at most 8 seconds. Answers 404 if nothing was found."
      )
      .annotate(Gate, gate("email.autoconfig", { limiter: "admin", email: true })),
    HttpApiEndpoint.get("listGrants", "/tenants/:tenant_id/email/grants", {
      params: TenantPath,
      success: GrantList
    })
      .annotate(OpenApi.Summary, "List connected accounts")
      .annotate(OpenApi.Description, "Shows whether the account is active or the owner must sign in again.")
      .annotate(Gate, gate("email.listGrants", { limiter: "admin", email: true })),
    HttpApiEndpoint.get("getGrant", "/tenants/:tenant_id/email/grants/:grant_id", {
      params: GrantPath,
      success: EmailGrant,
      error: NotFound
    })
      .annotate(OpenApi.Summary, "Show the status of a connected account")
      .annotate(OpenApi.Description, "`expired` means that the owner must sign in again.")
      .annotate(Gate, gate("email.getGrant", { limiter: "admin", email: true })),
    HttpApiEndpoint.put("setDefaultGrant", "/tenants/:tenant_id/email/default-grant", {
      params: TenantPath,
      payload: Schema.Struct({
        grant_id: Schema.String.check(Schema.isMaxLength(64)).annotate({
          description: "Id of the connected account (`grant_…`)"
        })
      }).annotate({ identifier: "DefaultGrant", description: "The account that becomes the default account" }),
      success: GrantList,
      error: [BadRequest, NotFound]
    })
      .annotate(OpenApi.Summary, "Choose the default account, from which new email leaves")
      .annotate(
        OpenApi.Description,
        "Without a choice, it is the account that was connected first. An answer leaves from the account that received the email."
      )
      .annotate(Gate, gate("email.setDefaultGrant", { limiter: "admin", email: true })),
    HttpApiEndpoint.delete("disconnect", "/tenants/:tenant_id/email/grants/:grant_id", {
      params: GrantPath,
      success: HttpApiSchema.NoContent,
      error: NotFound
    })
      .annotate(OpenApi.Summary, "Disconnect an account; its queued emails are not sent")
      .annotate(OpenApi.Description, "Stored messages stay. The address can be connected again.")
      .annotate(Gate, gate("email.disconnect", { limiter: "admin", email: true })),
    HttpApiEndpoint.get("authUrl", "/tenants/:tenant_id/email/auth-url", {
      params: TenantPath,
      query: {
        provider: Schema.optionalKey(Schema.Literals(["google", "microsoft"])).annotate({
          description: "The family of the account. Default: the owner chooses at the provider"
        })
      },
      success: Schema.Struct({
        url: Schema.String.annotate({ description: "The URL to open in the owner's browser; valid once" }),
        expires_at: Timestamp.annotate({ description: "The time at which the URL expires (ISO 8601 in UTC)" })
      }).annotate({
        identifier: "EmailAuthUrl",
        description: "The page of the provider on which the owner grants access"
      }),
      error: [BadRequest, ConnectionExists, RateLimited, ServiceUnavailable]
    })
      .annotate(
        OpenApi.Summary,
        "Get the URL at which the account's owner grants access; the URL is valid once, for ten minutes"
      )
      .annotate(
        OpenApi.Description,
        "The account's owner opens the URL and grants access at the provider. This server never sees the password. With the operator's own client id, the mailbox is then read over IMAP (`imap`), and at most 20 sign-ins start per hour."
      )
      .annotate(Gate, gate("email.authUrl", { limiter: "admin", email: true })),
    HttpApiEndpoint.post("callback", "/tenants/:tenant_id/email/callback", {
      params: TenantPath,
      headers: IdempotencyKey,
      payload: Schema.Struct({
        code: text(4_096).annotate({ description: "The authorization code of the redirect" }),
        state: text(256).annotate({ description: "The state parameter of the redirect" })
      }).annotate({
        identifier: "EmailAuthCode",
        description: "The parameters with which the provider redirected the owner's browser"
      }),
      success: EmailGrant.pipe(HttpApiSchema.status(201)),
      error: [
        BadRequest,
        Conflict,
        ConnectionExists,
        MailboxLoginFailed,
        ProviderError,
        ServiceUnavailable,
        ...keyErrors
      ]
    })
      .annotate(OpenApi.Summary, "Exchange the authorization code of the account's owner for a connected account")
      .annotate(
        OpenApi.Description,
        "Send the parameters with which the provider redirected the owner's browser. With the operator's own client id, both logins of the mailbox are verified before anything is stored."
      )
      .annotate(Gate, gate("email.callback", { limiter: "admin", email: true, idempotency: "steps" }))
  )
  .annotateMerge(OpenApi.annotations({ title: "Email", description: "The connected account and its outbound email" }))
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")
