import { keyToJson } from "@leadloom/api/internal/admin/ApiKeys"
import { Api } from "@leadloom/api/internal/Api"
import { millisOf } from "@leadloom/api/internal/schema/Field"
import { createApiKey, revokeApiKey, rotateApiKey } from "@leadloom/core/internal/workflow/access/ApiKeys"
import type { StoredKey } from "@leadloom/core/internal/domain/access/StoredKey"
import { ApiKeys } from "@leadloom/core/internal/port/repository/tenant/ApiKeys"
import { readShortList, type ShortList } from "@leadloom/core/internal/domain/conversation/ReadPage"
import { Clock, Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { answer } from "../../error/errors.ts"

/** Encodes a new key, including its secret value. */
const made = ({ key, stored }: { readonly key: string; readonly stored: StoredKey }) => ({
  ...keyToJson(stored, stored.createdAt),
  key
})

/** Endpoints for a tenant's API keys. The full key is returned only once, when it is created. */
export const layer = HttpApiBuilder.group(Api, "apiKeys", (handlers) =>
  handlers.handleAll({
    list: Effect.fnUntraced(function* ({ params, query }) {
      const now = yield* Clock.currentTimeMillis
      const list: ShortList<StoredKey> = {
        scope: { tenantId: params.tenant_id, list: "api keys" },
        items: yield* answer((yield* ApiKeys).list(params.tenant_id)),
        keyOf: ({ createdAt, keyId }) => [createdAt, keyId]
      }
      const { items, nextCursor } = yield* answer(readShortList(list, query))
      return { api_keys: items.map((key) => keyToJson(key, now)), next_cursor: nextCursor }
    }),
    create: Effect.fnUntraced(function* ({ params, payload: { expires_at, name, scopes } }) {
      const expiresAt = expires_at === undefined ? null : millisOf(expires_at)
      return made(yield* answer(createApiKey(params.tenant_id, { name, scopes: scopes ?? null, expiresAt })))
    }),
    revoke: ({ params }) => answer(revokeApiKey(params.tenant_id, params.key_id)),
    rotate: Effect.fnUntraced(function* ({ params, payload }) {
      return made(yield* answer(rotateApiKey(params.tenant_id, payload.key_id)))
    })
  })
)
