import { Schema } from "effect"
import { Time, unchecked } from "../Field.ts"
import { UserId, ViewId } from "../Id.ts"
import { TaggedError } from "../TaggedError.ts"
import type { InboxView } from "./InboxFilter.ts"

/** The maximum number of shared views of a tenant, and of private views of a user. */
export const maxViews = 100

/** A saved list of conversations: filters and an order under a name. */
export class View extends Schema.Opaque<View>()(
  Schema.Struct({
    viewId: ViewId.annotate({ description: "View id (`view_…`). Ids sort by creation time" }),
    tenantId: Schema.String,
    name: Schema.String.annotate({ description: "The name of the view" }),
    filters: unchecked<InboxView>(),
    /** The author. Null for a view that no user created; such a view is shared. */
    ownerId: Schema.NullOr(UserId).annotate({ description: "The user who created the view; null: no user" }),
    shared: Schema.Boolean.annotate({ description: "Whether all users see the view; false: only its owner" }),
    createdAt: Time.annotate({ description: "The time at which the view was created (ISO 8601 in UTC)" }),
    updatedAt: Time.annotate({ description: "The time of the last change (ISO 8601 in UTC)" })
  })
) {}

/** The tenant has no such view, or it belongs to another user. */
export class ViewNotFound extends TaggedError("ViewNotFound")<{ readonly viewId: string }> {}

/** The tenant or the user has the maximum number of views. */
export class ViewLimitReached extends TaggedError("ViewLimitReached")<{ readonly limit: number }> {}

/** The caller may not create or change a shared view. */
export class ViewShareForbidden extends TaggedError("ViewShareForbidden")<{}> {}

/** A private view needs an owner, and the request has no acting user. */
export class ViewOwnerMissing extends TaggedError("ViewOwnerMissing")<{}> {}
