import { Principal } from "@leadloom/api/internal/Access"
import { Api } from "@leadloom/api/internal/Api"
import type { CredentialFacts } from "@leadloom/api/internal/workspace/Credential"
import { type Principal as Caller, tenantsOf } from "@leadloom/core/internal/domain/access/Principal"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"

type Facts = Pick<typeof CredentialFacts.Type, "kind" | "role" | "scopes">

const factsOf = (principal: Caller): Facts => {
  switch (principal._tag) {
    case "ApiKey":
      return { kind: "api_key", role: null, scopes: principal.scopes }
    case "Session":
      return { kind: "session", role: principal.role ?? "agent", scopes: null }
    case "Admin":
      return { kind: "admin_key", role: null, scopes: null }
    case "IdToken":
      return { kind: "id_token", role: principal.role, scopes: null }
    case "Source":
      // The permission matrix rejects keys of sources before the handler runs.
      throw new Error("A source key may not describe itself.")
  }
}

/** The endpoint that describes the credential of a request. */
export const layer = HttpApiBuilder.group(Api, "credential", (handlers) =>
  handlers.handleAll({
    get: Effect.fnUntraced(function* () {
      const principal = yield* Principal
      const tenants = tenantsOf(principal)
      return { ...factsOf(principal), tenant_ids: tenants === "all" ? null : tenants }
    })
  })
)
