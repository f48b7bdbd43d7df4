import { Api } from "@leadloom/api/Api"
import { bodyLimitOf, unroutedLimit } from "@leadloom/api/BodyLimits"
import { operationNames } from "./Methods.ts"
import { outsideRoutes } from "../OutsideRoutes.ts"

/** Seconds from the reading of a request to its response. The time for its body is included. */
const defaultTimeoutSeconds = 30
/** For a batch of raw mails or pipeline requests on a slow connection. */
const batchTimeoutSeconds = 120
/** For the erasure of a contact with years of mail, in batches. */
const erasureTimeoutSeconds = 600
/** For the import of an archive of several years, which is processed while it arrives. */
const archiveTimeoutSeconds = 6 * 3_600

/** Returns the timeout of a path (without query). */
export const timeoutSecondsOf = (path: string): number => {
  if (/^\/api\/v1\/tenants\/[^/]+\/import$/u.test(path)) return archiveTimeoutSeconds
  if (/^\/api\/v1\/tenants\/[^/]+\/contacts\/[^/]+\/erase$/u.test(path)) return erasureTimeoutSeconds
  if (path.startsWith("/api/v1/tenants/") && path.endsWith("/pipeline/batch")) return batchTimeoutSeconds
  return path.startsWith("/api/v1/import/") || path.endsWith("/conversation/import")
    ? batchTimeoutSeconds
    : defaultTimeoutSeconds
}

/** Returns the maximum size of a request body by method and URL. */
export type MaxBodyBytes = (method: string, url: string) => number

/** The limits of all routes (`api/BodyLimits`). Call it only for requests with a body. */
export const maxBodyBytes = (): MaxBodyBytes => {
  const nameOf = operationNames(Api, outsideRoutes)
  return (method, url) => {
    const operation = method === "GET" || method === "HEAD" ? null : nameOf(method, url)
    return (operation === null ? unroutedLimit : (bodyLimitOf(operation) ?? unroutedLimit)).bytes
  }
}
