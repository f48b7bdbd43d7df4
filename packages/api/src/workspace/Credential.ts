import { roles, scopes } from "@leadloom/core/internal/domain/access/Principal"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authorization, Gate, gate, RequestValidation } from "../Access.ts"

/** The kinds of credentials that describe themselves. Keys of sources and shared secrets have one use each. */
const kinds = ["api_key", "session", "admin_key", "id_token"] as const

/** The facts about a credential that determine its permissions. */
export const CredentialFacts = Schema.Struct({
  kind: Schema.Literals(kinds).annotate({ description: "The kind of the credential" }),
  role: Schema.NullOr(Schema.Literals(roles)).annotate({
    description: "The role of the person; null for an API key and for the admin key"
  }),
  scopes: Schema.NullOr(Schema.Array(Schema.Literals(scopes))).annotate({
    description: "The scopes of a restricted API key; null: not restricted"
  }),
  tenant_ids: Schema.NullOr(Schema.Array(Schema.String)).annotate({
    description: "The tenants that the credential reaches; null: every tenant"
  })
}).annotate({ identifier: "CredentialFacts", description: "The credential of the request" })

export const CredentialGroup = HttpApiGroup.make("credential")
  .add(
    HttpApiEndpoint.get("get", "/credential", { success: CredentialFacts })
      .annotate(OpenApi.Summary, "Get the kind, role, scopes and tenants of the own credential")
      .annotate(
        OpenApi.Description,
        "A program uses the answer to offer only permitted operations. `docs/permissions.md` lists the permissions of each kind."
      )
      .annotate(Gate, gate("credential.get", { limiter: "admin" }))
  )
  .annotateMerge(OpenApi.annotations({ title: "Credential", description: "The credential of the request" }))
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")
