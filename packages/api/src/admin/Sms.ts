import { BlockedNumber as BlockedNumberNoun } from "@leadloom/core/domain/consent/OptOut"
import { PhoneNumber as PhoneNumberNoun } from "@leadloom/core/domain/address/PhoneNumber"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authorization, Gate, gate, RequestValidation } from "../Access.ts"
import { BadRequest, Conflict, NotFound, keyErrors } from "../errors.ts"
import { TenantPath, text, IdempotencyKey } from "../schema/Field.ts"
import { wire } from "../schema/Wire.ts"

const Phone = text(64).annotate({
  description: "A phone number with its country code, or a national number of the tenant's country",
  examples: ["+15550100001"]
})

export const { schema: BlockedNumber, toJson: blockedToJson } = wire(BlockedNumberNoun, "BlockedNumber", {
  omit: ["tenantId"]
})

const PhoneBody = Schema.Struct({ phone: Phone }).annotate({ identifier: "PhoneBody" })

const Removed = Schema.Struct({ status: Schema.Literal("removed") }).annotate({ identifier: "Removed" })

const page = {
  cursor: Schema.optionalKey(Schema.String),
  limit: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1000 })))
}

/** Phone numbers that a tenant blocks in both directions. */
export const SmsFiltersGroup = HttpApiGroup.make("smsFilters")
  .add(
    HttpApiEndpoint.get("blocklist", "/tenants/:tenant_id/sms-filters/blocklist", {
      params: TenantPath,
      query: page,
      success: Schema.Struct({
        blocklist: Schema.Array(BlockedNumber),
        next_cursor: Schema.NullOr(Schema.String)
      }).annotate({ identifier: "Blocklist" }),
      error: [BadRequest, NotFound]
    })
      .annotate(OpenApi.Summary, "List blocked phone numbers")
      .annotate(Gate, gate("smsFilters.blocklist", { limiter: "admin" })),
    HttpApiEndpoint.post("block", "/tenants/:tenant_id/sms-filters/blocklist", {
      params: TenantPath,
      headers: IdempotencyKey,
      payload: PhoneBody,
      success: BlockedNumber.pipe(HttpApiSchema.status(201)),
      error: [BadRequest, NotFound, Conflict, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Block a phone number: its messages receive no reply, and no message is sent to it")
      .annotate(Gate, gate("smsFilters.block", { limiter: "admin", idempotency: "unit" })),
    HttpApiEndpoint.delete("unblock", "/tenants/:tenant_id/sms-filters/blocklist", {
      params: TenantPath,
      payload: PhoneBody,
      success: Removed,
      error: [BadRequest, NotFound]
    })
      .annotate(OpenApi.Summary, "Remove a phone number from the blocklist")
      .annotate(Gate, gate("smsFilters.unblock", { limiter: "admin" }))
  )
  .annotateMerge(OpenApi.annotations({ title: "SMS filters", description: "Blocked phone numbers" }))
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")

export const { schema: PhoneNumber, toJson: numberToJson } = wire(PhoneNumberNoun, "PhoneNumber", {
  names: { isDefault: "default" }
})

/** The assignment of the operator's phone numbers to tenants. */
export const PhoneNumbersGroup = HttpApiGroup.make("phoneNumbers")
  .add(
    HttpApiEndpoint.get("list", "/admin/phone-numbers", {
      query: page,
      success: Schema.Struct({
        phone_numbers: Schema.Array(PhoneNumber),
        next_cursor: Schema.NullOr(Schema.String)
      }).annotate({ identifier: "PhoneNumberList" }),
      error: BadRequest
    })
      .annotate(OpenApi.Summary, "List the phone numbers of all tenants")
      .annotate(Gate, gate("phoneNumbers.list", { limiter: "admin" })),
    HttpApiEndpoint.put("assign", "/admin/phone-numbers", {
      payload: Schema.Struct({
        phone: Phone,
        tenant_id: Schema.String,
        default: Schema.optionalKey(Schema.Boolean).annotate({
          description:
            "Use this number as the sender if no other setting selects one. If no number has this setting, the oldest number is the sender"
        })
      }).annotate({ identifier: "AssignPhoneNumber" }),
      success: PhoneNumber,
      error: [BadRequest, NotFound, Conflict]
    })
      .annotate(OpenApi.Summary, "Assign a number of the provider's account to a tenant")
      .annotate(Gate, gate("phoneNumbers.assign", { limiter: "admin" })),
    HttpApiEndpoint.delete("release", "/admin/phone-numbers", {
      payload: PhoneBody,
      success: Removed,
      error: [BadRequest, NotFound]
    })
      .annotate(OpenApi.Summary, "Remove a number from its tenant")
      .annotate(Gate, gate("phoneNumbers.release", { limiter: "admin" }))
  )
  .annotateMerge(OpenApi.annotations({ title: "Phone numbers", description: "Phone numbers for texts and calls" }))
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")
