/**
 * The endpoint of MCP clients. This folder authenticates requests, bounds sessions, and connects the tools of
 * `packages/mcp` to the routes of the API within the process. The tools do not belong here. Tests:
 * `packages/server/test/http/mcp`.
 */
import { Context, Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import { failure } from "../error/Failure.ts"
import { mcpRoutes } from "./McpRoutes.ts"

/** Whether the server offers the MCP endpoint. */
export const McpEnabled = Context.Reference<boolean>("server/http/McpEnabled", { defaultValue: () => false })

const disabled = Effect.succeed(
  failure({ status: 404, message: "This server does not offer MCP. The operator enables it with LEADLOOM_MCP=yes." })
)

const offLayer = HttpRouter.use((router) =>
  Effect.gen(function* () {
    for (const [method, path] of mcpRoutes) yield* router.add(method, path, disabled)
  })
)

/** The routes of MCP. The modules are loaded only if the server offers MCP, because they need memory. */
export const layer = Layer.unwrap(
  Effect.gen(function* () {
    if (!(yield* McpEnabled)) return offLayer
    const endpoint = yield* Effect.promise(() => import("./McpEndpoint.ts"))
    return endpoint.layer
  })
)
