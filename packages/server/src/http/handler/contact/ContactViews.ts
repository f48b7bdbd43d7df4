import { contactToJson } from "@leadloom/api/internal/schema/ContactRecord"
import { Api } from "@leadloom/api/internal/Api"
import { timelineTaskToJson } from "@leadloom/api/internal/contact/ContactDetail"
import type * as Wire from "@leadloom/api/internal/contact/ContactViews"
import { filterFromJson } from "@leadloom/api/internal/contact/ContactFilter"
import { noteToJson } from "@leadloom/api/internal/inbox/Notes"
import { isoTime } from "@leadloom/api/internal/schema/Field"
import type { TimelineEntry } from "@leadloom/core/internal/domain/contact/Activity"
import { readTimeline } from "@leadloom/core/internal/workflow/contact/ReadTimeline"
import type { ContactSummary } from "@leadloom/core/internal/domain/contact/ContactSummary"
import { exportContacts } from "@leadloom/core/internal/workflow/contact/ExportContacts"
import { listEnriched } from "@leadloom/core/internal/workflow/contact/ListEnriched"
import { readContactDetail } from "@leadloom/core/internal/workflow/contact/ReadContactDetail"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { detailToJson } from "./ContactDetailJson.ts"
import { messageEncoder, type MessageToJson } from "../inbox/Conversations.ts"
import { answer } from "../../error/errors.ts"
import { csvDownload, wantsCsv } from "../../stream/CsvDownload.ts"

/** The default number of entries per page. */
const defaultPageSize = 50

/** Encodes a contact with its current state. */
export const summaryToJson = (summary: ContactSummary): typeof Wire.EnrichedContact.Type => ({
  ...contactToJson(summary.contact),
  last_activity_at: isoTime(summary.lastActivityAt),
  last_channel: summary.channel,
  last_message: summary.lastMessage,
  unread: summary.unread,
  lead_id: summary.leadId,
  lead_state: summary.state,
  score: summary.score,
  score_tier: summary.tier
})

const entryToJson = (entry: TimelineEntry, messageToJson: MessageToJson): typeof Wire.TimelineEntry.Type => {
  const { id } = entry
  const at = isoTime(entry.at)
  switch (entry._tag) {
    case "Message": {
      const { message } = entry
      const { actor, leadId, userId } = message
      const by = { actor, user_id: userId, user_name: null }
      return { id, type: "message", at, ...by, lead_id: leadId, message: messageToJson(message) }
    }
    case "Task": {
      const task = timelineTaskToJson(entry.task)
      const by = { actor: "system", user_id: null, user_name: null } as const
      return { id, type: "task", at, ...by, lead_id: entry.task.leadId, task }
    }
    case "Note":
      return {
        id,
        type: "note",
        at,
        actor: "agent",
        user_id: entry.note.authorId,
        user_name: null,
        lead_id: null,
        note: noteToJson(entry.note)
      }
    case "Activity": {
      const { actor, data, leadId, type, userId, userName } = entry.activity
      return { id, type, at, actor, user_id: userId, user_name: userName, lead_id: leadId, data }
    }
  }
}

/** Endpoints for the contact list and the contact view of agents. */
export const layer = HttpApiBuilder.group(Api, "contactViews", (handlers) =>
  handlers.handleAll({
    detail: Effect.fnUntraced(function* ({ params }) {
      const detail = yield* answer(readContactDetail(params.tenant_id, params.contact_id))
      return detailToJson(detail, yield* messageEncoder)
    }),
    timeline: Effect.fnUntraced(function* ({ params, query }) {
      const page = { limit: query.limit ?? defaultPageSize, cursor: query.cursor ?? null }
      const { entries, nextCursor } = yield* answer(readTimeline(params.tenant_id, params.contact_id, page))
      const messageToJson = yield* messageEncoder
      return { entries: entries.map((entry) => entryToJson(entry, messageToJson)), next_cursor: nextCursor }
    }),
    enriched: Effect.fnUntraced(function* ({ params, payload }) {
      const { cursor = null, limit = defaultPageSize, sort = "last_activity", ...filter } = payload
      if (yield* wantsCsv) {
        const rows = yield* answer(exportContacts(params.tenant_id, filterFromJson(filter)))
        return csvDownload(params.tenant_id, "contacts", rows)
      }
      const page = { limit, cursor, sort }
      const { contacts, nextCursor } = yield* answer(listEnriched(params.tenant_id, filterFromJson(filter), page))
      return { contacts: contacts.map(summaryToJson), next_cursor: nextCursor }
    })
  })
)
