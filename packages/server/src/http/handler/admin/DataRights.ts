import { erasureToJson } from "@leadloom/api/internal/admin/DataRights"
import { Principal } from "@leadloom/api/internal/Access"
import { Api } from "@leadloom/api/internal/Api"
import { principalName } from "@leadloom/core/internal/domain/access/Principal"
import { archiveType } from "@leadloom/core/internal/domain/privacy/Archive"
import { eraseContact } from "@leadloom/core/internal/workflow/privacy/EraseContact"
import { exportArchive } from "@leadloom/core/internal/workflow/privacy/ExportArchive"
import { importArchive } from "@leadloom/core/internal/workflow/privacy/ImportArchive"
import { listErasures } from "@leadloom/core/internal/workflow/privacy/ListErasures"
import { Effect, Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { disposition } from "../../stream/Download.ts"
import { answer } from "../../error/errors.ts"
import { log } from "../../../LogEvents.ts"

/** The default number of receipts per page. */
const defaultPageSize = 50

/** Streams an export. If it fails, the connection is closed, and the incomplete archive lacks its manifest. */
const send = Effect.fnUntraced(function* (tenantId: string, contactId: string | null) {
  const archive = yield* exportArchive(tenantId, contactId)
  const body = Stream.tapError(archive, ({ _tag, reason }) =>
    log("export.incomplete", { tenant: tenantId, contact: contactId, detail: _tag, reason })
  )
  return HttpServerResponse.stream(body, {
    contentType: archiveType,
    headers: {
      "content-disposition": disposition(`${contactId ?? tenantId}.tar`),
      "x-content-type-options": "nosniff",
      "content-security-policy": "sandbox; default-src 'none'",
      "cache-control": "private, no-store"
    }
  })
})

/** Endpoints that export, import and erase personal data. */
export const layer = HttpApiBuilder.group(Api, "dataRights", (handlers) =>
  handlers.handleAll({
    exportContact: ({ params }) => answer(send(params.tenant_id, params.contact_id)),
    exportTenant: ({ params }) => answer(send(params.tenant_id, null)),
    erase: Effect.fnUntraced(function* ({ params, payload }) {
      const requestedBy = principalName(yield* Principal)
      const { contact_id: contactId, tenant_id: tenantId } = params
      return erasureToJson(yield* answer(eraseContact({ tenantId, contactId, confirm: payload.confirm, requestedBy })))
    }),
    listErasures: Effect.fnUntraced(function* ({ params, query }) {
      const page = { limit: query.limit ?? defaultPageSize, cursor: query.cursor ?? null }
      const { erasures, nextCursor } = yield* answer(listErasures(params.tenant_id, page))
      return { erasures: erasures.map(erasureToJson), next_cursor: nextCursor }
    }),
    importArchive: Effect.fnUntraced(function* ({ params, payload }) {
      return { kinds: yield* answer(importArchive(params.tenant_id, Stream.orDie(payload))) }
    })
  })
)
