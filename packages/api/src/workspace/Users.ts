import { User as Noun } from "@leadloom/core/internal/domain/user/User"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authorization, Gate, gate, RequestValidation } from "../Access.ts"
import { BadRequest, Conflict, keyErrors, NotFound } from "../errors.ts"
import { cursor, IdempotencyKey, nextCursor, pageSize, TenantPath, text } from "../schema/Field.ts"
import { userId } from "../schema/Ids.ts"
import { changeRequest, wire } from "../schema/Wire.ts"

export const { schema: User, toJson: userToJson } = wire(Noun, "User", {
  description: "A person who works with the leads of a tenant",
  id: "userId",
  omit: ["tenantId", "subject"]
})

const profile = { name: {}, workingHours: {}, timeZone: {}, signature: {} }

export const { fromJson: profileChangeOf, schema: UpdateMe } = changeRequest(
  Noun,
  "UpdateMe",
  "The fields of the caller's own user to change. Absent fields stay; null removes a value",
  profile
)

export const { fromJson: userChangeOf, schema: UpdateUser } = changeRequest(
  Noun,
  "UpdateUser",
  "The fields to change. Absent fields stay; null removes a value",
  { ...profile, email: {}, role: {}, active: {} }
)

export const CreateUser = Schema.Struct({
  ...UpdateUser.mapFields(({ active: _, ...fields }) => fields).fields,
  name: text(200).annotate({ description: "The display name of the person; 1 to 200 characters" }),
  email: text(320).annotate({ description: "The address of the person; no other user of the tenant has it" }),
  role: Schema.optionalKey(Noun.fields.role).annotate({ description: "Default: agent" })
}).annotate({ identifier: "CreateUser", description: "A new user" })

const UserPath = { ...TenantPath, user_id: userId }

export const UsersGroup = HttpApiGroup.make("users")
  .add(
    HttpApiEndpoint.get("list", "/tenants/:tenant_id/users", {
      params: TenantPath,
      query: {
        active: Schema.optionalKey(Schema.Literals(["true", "false"])).annotate({
          description: "true: only active users; false: only deactivated users. Default: all users"
        }),
        limit: pageSize(100, 50),
        cursor
      },
      success: Schema.Struct({
        users: Schema.Array(User).annotate({ description: "The users, oldest first" }),
        next_cursor: nextCursor
      }).annotate({ identifier: "UserPage", description: "A page of users" }),
      error: [BadRequest, NotFound]
    })
      .annotate(OpenApi.Summary, "List the users of a tenant, oldest first")
      .annotate(OpenApi.Description, "Contains deactivated users too, unless `active` is set.")
      .annotate(Gate, gate("users.list", { limiter: "admin" })),
    HttpApiEndpoint.post("create", "/tenants/:tenant_id/users", {
      params: TenantPath,
      headers: IdempotencyKey,
      payload: CreateUser,
      success: User.pipe(HttpApiSchema.status(201)),
      error: [BadRequest, NotFound, Conflict, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Create a user")
      .annotate(
        OpenApi.Description,
        "Users also appear automatically on the first use of an ID token or of a session that names a person. A user with the same address is a conflict (409)."
      )
      .annotate(Gate, gate("users.create", { limiter: "admin", idempotency: "unit" })),
    HttpApiEndpoint.get("me", "/tenants/:tenant_id/users/me", { params: TenantPath, success: User, error: NotFound })
      .annotate(OpenApi.Summary, "Read the user as whom the credential acts")
      .annotate(
        OpenApi.Description,
        "ID tokens act as their person. A session acts as the user for whom it was created. API keys and the admin key act as no user and receive 404, unless `X-Acting-User` names one."
      )
      .annotate(Gate, gate("users.me", { limiter: "admin" })),
    HttpApiEndpoint.patch("updateMe", "/tenants/:tenant_id/users/me", {
      params: TenantPath,
      payload: UpdateMe,
      success: User,
      error: [BadRequest, NotFound, Conflict]
    })
      .annotate(OpenApi.Summary, "Change the name, working hours, time zone or signature of the caller's own user")
      .annotate(OpenApi.Description, "An admin changes the address, the role and `active`.")
      .annotate(Gate, gate("users.updateMe", { limiter: "admin" })),
    HttpApiEndpoint.get("get", "/tenants/:tenant_id/users/:user_id", {
      params: UserPath,
      success: User,
      error: NotFound
    })
      .annotate(OpenApi.Summary, "Read a user")
      .annotate(OpenApi.Description, "Returns deactivated users too.")
      .annotate(Gate, gate("users.get", { limiter: "admin" })),
    HttpApiEndpoint.patch("update", "/tenants/:tenant_id/users/:user_id", {
      params: UserPath,
      payload: UpdateUser,
      success: User,
      error: [BadRequest, NotFound, Conflict]
    })
      .annotate(OpenApi.Summary, "Change a user, or activate the user again")
      .annotate(
        OpenApi.Description,
        "`active: false` deactivates the user: the person's ID tokens and sessions receive 403 in this tenant, and open work is reassigned to its team or to nobody."
      )
      .annotate(Gate, gate("users.update", { limiter: "admin" })),
    HttpApiEndpoint.delete("deactivate", "/tenants/:tenant_id/users/:user_id", {
      params: UserPath,
      success: User,
      error: [NotFound, Conflict]
    })
      .annotate(OpenApi.Summary, "Deactivate a user")
      .annotate(
        OpenApi.Description,
        "The same as `active: false`. The user stays readable, because messages and events name it. The only administrator cannot deactivate the own account (409)."
      )
      .annotate(Gate, gate("users.deactivate", { limiter: "admin" }))
  )
  .annotateMerge(OpenApi.annotations({ title: "Users", description: "People who work with the leads of a tenant" }))
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")
