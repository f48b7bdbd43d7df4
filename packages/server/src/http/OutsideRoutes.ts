import { Api } from "@leadloom/api/internal/Api"
import { contractOperations, rawOperations } from "@leadloom/core/internal/domain/access/Operations"
import { Effect, Layer } from "effect"
import { HttpApi } from "effect/http-api"
import { assistantRoutes } from "./webhook/AssistantTools.ts"
import { callRoutes } from "./webhook/CallWebhooks.ts"
import { crmRoutes } from "./webhook/CrmWebhooks.ts"
import { pageRoutes } from "./Docs.ts"
import { mcpRoutes } from "./mcp/McpRoutes.ts"
import { trackedLinkRoutes } from "./TrackedLinks.ts"
import { unsubscribeRoutes } from "./Unsubscribe.ts"
import type { Route } from "./middleware/Methods.ts"
import { providerRoutes } from "./webhook/ProviderWebhooks.ts"

/** All routes outside the contract. */
export const outsideRoutes: ReadonlyArray<Route> = [
  ...pageRoutes,
  ...unsubscribeRoutes,
  ...trackedLinkRoutes,
  ...providerRoutes,
  ...crmRoutes,
  ...assistantRoutes,
  ...callRoutes,
  ...mcpRoutes
]

/**
 * Returns the rows of the permission matrix whose operation no route serves, for example after an endpoint was removed.
 */
export const unservedRows = (served: ReadonlyArray<Route> = outsideRoutes): ReadonlyArray<string> => {
  const names = new Set<string>(served.map(([, , name]) => name))
  HttpApi.reflect(Api, {
    onGroup: () => undefined,
    onEndpoint: ({ endpoint, group }) => void names.add(`${group.identifier}.${endpoint.identifier}`)
  })
  return [...Object.keys(contractOperations), ...Object.keys(rawOperations)].filter((name) => !names.has(name))
}

/** Fails to build if the permission matrix contains an operation that no route serves. */
export const layer: Layer.Layer<never> = Layer.effectDiscard(
  Effect.suspend(() => {
    const idle = unservedRows()
    return idle.length === 0 ? Effect.void : Effect.die(new Error(`No route serves ${idle.join(", ")}`))
  })
)
