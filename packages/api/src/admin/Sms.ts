import { BlockedNumber as BlockedNumberNoun } from "@leadloom/core/internal/domain/consent/OptOut"
import { PhoneNumber as PhoneNumberNoun } from "@leadloom/core/internal/domain/address/PhoneNumber"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authorization, Gate, gate, RequestValidation } from "../Access.ts"
import { BadRequest, Conflict, NotFound, keyErrors } from "../errors.ts"
import { TenantPath, text, IdempotencyKey, cursor, nextCursor, pageSize } from "../schema/Field.ts"
import { wire } from "../schema/Wire.ts"
import { tenantId } from "../schema/Ids.ts"

const Phone = text(64).annotate({
  description: "A phone number with its country code, or a national number of the tenant's country",
  examples: ["+15550100001"]
})

export const { schema: BlockedNumber, toJson: blockedToJson } = wire(BlockedNumberNoun, "BlockedNumber", {
  description: "A phone number that the tenant blocks in both directions",
  omit: ["tenantId"]
})

const PhoneBody = Schema.Struct({ phone: Phone }).annotate({ identifier: "PhoneBody", description: "A phone number" })

const Removed = Schema.Struct({
  status: Schema.Literal("removed").annotate({ description: "Always `removed`" })
}).annotate({ identifier: "Removed", description: "The confirmation of a removal" })

const page = {
  cursor,
  limit: pageSize(1000, 250)
}

/** Phone numbers that a tenant blocks in both directions. */
export const SmsFiltersGroup = HttpApiGroup.make("smsFilters")
  .add(
    HttpApiEndpoint.get("blocklist", "/tenants/:tenant_id/sms-filters/blocklist", {
      params: TenantPath,
      query: page,
      success: Schema.Struct({
        blocklist: Schema.Array(BlockedNumber).annotate({ description: "The blocked numbers" }),
        next_cursor: nextCursor
      }).annotate({ identifier: "Blocklist", description: "A page of the blocklist" }),
      error: [BadRequest, NotFound]
    })
      .annotate(OpenApi.Summary, "List blocked phone numbers")
      .annotate(OpenApi.Description, "Opt-outs by STOP are kept separately and are not listed here.")
      .annotate(Gate, gate("smsFilters.blocklist", { limiter: "admin" })),
    HttpApiEndpoint.post("block", "/tenants/:tenant_id/sms-filters/blocklist", {
      params: TenantPath,
      headers: IdempotencyKey,
      payload: PhoneBody,
      success: BlockedNumber.pipe(HttpApiSchema.status(201)),
      error: [BadRequest, NotFound, Conflict, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Block a phone number: its messages receive no reply, and no message is sent to it")
      .annotate(
        OpenApi.Description,
        "Blocking a number twice is not an error. A tenant has at most 10,000 blocked numbers (409)."
      )
      .annotate(Gate, gate("smsFilters.block", { limiter: "admin", idempotency: "unit" })),
    HttpApiEndpoint.delete("unblock", "/tenants/:tenant_id/sms-filters/blocklist", {
      params: TenantPath,
      payload: PhoneBody,
      success: Removed,
      error: [BadRequest, NotFound]
    })
      .annotate(OpenApi.Summary, "Remove a phone number from the blocklist")
      .annotate(OpenApi.Description, "Removing a number that is not blocked is not an error.")
      .annotate(Gate, gate("smsFilters.unblock", { limiter: "admin" }))
  )
  .annotateMerge(OpenApi.annotations({ title: "SMS filters", description: "Blocked phone numbers" }))
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")

export const { schema: PhoneNumber, toJson: numberToJson } = wire(PhoneNumberNoun, "PhoneNumber", {
  description: "A number of the provider's account and its tenant",
  names: { isDefault: "default" }
})

/** The assignment of the operator's phone numbers to tenants. */
export const PhoneNumbersGroup = HttpApiGroup.make("phoneNumbers")
  .add(
    HttpApiEndpoint.get("list", "/admin/phone-numbers", {
      query: page,
      success: Schema.Struct({
        phone_numbers: Schema.Array(PhoneNumber).annotate({ description: "The numbers of all tenants" }),
        next_cursor: nextCursor
      }).annotate({ identifier: "PhoneNumberList", description: "A page of the assigned phone numbers" }),
      error: BadRequest
    })
      .annotate(OpenApi.Summary, "List the phone numbers of all tenants")
      .annotate(OpenApi.Description, "Numbers of the provider's account that no tenant uses are not listed.")
      .annotate(Gate, gate("phoneNumbers.list", { limiter: "admin" })),
    HttpApiEndpoint.put("assign", "/admin/phone-numbers", {
      payload: Schema.Struct({
        phone: Phone,
        tenant_id: tenantId,
        default: Schema.optionalKey(Schema.Boolean).annotate({
          description:
            "Use this number as the sender if no other setting selects one. If no number has this setting, the oldest number is the sender"
        })
      }).annotate({ identifier: "AssignPhoneNumber", description: "The assignment of a number to a tenant" }),
      success: PhoneNumber,
      error: [BadRequest, NotFound, Conflict]
    })
      .annotate(OpenApi.Summary, "Assign a number of the provider's account to a tenant")
      .annotate(OpenApi.Description, "Inbound texts and calls of the number go to this tenant from now on.")
      .annotate(Gate, gate("phoneNumbers.assign", { limiter: "admin" })),
    HttpApiEndpoint.delete("release", "/admin/phone-numbers", {
      payload: PhoneBody,
      success: Removed,
      error: [BadRequest, NotFound]
    })
      .annotate(OpenApi.Summary, "Remove a number from its tenant")
      .annotate(OpenApi.Description, "Stored messages and calls stay.")
      .annotate(Gate, gate("phoneNumbers.release", { limiter: "admin" }))
  )
  .annotateMerge(OpenApi.annotations({ title: "Phone numbers", description: "Phone numbers for texts and calls" }))
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")
