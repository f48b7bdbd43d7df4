import { Clock, Effect } from "effect"
import type { InboxView } from "../../domain/conversation/InboxFilter.ts"
import { type PageRequest, readPage } from "../../domain/conversation/ReadPage.ts"
import {
  maxViews,
  type View,
  ViewLimitReached,
  ViewOwnerMissing,
  ViewShareForbidden
} from "../../domain/conversation/View.ts"
import { isId, type UserId, type ViewId } from "../../domain/Id.ts"
import { Views } from "../../port/repository/conversation/Views.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Ids } from "../../port/system/Ids.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { withSpan } from "../WithSpan.ts"
import { countView } from "./CountView.ts"

/** The fields of a view that a request may set. Absent fields stay. */
export interface ViewFields {
  readonly name?: string
  readonly filters?: InboxView
  readonly shared?: boolean
}

/** The author of a change. Only managers change shared views. */
export interface ViewAuthor {
  readonly userId: UserId | null
  readonly mayShare: boolean
}

const counted = (view: View, userId: string | null) =>
  Effect.map(countView(view.tenantId, view.filters, userId), (count) => ({ view, count }))

/** Fails when the view is shared and the author may not share, or has no owner, or is one too many. */
const checkView = Effect.fnUntraced(function* (
  { ownerId, shared, tenantId }: View,
  isAdded: boolean,
  author: ViewAuthor
) {
  if (shared && !author.mayShare) return yield* new ViewShareForbidden()
  if (!shared && ownerId === null) return yield* new ViewOwnerMissing()
  if (!isAdded) return
  const count = yield* (yield* Views).count(tenantId, shared ? null : ownerId)
  if (count >= maxViews) return yield* new ViewLimitReached({ limit: maxViews })
})

/** Creates a view of the acting user. Without a user, the view must be shared. */
export const createView = Effect.fnUntraced(function* (
  tenantId: string,
  { filters, name, shared }: Required<ViewFields>,
  author: ViewAuthor
) {
  const now = yield* Clock.currentTimeMillis
  const viewId = yield* (yield* Ids).next("view")
  const { userId: ownerId } = author
  const view: View = { viewId, tenantId, name, filters, ownerId, shared, createdAt: now, updatedAt: now }
  const unit = Effect.gen(function* () {
    yield* checkView(view, true, author)
    yield* (yield* Views).insert(view)
  })
  yield* (yield* Transactions).atomically(tenantId, unit)
  return yield* counted(view, ownerId)
}, withSpan("createView"))

/** Changes a view that the author sees. */
export const updateView = Effect.fnUntraced(function* (
  tenantId: string,
  viewId: string,
  fields: ViewFields,
  author: ViewAuthor
) {
  const now = yield* Clock.currentTimeMillis
  const views = yield* Views
  const unit = Effect.gen(function* () {
    const before = yield* views.get(tenantId, viewId, author.userId)
    if (before.shared && !author.mayShare) return yield* new ViewShareForbidden()
    const after: View = { ...before, ...fields, updatedAt: now }
    yield* checkView(after, after.shared !== before.shared, author)
    yield* views.update(after)
    return after
  })
  return yield* counted(yield* (yield* Transactions).atomically(tenantId, unit), author.userId)
}, withSpan("updateView"))

/** Deletes a view that the author sees. */
export const deleteView = Effect.fnUntraced(function* (tenantId: string, viewId: string, author: ViewAuthor) {
  const views = yield* Views
  const unit = Effect.gen(function* () {
    const view = yield* views.get(tenantId, viewId, author.userId)
    if (view.shared && !author.mayShare) return yield* new ViewShareForbidden()
    yield* views.remove(tenantId, view.viewId)
  })
  yield* (yield* Transactions).atomically(tenantId, unit)
}, withSpan("deleteView"))

/** Returns a view with its number of conversations. */
export const readView = Effect.fnUntraced(function* (tenantId: string, viewId: string, userId: string | null) {
  const view = yield* (yield* Views).get(tenantId, viewId, userId)
  return yield* counted(view, userId)
}, withSpan("readView"))

/** Returns a page of the views that a user sees, oldest first, with their numbers of conversations. */
export const listViews = Effect.fnUntraced(function* (tenantId: string, userId: string | null, page: PageRequest) {
  yield* (yield* Tenants).get(tenantId)
  const views = yield* Views
  const { items, nextCursor } = yield* readPage(
    {
      scope: { tenantId, list: "views", filters: { userId } },
      keyOf: ({ viewId }: View) => [viewId],
      readKey: ([viewId]): ViewId | null => (typeof viewId === "string" && isId("view", viewId) ? viewId : null),
      fetch: (limit, after) => views.page(tenantId, userId, limit, after)
    },
    page
  )
  return { views: yield* Effect.forEach(items, (view) => counted(view, userId)), nextCursor }
}, withSpan("listViews"))
