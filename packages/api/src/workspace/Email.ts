import { Schema } from "effect"
import { mailProviders, Grant as GrantNoun } from "@leadloom/core/domain/email/Grant"
import { maxRecipients } from "@leadloom/core/domain/email/OutgoingMail"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authorization, Gate, gate, RequestValidation } from "../Access.ts"
import {
  BadRequest,
  Conflict,
  ConnectionExists,
  Forbidden,
  IdempotencyConflict,
  IdempotencyInProgress,
  NotFound,
  ProviderError,
  RateLimited,
  ServiceUnavailable,
  keyErrors
} from "../errors.ts"
import { IdempotencyKey, TenantPath, text, Timestamp } from "../schema/Field.ts"
import { wire } from "../schema/Wire.ts"
import { Override, Receipt } from "../schema/Override.ts"

/**
 * The longest address has 254 characters (RFC 5321). The limit leaves room for white space. The domain validates the
 * address.
 */
const EmailText = text(320)
const Name = Schema.String.check(Schema.isMaxLength(200))
const Provider = Schema.Literals(mailProviders).annotate({
  identifier: "MailProvider",
  message: `Expected one of ${mailProviders.join(", ")}`
})

export const Recipient = Schema.Struct({
  email: EmailText,
  name: Schema.optionalKey(Name)
}).annotate({ identifier: "Recipient" })

/** The limit applies to each of the fields to, cc and bcc. The domain also limits the sum of all three. */
const Recipients = Schema.Array(Recipient).check(Schema.isMaxLength(maxRecipients))

export const { schema: EmailGrant, toJson: grantToJson } = wire(GrantNoun, "EmailGrant", {
  pick: ["grantId", "provider", "email", "name", "status", "aliases", "signature", "createdAt", "updatedAt"],
  schemas: { provider: Provider }
})

export const EmailAccount = Schema.Struct({
  provider: Provider,
  email: EmailText,
  name: Schema.optionalKey(Name),
  provider_grant_id: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(200))).annotate({
    description:
      "The provider's id of a grant that the account's owner has already given to this deployment. Only the operator may use it"
  })
}).annotate({ identifier: "EmailAccount" })

export const EmailToSend = Schema.Struct({
  to: Recipients.check(Schema.isMinLength(1)),
  subject: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(998))),
  body: text(1_000_000).annotate({ description: "Plain text or HTML" }),
  cc: Schema.optionalKey(Recipients),
  bcc: Schema.optionalKey(Recipients),
  from: Schema.optionalKey(Recipient).annotate({
    description: "The sender: the connected account or one of its aliases"
  }),
  reply_to_message_id: Schema.optionalKey(Schema.String).annotate({
    description: "The message_id of the email that this email answers. Both then belong to the same thread"
  }),
  ...Override
}).annotate({ identifier: "EmailToSend" })

export const EmailSent = Schema.Struct({
  success: Schema.Literal(true),
  message_id: Schema.String,
  thread_id: Schema.String,
  ...Receipt
}).annotate({ identifier: "EmailSent" })

const AliasList = Schema.Array(EmailText).check(Schema.isMaxLength(20))

