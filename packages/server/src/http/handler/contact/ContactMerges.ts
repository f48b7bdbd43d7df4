import { contactToJson } from "@leadloom/api/internal/schema/ContactRecord"
import { Api } from "@leadloom/api/internal/Api"
import { mergeToJson, type Moved } from "@leadloom/api/internal/contact/ContactMerges"
import { isoTime } from "@leadloom/api/internal/schema/Field"
import type { MovedCounts } from "@leadloom/core/internal/domain/contact/ContactMerge"
import { dismissMergeSuggestion } from "@leadloom/core/internal/workflow/contact/DismissMergeSuggestion"
import { listMergeSuggestions } from "@leadloom/core/internal/workflow/contact/ListMergeSuggestions"
import { mergeContacts } from "@leadloom/core/internal/workflow/contact/MergeContacts"
import { undoMerge } from "@leadloom/core/internal/workflow/contact/UndoMerge"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { answer } from "../../error/errors.ts"

/** The default number of suggestions per page. */
const defaultPageSize = 50

const movedToJson = (moved: MovedCounts): typeof Moved.Type => ({
  identities: moved.identity,
  messages: moved.message,
  leads: moved.lead,
  tasks: moved.task,
  drafts: moved.draft
})

/** Endpoints that find and merge duplicate contacts. */
export const layer = HttpApiBuilder.group(Api, "contactMerges", (handlers) =>
  handlers.handleAll({
    merge: Effect.fnUntraced(function* ({ params, payload }) {
      const { duplicate_contact_id, primary_contact_id } = payload
      const merged = yield* answer(mergeContacts(params.tenant_id, primary_contact_id, duplicate_contact_id))
      return { ...mergeToJson(merged), moved: movedToJson(merged.moved) }
    }),
    undo: Effect.fnUntraced(function* ({ params }) {
      return mergeToJson(yield* answer(undoMerge(params.tenant_id, params.merge_id)))
    }),
    suggestions: Effect.fnUntraced(function* ({ params, query }) {
      const page = { limit: query.limit ?? defaultPageSize, cursor: query.cursor ?? null }
      const { nextCursor, suggestions } = yield* answer(listMergeSuggestions(params.tenant_id, page))
      return {
        suggestions: suggestions.map(({ createdAt, duplicate, primary, reason }) => ({
          primary_contact_id: primary.contactId,
          duplicate_contact_id: duplicate.contactId,
          reason,
          created_at: isoTime(createdAt),
          primary: contactToJson(primary),
          duplicate: contactToJson(duplicate)
        })),
        next_cursor: nextCursor
      }
    }),
    dismiss: Effect.fnUntraced(function* ({ params, payload }) {
      const { duplicate_contact_id, primary_contact_id } = payload
      yield* answer(dismissMergeSuggestion(params.tenant_id, primary_contact_id, duplicate_contact_id))
      return { success: true as const }
    })
  })
)
