import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authorization, Gate, gate, RequestValidation } from "../Access.ts"
import { BadRequest, keyErrors } from "../errors.ts"
import { IdempotencyKey } from "../schema/Field.ts"

export const CheckLeakedKeys = Schema.Struct({
  text: Schema.String.annotate({ description: "Anything that may hold keys: a file, a log, a scanner's report" }),
  revoke: Schema.optionalKey(Schema.Boolean).annotate({
    description: "Ends those that still work: API keys are revoked, sources of source keys removed. Default: false"
  })
}).annotate({ identifier: "CheckLeakedKeys" })

export const LeakedKey = Schema.Struct({
  kind: Schema.Literals(["api_key", "source_key"]),
  prefix: Schema.String.annotate({ description: "The beginning of the key, as lists show it" }),
  status: Schema.Literals(["active", "rotated", "expired", "revoked", "unknown"]).annotate({
    description: "unknown: of the right form, and nobody here has it: removed, or of another deployment"
  }),
  live: Schema.Boolean.annotate({ description: "It opened something when it was looked up" }),
  tenant_id: Schema.NullOr(Schema.String).annotate({ description: "null: unknown, or a source of all tenants" }),
  id: Schema.NullOr(Schema.String).annotate({ description: "The API key's id, or the source's" }),
  revoked: Schema.Boolean.annotate({ description: "This request has ended it" })
}).annotate({ identifier: "LeakedKey" })

export const LeakedKeysGroup = HttpApiGroup.make("leakedKeys")
  .add(
    HttpApiEndpoint.post("check", "/admin/leaked-keys", {
      headers: IdempotencyKey,
      payload: CheckLeakedKeys,
      success: Schema.Struct({ leaked_keys: Schema.Array(LeakedKey) }).annotate({ identifier: "LeakedKeyList" }),
      error: [BadRequest, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Find our keys in a text, say whether they still work, and revoke them on request")
      .annotate(Gate, gate("leakedKeys.check", { limiter: "admin", idempotency: "repeatable" }))
  )
  .annotateMerge(OpenApi.annotations({ title: "Leaked keys", description: "Keys that stand where they should not" }))
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")
