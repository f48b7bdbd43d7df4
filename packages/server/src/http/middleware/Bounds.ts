import { Api } from "@leadloom/api/internal/Api"
import { bodyLimitOf, unroutedLimit } from "@leadloom/api/internal/BodyLimits"
import { operationNames } from "./Methods.ts"
import { outsideRoutes } from "../OutsideRoutes.ts"

/**
 * The time limit from the first byte of a request to its response, in seconds. It includes the time in which the body
 * arrives.
 */
const defaultTimeoutSeconds = 30
/** For a batch of raw mails or pipeline requests on a slow connection. */
const batchTimeoutSeconds = 120
/** For the erasure of a contact with years of mail, which runs in batches. */
const erasureTimeoutSeconds = 600
/** For the import of an archive that covers several years. The archive is processed while it is uploaded. */
const archiveTimeoutSeconds = 6 * 3_600

/** For an MCP tool, whose own requests have the default timeout. Its error then reaches the client. */
const toolTimeoutSeconds = 45

/** Returns the timeout of a path without its query. */
export const timeoutSecondsOf = (path: string): number => {
  if (/^\/api\/v1\/tenants\/[^/]+\/import$/u.test(path)) return archiveTimeoutSeconds
  if (/^\/api\/v1\/tenants\/[^/]+\/contacts\/[^/]+\/erase$/u.test(path)) return erasureTimeoutSeconds
  if (path === "/mcp") return toolTimeoutSeconds
  if (path.startsWith("/api/v1/tenants/") && path.endsWith("/pipeline/batch")) return batchTimeoutSeconds
  return path.startsWith("/api/v1/import/") || path.endsWith("/conversation/import")
    ? batchTimeoutSeconds
    : defaultTimeoutSeconds
}

/** Returns the maximum size of a request body by method and URL. */
export type MaxBodyBytes = (method: string, url: string) => number

/**
 * Returns the function that looks up the body limit of a route (`api/BodyLimits`). Call the result only for requests
 * with a body.
 */
export const maxBodyBytes = (): MaxBodyBytes => {
  const nameOf = operationNames(Api, outsideRoutes)
  return (method, url) => {
    const operation = method === "GET" || method === "HEAD" ? null : nameOf(method, url)
    return (operation === null ? unroutedLimit : (bodyLimitOf(operation) ?? unroutedLimit)).bytes
  }
}
