import { Principal } from "@leadloom/api/internal/Access"
import { Api } from "@leadloom/api/internal/Api"
import { noteToJson } from "@leadloom/api/internal/inbox/Notes"
import { decide } from "@leadloom/core/internal/domain/access/Permission"
import { principalName } from "@leadloom/core/internal/domain/access/Principal"
import {
  createNote,
  deleteNote,
  listNotes,
  type NoteWriter,
  updateNote
} from "@leadloom/core/internal/workflow/note/Notes"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { answer } from "../../error/errors.ts"

/** The default number of notes per page. */
const defaultPageSize = 50

const writerIn = Effect.fnUntraced(function* (tenantId: string) {
  const principal = yield* Principal
  return {
    author: principalName(principal),
    isManager: decide(principal, "manage", tenantId) === "allow"
  } satisfies NoteWriter
})

/** Endpoints for private notes. */
export const layer = HttpApiBuilder.group(Api, "notes", (handlers) =>
  handlers.handleAll({
    list: Effect.fnUntraced(function* ({ params, query }) {
      const { cursor = null, limit = defaultPageSize } = query
      const page = yield* answer(listNotes(params.tenant_id, params.contact_id, { cursor, limit }))
      return { notes: page.items.map(noteToJson), next_cursor: page.nextCursor }
    }),
    create: Effect.fnUntraced(function* ({ params, payload }) {
      const writer = yield* writerIn(params.tenant_id)
      return noteToJson(yield* answer(createNote(params.tenant_id, params.contact_id, payload.body, writer)))
    }),
    update: Effect.fnUntraced(function* ({ params, payload }) {
      const { contact_id, note_id, tenant_id } = params
      const writer = yield* writerIn(tenant_id)
      return noteToJson(yield* answer(updateNote(tenant_id, contact_id, note_id, payload.body, writer)))
    }),
    delete: Effect.fnUntraced(function* ({ params }) {
      const { contact_id, note_id, tenant_id } = params
      yield* answer(deleteNote(tenant_id, contact_id, note_id, yield* writerIn(tenant_id)))
    })
  })
)
