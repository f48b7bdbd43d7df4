import { statusOf, StoredKey } from "@leadloom/core/internal/domain/access/StoredKey"
import { scopes } from "@leadloom/core/internal/domain/access/Principal"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authorization, Gate, gate, RequestValidation } from "../Access.ts"
import { BadRequest, Conflict, keyErrors, KeyLimitReached, NotFound } from "../errors.ts"
import { IdempotencyKey, nextCursor, optionalPage, TenantPath, text, Time } from "../schema/Field.ts"
import { wire } from "../schema/Wire.ts"

/** A scope, which limits an API key to some operations. */
export const Scope = Schema.Literals(scopes).annotate({
  identifier: "Scope",
  description:
    "A group of operations that an API key with scopes may use: `read` (reading data), `messages` (sending messages, and writing messages, contacts, leads and tasks), `pipeline` (running the pipeline and its actions)",
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

export const ApiKey = Schema.Struct(fields).annotate({
  identifier: "ApiKey",
  description: "An API key of the tenant, without the key itself"
})

/** Encodes a key with its status at `now`. */
export const keyToJson = (key: StoredKey, now: number): typeof ApiKey.Type => ({
  ...apiKey.toJson(key),
  status: statusOf(key, now)
})

export const CreatedApiKey = Schema.Struct({
  ...fields,
  key: Schema.String.annotate({ description: "The complete key. Shown only once." })
}).annotate({ identifier: "CreatedApiKey", description: "A new API key with the key itself, which is shown only once" })

export const CreateApiKey = Schema.Struct({
  name: text(100).annotate({
    description: "A name for people, for example of the application that uses the key; 1 to 100 characters"
  }),
  scopes: Schema.optionalKey(Scopes.check(Schema.isMinLength(1))).annotate({
    description:
      "Limits the key to some operations. read: read data; messages: send messages, and write messages, contacts, leads and tasks; pipeline: run the pipeline and its actions. Default: no limit."
  }),
  expires_at: Schema.optionalKey(Time).annotate({
    description: "A time in the future. Default: the key does not expire."
  })
}).annotate({ identifier: "CreateApiKey", description: "The name, the scopes and the expiry of a new API key" })
export const RotateApiKey = Schema.Struct({
  key_id: Schema.String.annotate({ description: "The id of the active key that a new key replaces" })
}).annotate({ identifier: "RotateApiKey", description: "The key to replace" })

export const ApiKeysGroup = HttpApiGroup.make("apiKeys")
  .add(
    HttpApiEndpoint.get("list", "/tenants/:tenant_id/api-keys", {
      params: TenantPath,
      query: optionalPage,
      success: Schema.Struct({
        api_keys: Schema.Array(ApiKey).annotate({ description: "The keys with their status" }),
        next_cursor: nextCursor
      }).annotate({ identifier: "ApiKeyList", description: "The API keys of the tenant" }),
      error: [BadRequest, NotFound]
    })
      .annotate(OpenApi.Summary, "List API keys; only prefixes are shown")
      .annotate(OpenApi.Description, "Lists the keys with prefix, scopes, status and last use.")
      .annotate(Gate, gate("apiKeys.list", { limiter: "admin" })),
    HttpApiEndpoint.post("create", "/tenants/:tenant_id/api-keys", {
      params: TenantPath,
      headers: IdempotencyKey,
      payload: CreateApiKey,
      success: CreatedApiKey.pipe(HttpApiSchema.status(201)),
      error: [BadRequest, NotFound, KeyLimitReached, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Create an API key; at most 3 are active")
      .annotate(
        OpenApi.Description,
        "The response is the only one that contains the key. A fourth active key is rejected with 409 `KEY_LIMIT_REACHED`."
      )
      .annotate(Gate, gate("apiKeys.create", { limiter: "admin", idempotency: "unit" })),
    HttpApiEndpoint.delete("revoke", "/tenants/:tenant_id/api-keys/:key_id", {
      params: { ...TenantPath, key_id: Schema.String.annotate({ description: "The id of the key (`key_…`)" }) },
      success: HttpApiSchema.NoContent,
      error: NotFound
    })
      .annotate(OpenApi.Summary, "Revoke an API key immediately")
      .annotate(OpenApi.Description, "Requests with the key receive 401 from now on. This cannot be undone.")
      .annotate(Gate, gate("apiKeys.revoke", { limiter: "admin" })),
    HttpApiEndpoint.post("rotate", "/tenants/:tenant_id/api-keys/rotate", {
      params: TenantPath,
      headers: IdempotencyKey,
      payload: RotateApiKey,
      success: CreatedApiKey,
      error: [NotFound, Conflict, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Replace an API key; the old key remains valid for another 72 hours")
      .annotate(OpenApi.Description, "The new key has the same name and scopes. Only an active key can be rotated.")
      .annotate(Gate, gate("apiKeys.rotate", { limiter: "admin", idempotency: "unit" }))
  )
  .annotateMerge(OpenApi.annotations({ title: "API keys", description: "Credentials of partner applications" }))
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")
