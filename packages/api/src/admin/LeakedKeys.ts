import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authorization, Gate, gate, RequestValidation } from "../Access.ts"
import { BadRequest, keyErrors } from "../errors.ts"
import { IdempotencyKey } from "../schema/Field.ts"

export const CheckLeakedKeys = Schema.Struct({
  text: Schema.String.annotate({
    description: "Any text that may contain keys: a file, a log or the report of a scanner"
  }),
  revoke: Schema.optionalKey(Schema.Boolean).annotate({
    description:
      "Also revoke the keys that are still valid: API keys become invalid, and the source of a source key is removed. Default: false"
  })
}).annotate({ identifier: "CheckLeakedKeys", description: "A text to search for keys of this deployment" })

export const LeakedKey = Schema.Struct({
  kind: Schema.Literals(["api_key", "source_key"]).annotate({
    description: "The kind of the key: an API key of a tenant, or the key of an event source"
  }),
  prefix: Schema.String.annotate({ description: "The first characters of the key, as in lists" }),
  status: Schema.Literals(["active", "rotated", "expired", "revoked", "unknown"]).annotate({
    description:
      "unknown: the key has a valid format, but this deployment does not know it. The key was removed or belongs to another deployment"
  }),
  live: Schema.Boolean.annotate({ description: "Whether the key was valid when the request arrived" }),
  tenant_id: Schema.NullOr(Schema.String).annotate({
    description: "null: the key is unknown, or its source is valid for all tenants"
  }),
  id: Schema.NullOr(Schema.String).annotate({ description: "The id of the API key or of the source" }),
  revoked: Schema.Boolean.annotate({ description: "Whether this request revoked the key" })
}).annotate({ identifier: "LeakedKey", description: "A key that the text contains" })

export const LeakedKeysGroup = HttpApiGroup.make("leakedKeys")
  .add(
    HttpApiEndpoint.post("check", "/admin/leaked-keys", {
      headers: IdempotencyKey,
      payload: CheckLeakedKeys,
      success: Schema.Struct({
        leaked_keys: Schema.Array(LeakedKey).annotate({
          description: "The found keys, each once; empty: the text contains none"
        })
      }).annotate({ identifier: "LeakedKeyList", description: "The keys that the text contains" }),
      error: [BadRequest, ...keyErrors]
    })
      .annotate(
        OpenApi.Summary,
        "Find keys of this deployment in a text, report whether they are still valid, and revoke them on request"
      )
      .annotate(OpenApi.Description, "The text is not stored. Only prefixes of keys are returned.")
      .annotate(Gate, gate("leakedKeys.check", { limiter: "admin", idempotency: "repeatable" }))
  )
  .annotateMerge(OpenApi.annotations({ title: "Leaked keys", description: "Detection and revocation of leaked keys" }))
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")
