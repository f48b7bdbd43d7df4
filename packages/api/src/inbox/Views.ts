import { View as Noun } from "@leadloom/core/internal/domain/conversation/View"
import type { View as ViewRecord } from "@leadloom/core/internal/domain/conversation/View"
import type { ViewCount } from "@leadloom/core/internal/workflow/conversation/CountView"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authorization, Gate, gate, RequestValidation } from "../Access.ts"
import { BadRequest, Conflict, Forbidden, keyErrors, NotFound } from "../errors.ts"
import { cursor, IdempotencyKey, nextCursor, pageSize, TenantPath, text } from "../schema/Field.ts"
import { viewFiltersToJson, ViewFilters } from "../schema/InboxFilter.ts"
import { wire } from "../schema/Wire.ts"

const stored = wire(Noun, null, {
  id: "viewId",
  pick: ["viewId", "name", "ownerId", "shared", "createdAt", "updatedAt"]
})

export const View = Schema.Struct({
  ...stored.schema.fields,
  filters: ViewFilters,
  count: Schema.Int.annotate({ description: "The number of conversations in the view for the acting user" }),
  count_is_exact: Schema.Boolean.annotate({ description: "false: the view has at least `count` conversations" })
}).annotate({ identifier: "View", description: "A saved list of conversations" })

/** Encodes a view with its number of conversations. */
export const viewToJson = ({ count, view }: { readonly view: ViewRecord; readonly count: ViewCount }) => ({
  ...stored.toJson(view),
  filters: viewFiltersToJson(view.filters),
  count: count.conversations,
  count_is_exact: count.isExact
})

const name = text(200).annotate({ description: "The name of the view; 1 to 200 characters" })
const shared = Schema.optionalKey(Schema.Boolean)

export const CreateView = Schema.Struct({
  name,
  filters: ViewFilters,
  shared: shared.annotate({
    description: "true: all users see the view (managers only). Default: only the acting user sees it"
  })
}).annotate({ identifier: "CreateView", description: "A new view" })

export const UpdateView = Schema.Struct({
  name: Schema.optionalKey(name),
  filters: Schema.optionalKey(ViewFilters),
  shared: shared.annotate({ description: "Whether all users see the view" })
}).annotate({ identifier: "UpdateView", description: "The fields to change. Absent fields stay" })

const ViewPath = { ...TenantPath, view_id: Schema.String.annotate({ description: "View id (`view_…`)" }) }

export const ViewsGroup = HttpApiGroup.make("views")
  .add(
    HttpApiEndpoint.get("list", "/tenants/:tenant_id/views", {
      params: TenantPath,
      query: { limit: pageSize(50, 50), cursor },
      success: Schema.Struct({
        views: Schema.Array(View).annotate({
          description: "The shared views and those of the acting user, oldest first"
        }),
        next_cursor: nextCursor
      }).annotate({ identifier: "ViewPage", description: "A page of views" }),
      error: [BadRequest, NotFound]
    })
      .annotate(OpenApi.Summary, "List the saved views with their numbers of conversations")
      .annotate(
        OpenApi.Description,
        "Views by state, assignee, team and shared unread state are counted exactly, others up to 100."
      )
      .annotate(Gate, gate("views.list", { limiter: "admin" })),
    HttpApiEndpoint.post("create", "/tenants/:tenant_id/views", {
      params: TenantPath,
      headers: IdempotencyKey,
      payload: CreateView,
      success: View.pipe(HttpApiSchema.status(201)),
      error: [BadRequest, Forbidden, NotFound, Conflict, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Save filters and an order as a view")
      .annotate(OpenApi.Description, "Without an acting user (API keys), the view must be shared.")
      .annotate(Gate, gate("views.create", { limiter: "admin", idempotency: "unit" })),
    HttpApiEndpoint.get("get", "/tenants/:tenant_id/views/:view_id", {
      params: ViewPath,
      success: View,
      error: NotFound
    })
      .annotate(OpenApi.Summary, "Read a view")
      .annotate(
        OpenApi.Description,
        "Send its filters to the conversation list. Private views of other users are not found."
      )
      .annotate(Gate, gate("views.get", { limiter: "admin" })),
    HttpApiEndpoint.patch("update", "/tenants/:tenant_id/views/:view_id", {
      params: ViewPath,
      payload: UpdateView,
      success: View,
      error: [BadRequest, Forbidden, NotFound, Conflict]
    })
      .annotate(OpenApi.Summary, "Change a view")
      .annotate(OpenApi.Description, "`filters` replaces all filters. Only managers change shared views.")
      .annotate(Gate, gate("views.update", { limiter: "admin" })),
    HttpApiEndpoint.delete("remove", "/tenants/:tenant_id/views/:view_id", {
      params: ViewPath,
      success: HttpApiSchema.NoContent,
      error: [Forbidden, NotFound]
    })
      .annotate(OpenApi.Summary, "Delete a view")
      .annotate(OpenApi.Description, "Only managers delete shared views.")
      .annotate(Gate, gate("views.remove", { limiter: "admin" }))
  )
  .annotateMerge(OpenApi.annotations({ title: "Views", description: "Saved lists of conversations" }))
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")
