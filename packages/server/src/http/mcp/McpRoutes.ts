import type { Route } from "../middleware/Methods.ts"

/** The path of the MCP endpoint. */
export const mcpPath = "/mcp"

/** Routes for MCP clients. They are outside the contract, because the protocol defines their format. */
export const mcpRoutes = [
  ["POST", mcpPath, "mcp.call"],
  ["DELETE", mcpPath, "mcp.endSession"]
] as const satisfies ReadonlyArray<Route>
