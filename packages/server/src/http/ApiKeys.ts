import { Api } from "@leadloom/api/Api"
import type * as Wire from "@leadloom/api/ApiKeys"
import { isoTime } from "@leadloom/api/Field"
import { createApiKey } from "@leadloom/core/access/CreateApiKey"
import { revokeApiKey } from "@leadloom/core/access/RevokeApiKey"
import { rotateApiKey } from "@leadloom/core/access/RotateApiKey"
import type { StoredKey } from "@leadloom/core/access/StoredKey"
import { ApiKeys } from "@leadloom/core/port/ApiKeys"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { answer } from "./errors.ts"

const timeOrNull = (millis: number | null) => (millis === null ? null : isoTime(millis))

const toJson = (key: StoredKey): typeof Wire.ApiKey.Type => ({
  id: key.keyId,
  name: key.name,
  prefix: key.prefix,
  created_at: isoTime(key.createdAt),
  expires_at: timeOrNull(key.expiresAt),
  last_used_at: timeOrNull(key.lastUsedAt)
})

/** A tenant's API keys. The whole key leaves the server once, when it is made. */
export const layer = HttpApiBuilder.group(Api, "apiKeys", (handlers) =>
  handlers.handleAll({
    list: Effect.fnUntraced(function* ({ params }) {
      const keys = yield* ApiKeys
      return { api_keys: (yield* answer(keys.list(params.tenant_id))).map(toJson) }
    }),
    create: Effect.fnUntraced(function* ({ params, payload }) {
      const { key, stored } = yield* answer(createApiKey(params.tenant_id, payload.name))
      return { ...toJson(stored), key }
    }),
    revoke: ({ params }) => answer(revokeApiKey(params.tenant_id, params.key_id)),
    rotate: Effect.fnUntraced(function* ({ params, payload }) {
      const { key, stored } = yield* answer(rotateApiKey(params.tenant_id, payload.key_id))
      return { ...toJson(stored), key }
    })
  })
)
