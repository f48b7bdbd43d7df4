import { BadRequest, Conflict, Forbidden, NotFound } from "@leadloom/api/internal/errors"
import type {
  CannedReplyInvalid,
  CannedReplyLimitReached,
  CannedReplyNotFound
} from "@leadloom/core/internal/domain/reply/CannedReply"
import type { RemoteImageNotFound } from "@leadloom/core/internal/domain/email/RemoteImage"
import type { MacroInvalid, MacroLimitReached, MacroNotFound } from "@leadloom/core/internal/domain/rule/Macro"
import type { NoteInvalid, NoteNotFound, NoteOfAnother } from "@leadloom/core/internal/domain/note/Note"
import type { ConversationChangeInvalid } from "@leadloom/core/internal/domain/conversation/ConversationChange"
import type {
  ViewLimitReached,
  ViewNotFound,
  ViewOwnerMissing,
  ViewShareForbidden
} from "@leadloom/core/internal/domain/conversation/View"
import { field } from "./Field.ts"

/** Maps errors about conversations, saved views, private notes, canned replies and macros to wire errors. */
export const inboxErrors = {
  ConversationChangeInvalid: ({ issues }: ConversationChangeInvalid) =>
    BadRequest.of("The request contains an invalid field.", issues),
  ViewNotFound: ({ viewId }: ViewNotFound) => NotFound.of(`There is no view ${viewId}.`),
  ViewLimitReached: ({ limit }: ViewLimitReached) =>
    Conflict.of(`There are ${limit} views, which is the maximum. Delete one first.`),
  ViewShareForbidden: (_: ViewShareForbidden) =>
    Forbidden.of("Only managers create, change and delete shared views. Save a private view instead."),
  ViewOwnerMissing: (_: ViewOwnerMissing) =>
    field("shared", "A private view needs an acting user. Send shared: true, or name the user in X-Acting-User."),
  NoteNotFound: ({ noteId }: NoteNotFound) => NotFound.of(`There is no note ${noteId} in this conversation.`),
  NoteOfAnother: (_: NoteOfAnother) =>
    Forbidden.of("Only the author may change this note. The author and managers may delete it."),
  NoteInvalid: ({ issues }: NoteInvalid) => BadRequest.of("The note is invalid and was not saved.", issues),
  CannedReplyNotFound: ({ cannedReplyId }: CannedReplyNotFound) =>
    NotFound.of(`There is no canned reply ${cannedReplyId}.`),
  CannedReplyLimitReached: ({ limit }: CannedReplyLimitReached) =>
    Conflict.of(`The tenant has the maximum of ${limit} canned replies. Delete one first.`),
  CannedReplyInvalid: ({ issues }: CannedReplyInvalid) => BadRequest.of("The canned reply is invalid.", issues),
  MacroNotFound: ({ macroId }: MacroNotFound) => NotFound.of(`There is no macro ${macroId}.`),
  MacroLimitReached: ({ limit }: MacroLimitReached) =>
    Conflict.of(`The tenant has the maximum of ${limit} macros. Delete one first.`),
  MacroInvalid: ({ issues }: MacroInvalid) => BadRequest.of("The macro is invalid.", issues),
  RemoteImageNotFound: ({ reason }: RemoteImageNotFound) =>
    NotFound.of(
      reason === null ? "There is no such image, or its link has expired." : `The image is not available: ${reason}`
    )
} as const
