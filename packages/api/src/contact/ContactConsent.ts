import { maxConsentProof, optOutSources, recordedSources } from "@leadloom/core/internal/domain/consent/OptOut"
import { consentPurposes } from "@leadloom/core/internal/domain/consent/TrackingConsent"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authorization, Gate, gate, RequestValidation } from "../Access.ts"
import { BadRequest, Forbidden, keyErrors, NotFound } from "../errors.ts"
import { IdempotencyKey, TenantPath, text, Timestamp } from "../schema/Field.ts"
import { contactId, identityId } from "../schema/Ids.ts"

const Status = Schema.Literals(["opted_in", "opted_out"])

const ConsentChange = Schema.Struct({
  status: Status.annotate({ description: "The consent after the change" }),
  source: Schema.Literals(optOutSources).annotate({
    description:
      "The origin of the change. `keyword`: STOP or START. `wording`: a text that asks for no more messages. `unsubscribe`: the link in an email. `provider`: the carrier. `crm`: the do-not-disturb setting. The others were recorded by a person"
  }),
  at: Timestamp.annotate({ description: "The time of the change (ISO 8601 in UTC)" }),
  proof: Schema.NullOr(Schema.String).annotate({ description: "The proof of a recorded change; null: none" }),
  recorded_by: Schema.NullOr(Schema.String).annotate({
    description: "The principal that recorded the change; null: not recorded by a person"
  })
}).annotate({ identifier: "ConsentChange", description: "A change of consent" })

const ConsentRecord = Schema.Struct({
  ...ConsentChange.fields,
  own_number: Schema.NullOr(Schema.String).annotate({
    description: "The number of the tenant to which the change applies; null: all numbers and addresses of the tenant"
  }),
  history: Schema.Array(ConsentChange).annotate({ description: "Earlier changes, newest first" })
}).annotate({ identifier: "ConsentRecord", description: "The current consent for one or all numbers of the tenant" })

const TrackingRecord = Schema.Struct({
  ...ConsentChange.fields,
  history: Schema.Array(ConsentChange).annotate({ description: "Earlier changes, newest first" })
}).annotate({ identifier: "TrackingRecord", description: "The current consent to the recording of opened links" })

const IdentityConsent = Schema.Struct({
  identity_id: identityId,
  kind: Schema.Literals(["email", "phone"]).annotate({ description: "The kind of the identity" }),
  value: Schema.String.annotate({ description: "The email address, or the number in E.164" }),
  channels: Schema.Array(Schema.Literals(["email", "sms", "voice"])).annotate({
    description: "The channels to which the consent applies"
  }),
  status: Schema.Literals(["opted_in", "opted_out", "unknown"]).annotate({
    description: "`opted_out`: no message or call is sent. `unknown`: no consent or opt-out was recorded"
  }),
  needs_manager: Schema.Boolean.annotate({
    description: "Whether only a manager can lift the opt-out, because the contact itself declared it"
  }),
  records: Schema.Array(ConsentRecord).annotate({ description: "The recorded changes" }),
  tracking: Schema.NullOr(TrackingRecord).annotate({
    description:
      "The consent to the recording of opened links (`link_tracking`). `opted_out`: emails to the address have no tracked links. null: none was recorded, so the setting of the tenant decides; always null for numbers"
  })
}).annotate({ identifier: "IdentityConsent", description: "The consent of one address or number of a contact" })

export const ContactConsent = Schema.Struct({
  consents: Schema.Array(IdentityConsent).annotate({
    description: "The consent of each email address and phone number, in the order of the identities"
  })
}).annotate({ identifier: "ContactConsent", description: "The consent of a contact to messages and calls" })

export const RecordConsent = Schema.Struct({
  identity_id: text(64).annotate({ description: "The identity to which the consent or opt-out applies" }),
  status: Status.annotate({ description: "`opted_in` records a consent; `opted_out` records an opt-out" }),
  purpose: Schema.optionalKey(Schema.Literals(consentPurposes)).annotate({
    description:
      "`messages`: messages and calls. `tracking`: the recording of opened links, for an email address. Default: `messages`"
  }),
  source: Schema.optionalKey(Schema.Literals(recordedSources)).annotate({
    description: "How the contact declared it: to a person, in a form, in a call or in writing. Default: person"
  }),
  proof: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(maxConsentProof))).annotate({
    description: `For example the words of the contact, or the name of the form; required for a consent; at most ${maxConsentProof} characters`
  })
}).annotate({ identifier: "RecordConsent", description: "A consent or an opt-out" })

const ContactPath = { ...TenantPath, contact_id: contactId }
const path = "/tenants/:tenant_id/contacts/:contact_id/consent"

/** The consent of a contact to messages and calls. */
export const ContactConsentGroup = HttpApiGroup.make("contactConsent")
  .add(
    HttpApiEndpoint.get("get", path, { params: ContactPath, success: ContactConsent, error: NotFound })
      .annotate(OpenApi.Summary, "Read the consents and opt-outs of a contact")
      .annotate(OpenApi.Description, "Each address and number has its own consent, with its source, proof and history.")
      .annotate(Gate, gate("contactConsent.get", { limiter: "admin" })),
    HttpApiEndpoint.post("record", path, {
      params: ContactPath,
      headers: IdempotencyKey,
      payload: RecordConsent,
      success: ContactConsent,
      error: [BadRequest, Forbidden, NotFound, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Record a consent or an opt-out of a contact")
      .annotate(
        OpenApi.Description,
        "A consent requires a proof. An opt-out that the contact itself declared, for example by STOP, can be lifted by its START, or by a manager with a proof (otherwise 403). The audit trail records every change."
      )
      .annotate(Gate, gate("contactConsent.record", { limiter: "admin", idempotency: "unit" }))
  )
  .annotateMerge(OpenApi.annotations({ title: "Contact consent", description: "Consents and opt-outs of contacts" }))
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")
