import { Api } from "@leadloom/api/internal/Api"
import { filterFromJson } from "@leadloom/api/internal/contact/ContactFilter"
import { segmentToJson } from "@leadloom/api/internal/contact/Segments"
import { exportSegment } from "@leadloom/core/internal/workflow/contact/ExportContacts"
import {
  createSegment,
  listSegmentContacts,
  listSegments,
  readSegment,
  removeSegment,
  updateSegment
} from "@leadloom/core/internal/workflow/segment/ChangeSegments"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { csvDownload, wantsCsv } from "../../stream/CsvDownload.ts"
import { answer } from "../../error/errors.ts"
import { summaryToJson } from "./ContactViews.ts"

/** The default number of members per page. */
const defaultPageSize = 50

/** Endpoints for the segments of a tenant. */
export const layer = HttpApiBuilder.group(Api, "segments", (handlers) =>
  handlers.handleAll({
    list: Effect.fnUntraced(function* ({ params }) {
      return { segments: (yield* answer(listSegments(params.tenant_id))).map(segmentToJson) }
    }),
    create: Effect.fnUntraced(function* ({ params, payload }) {
      const segment = { name: payload.name, filters: filterFromJson(payload.filters) }
      return segmentToJson(yield* answer(createSegment(params.tenant_id, segment)))
    }),
    get: Effect.fnUntraced(function* ({ params }) {
      const { count, isExact, segment } = yield* answer(readSegment(params.tenant_id, params.segment_id))
      return { ...segmentToJson(segment), count, count_is_exact: isExact }
    }),
    update: Effect.fnUntraced(function* ({ params, payload: { filters, ...changes } }) {
      const all = { ...changes, ...(filters !== undefined && { filters: filterFromJson(filters) }) }
      return segmentToJson(yield* answer(updateSegment(params.tenant_id, params.segment_id, all)))
    }),
    remove: Effect.fnUntraced(function* ({ params }) {
      return segmentToJson(yield* answer(removeSegment(params.tenant_id, params.segment_id)))
    }),
    contacts: Effect.fnUntraced(function* ({ params, query }) {
      if (yield* wantsCsv) {
        const rows = yield* answer(exportSegment(params.tenant_id, params.segment_id))
        return csvDownload(params.tenant_id, "segment", rows)
      }
      const { cursor = null, limit = defaultPageSize, sort = "last_activity" } = query
      const page = { limit, cursor, sort }
      const found = yield* answer(listSegmentContacts(params.tenant_id, params.segment_id, page))
      return { contacts: found.contacts.map(summaryToJson), next_cursor: found.nextCursor }
    })
  })
)