const GrantPath = { ...TenantPath, grant_id: Schema.String }

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
      .annotate(Gate, gate("email.send", { limiter: "admin", email: true, idempotency: "stored" })),
    HttpApiEndpoint.get("getAliases", "/tenants/:tenant_id/email/aliases", {
      params: TenantPath,
      success: Schema.Struct({ grant_email: Schema.String, aliases: Schema.Array(Schema.String) }).annotate({
        identifier: "EmailAliases"
      }),
      error: Conflict
    })
      .annotate(OpenApi.Summary, "Show the connected address and its aliases")
      .annotate(Gate, gate("email.getAliases", { limiter: "admin", email: true })),
    HttpApiEndpoint.patch("updateAliases", "/tenants/:tenant_id/email/aliases", {
      params: TenantPath,
      payload: Schema.Struct({ aliases: AliasList }).annotate({ identifier: "AliasesToSet" }),
      success: Schema.Struct({ aliases: Schema.Array(Schema.String) }).annotate({ identifier: "AliasesSet" }),
      error: [BadRequest, Conflict]
    })
      .annotate(OpenApi.Summary, "Replace the aliases; at most 20, on the tenant's domain")
      .annotate(Gate, gate("email.updateAliases", { limiter: "admin", email: true })),
    HttpApiEndpoint.patch("updateSignature", "/tenants/:tenant_id/email/signature", {
      params: TenantPath,
      payload: Schema.Struct({ signature: Schema.String.check(Schema.isMaxLength(4_096)) }).annotate({
        identifier: "SignatureToSet"
      }),
      success: Schema.Struct({ success: Schema.Literal(true) }).annotate({ identifier: "SignatureSet" }),
      error: [BadRequest, Conflict]
    })
      .annotate(OpenApi.Summary, "Replace the signature, as plain text or HTML; an empty signature removes it")
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
        ProviderError,
        ServiceUnavailable,
        ...keyErrors
      ]
    })
      .annotate(OpenApi.Summary, "Connect the email account of a tenant; a tenant has at most one")
      .annotate(Gate, gate("email.connect", { limiter: "admin", email: true, idempotency: "steps" })),
    HttpApiEndpoint.get("listGrants", "/tenants/:tenant_id/email/grants", {
      params: TenantPath,
      success: Schema.Struct({ grants: Schema.Array(EmailGrant) }).annotate({ identifier: "EmailGrantList" })
    })
      .annotate(OpenApi.Summary, "List connected accounts")
      .annotate(Gate, gate("email.listGrants", { limiter: "admin", email: true })),
    HttpApiEndpoint.get("getGrant", "/tenants/:tenant_id/email/grants/:grant_id", {
      params: GrantPath,
      success: EmailGrant,
      error: NotFound
    })
      .annotate(OpenApi.Summary, "Show the status of a connected account")
      .annotate(Gate, gate("email.getGrant", { limiter: "admin", email: true })),
    HttpApiEndpoint.delete("disconnect", "/tenants/:tenant_id/email/grants/:grant_id", {
      params: GrantPath,
      success: HttpApiSchema.NoContent,
      error: NotFound
    })
      .annotate(OpenApi.Summary, "Disconnect an account; its queued emails are not sent")
      .annotate(Gate, gate("email.disconnect", { limiter: "admin", email: true })),
    HttpApiEndpoint.get("authUrl", "/tenants/:tenant_id/email/auth-url", {
      params: TenantPath,
      query: { provider: Schema.optionalKey(Schema.Literals(["google", "microsoft"])) },
      success: Schema.Struct({ url: Schema.String, expires_at: Timestamp }).annotate({ identifier: "EmailAuthUrl" }),
      error: [BadRequest, ConnectionExists, ServiceUnavailable]
    })
      .annotate(
        OpenApi.Summary,
        "Get the URL at which the account's owner grants access; the URL is valid once, for ten minutes"
      )
      .annotate(Gate, gate("email.authUrl", { limiter: "admin", email: true })),
    HttpApiEndpoint.post("callback", "/tenants/:tenant_id/email/callback", {
      params: TenantPath,
      headers: IdempotencyKey,
      payload: Schema.Struct({ code: text(4_096), state: text(256) }).annotate({
        identifier: "EmailAuthCode"
      }),
      success: EmailGrant.pipe(HttpApiSchema.status(201)),
      error: [BadRequest, Conflict, ConnectionExists, ProviderError, ServiceUnavailable, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Exchange the authorization code of the account's owner for a connected account")
      .annotate(Gate, gate("email.callback", { limiter: "admin", email: true, idempotency: "steps" }))
  )
  .annotateMerge(OpenApi.annotations({ title: "Email", description: "The connected account and its outbound email" }))
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")
