import { BadRequest, Conflict, Forbidden, NotFound } from "@leadloom/api/internal/errors"
import type { ConversationChangeInvalid } from "@leadloom/core/internal/domain/conversation/ConversationChange"
import type {
  ViewLimitReached,
  ViewNotFound,
  ViewOwnerMissing,
  ViewShareForbidden
} from "@leadloom/core/internal/domain/conversation/View"
import { field } from "./Field.ts"

/** Maps errors about the work on conversations and saved views to wire errors. */
export const inboxErrors = {
  ConversationChangeInvalid: ({ issues }: ConversationChangeInvalid) =>
    BadRequest.of("The request contains an invalid field.", issues),
  ViewNotFound: ({ viewId }: ViewNotFound) => NotFound.of(`There is no view ${viewId}.`),
  ViewLimitReached: ({ limit }: ViewLimitReached) =>
    Conflict.of(`There are ${limit} views, which is the maximum. Delete one first.`),
  ViewShareForbidden: (_: ViewShareForbidden) =>
    Forbidden.of("Only managers create, change and delete shared views. Save a private view instead."),
  ViewOwnerMissing: (_: ViewOwnerMissing) =>
    field("shared", "A private view needs an acting user. Send shared: true, or name the user in X-Acting-User.")
} as const
