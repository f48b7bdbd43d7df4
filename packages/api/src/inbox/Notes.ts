import { maxNoteLength, Note as Noun } from "@leadloom/core/internal/domain/note/Note"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authorization, Gate, gate, RequestValidation } from "../Access.ts"
import { BadRequest, Forbidden, keyErrors, NotFound } from "../errors.ts"
import { cursor, IdempotencyKey, nextCursor, pageSize, TenantPath, text } from "../schema/Field.ts"
import { contactId } from "../schema/Ids.ts"
import { wire } from "../schema/Wire.ts"

export const { schema: Note, toJson: noteToJson } = wire(Noun, "Note", {
  description: "A private note about a conversation. The contact never receives it, and no model reads it",
  id: "noteId",
  omit: ["tenantId"]
})

export const WriteNote = Schema.Struct({
  body: text(maxNoteLength).annotate({
    description: `Plain text or Markdown, at most ${maxNoteLength} characters. \`<@usr_…>\` mentions a user, \`<@team_…>\` a team`
  })
}).annotate({ identifier: "WriteNote", description: "The text of a private note" })

export const NotePage = Schema.Struct({
  notes: Schema.Array(Note).annotate({ description: "The notes, newest first" }),
  next_cursor: nextCursor
}).annotate({ identifier: "NotePage", description: "A page of the notes about a conversation" })

const ConversationPath = { ...TenantPath, contact_id: contactId }
const NotePath = { ...ConversationPath, note_id: Schema.String.annotate({ description: "Note id (`note_…`)" }) }

export const NotesGroup = HttpApiGroup.make("notes")
  .add(
    HttpApiEndpoint.get("list", "/tenants/:tenant_id/conversations/:contact_id/notes", {
      params: ConversationPath,
      query: { cursor, limit: pageSize(100, 50) },
      success: NotePage,
      error: [BadRequest, NotFound]
    })
      .annotate(OpenApi.Summary, "List the private notes about a conversation, newest first")
      .annotate(OpenApi.Description, "The timeline of the contact contains the notes, too.")
      .annotate(Gate, gate("notes.list", { limiter: "admin" })),
    HttpApiEndpoint.post("create", "/tenants/:tenant_id/conversations/:contact_id/notes", {
      params: ConversationPath,
      headers: IdempotencyKey,
      payload: WriteNote,
      success: Note.pipe(HttpApiSchema.status(201)),
      error: [BadRequest, NotFound, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Write a private note about a conversation")
      .annotate(OpenApi.Description, "Mentioned users and teams must exist. The event `note.created` names them.")
      .annotate(Gate, gate("notes.create", { limiter: "admin", idempotency: "unit" })),
    HttpApiEndpoint.patch("update", "/tenants/:tenant_id/conversations/:contact_id/notes/:note_id", {
      params: NotePath,
      payload: WriteNote,
      success: Note,
      error: [BadRequest, Forbidden, NotFound]
    })
      .annotate(OpenApi.Summary, "Replace the text of a private note")
      .annotate(OpenApi.Description, "Only the author may change a note.")
      .annotate(Gate, gate("notes.update", { limiter: "admin" })),
    HttpApiEndpoint.delete("delete", "/tenants/:tenant_id/conversations/:contact_id/notes/:note_id", {
      params: NotePath,
      success: HttpApiSchema.NoContent,
      error: [Forbidden, NotFound]
    })
      .annotate(OpenApi.Summary, "Delete a private note")
      .annotate(OpenApi.Description, "Only the author and managers may delete a note.")
      .annotate(Gate, gate("notes.delete", { limiter: "admin" }))
  )
  .annotateMerge(OpenApi.annotations({ title: "Notes", description: "Private notes of people about conversations" }))
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")
