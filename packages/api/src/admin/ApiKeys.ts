import { statusOf, StoredKey } from "@leadloom/core/domain/access/StoredKey"
import { scopes } from "@leadloom/core/domain/access/Principal"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authorization, Gate, gate, RequestValidation } from "../Access.ts"
import { BadRequest, Conflict, keyErrors, KeyLimitReached, NotFound } from "../errors.ts"
import { IdempotencyKey, TenantPath, text, Time } from "../schema/Field.ts"
import { wire } from "../schema/Wire.ts"

/** A scope, which limits an API key to some operations. */
export const Scope = Schema.Literals(scopes).annotate({
  identifier: "Scope",
  message: `Expected one of ${scopes.join(", ")}`
})

const Scopes = Schema.Array(Scope).check(Schema.isMaxLength(scopes.length))

const apiKey = wire(StoredKey, "ApiKey", {
  id: "keyId",
  pick: ["keyId", "name", "prefix", "scopes", "createdAt", "expiresAt", "lastUsedAt"],
  schemas: { scopes: Schema.NullOr(Scopes).annotate({ description: "null: the key has no limit" }) }
})

const fields = {
  ...apiKey.schema.fields,
  status: Schema.Literals(["active", "rotated", "expired", "revoked"]).annotate({
    description: "rotated: a new key has replaced this key; this key remains valid until expires_at"
  })
}

export const ApiKey = Schema.Struct(fields).annotate({ identifier: "ApiKey" })

/** Encodes a key with its status at `now`. */
export const keyToJson = (key: StoredKey, now: number): typeof ApiKey.Type => ({
  ...apiKey.toJson(key),
  status: statusOf(key, now)
})

export const CreatedApiKey = Schema.Struct({
  ...fields,
  key: Schema.String.annotate({ description: "The complete key. Shown only once." })
}).annotate({ identifier: "CreatedApiKey" })

export const CreateApiKey = Schema.Struct({
  name: text(100),
  scopes: Schema.optionalKey(Scopes.check(Schema.isMinLength(1))).annotate({
    description:
      "Limits the key to some operations. read: read data; messages: send messages, and write messages, contacts, leads and tasks; pipeline: run the pipeline and its actions. Default: no limit."
  }),
  expires_at: Schema.optionalKey(Time).annotate({
    description: "A time in the future. Default: the key does not expire."
  })
}).annotate({ identifier: "CreateApiKey" })
export const RotateApiKey = Schema.Struct({ key_id: Schema.String }).annotate({ identifier: "RotateApiKey" })

export const ApiKeysGroup = HttpApiGroup.make("apiKeys")
  .add(
    HttpApiEndpoint.get("list", "/tenants/:tenant_id/api-keys", {
      params: TenantPath,
      success: Schema.Struct({ api_keys: Schema.Array(ApiKey) }).annotate({ identifier: "ApiKeyList" }),
      error: NotFound
    })
      .annotate(OpenApi.Summary, "List API keys; only prefixes are shown")
      .annotate(Gate, gate("apiKeys.list", { limiter: "admin" })),
    HttpApiEndpoint.post("create", "/tenants/:tenant_id/api-keys", {
      params: TenantPath,
      headers: IdempotencyKey,
      payload: CreateApiKey,
      success: CreatedApiKey.pipe(HttpApiSchema.status(201)),
      error: [BadRequest, NotFound, KeyLimitReached, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Create an API key; at most 3 are active")
      .annotate(Gate, gate("apiKeys.create", { limiter: "admin", idempotency: "unit" })),
    HttpApiEndpoint.delete("revoke", "/tenants/:tenant_id/api-keys/:key_id", {
      params: { ...TenantPath, key_id: Schema.String },
      success: HttpApiSchema.NoContent,
      error: NotFound
    })
      .annotate(OpenApi.Summary, "Revoke an API key immediately")
      .annotate(Gate, gate("apiKeys.revoke", { limiter: "admin" })),
    HttpApiEndpoint.post("rotate", "/tenants/:tenant_id/api-keys/rotate", {
      params: TenantPath,
      headers: IdempotencyKey,
      payload: RotateApiKey,
      success: CreatedApiKey,
      error: [NotFound, Conflict, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Replace an API key; the old key remains valid for another 72 hours")
      .annotate(Gate, gate("apiKeys.rotate", { limiter: "admin", idempotency: "unit" }))
  )
  .annotateMerge(OpenApi.annotations({ title: "API keys", description: "Credentials of partner applications" }))
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")
