import { Api } from "@leadloom/api/Api"
import { bodyLimitOf, unroutedLimit } from "@leadloom/api/BodyLimits"
import { operationNames } from "./Methods.ts"
import { outsideRoutes } from "../OutsideRoutes.ts"

/** Seconds from the moment a request is read until its response; the body's own time is within it. */
const defaultTimeoutSeconds = 30
/** A batch of raw mails in base64 or of pipeline requests, on a slow line. */
const batchTimeoutSeconds = 120
/** A contact with years of mail, erased batch by batch. */
const erasureTimeoutSeconds = 600
/** An archive of years, taken in as it comes. */
const archiveTimeoutSeconds = 6 * 3_600

/** The timeout of a path (without its query). */
export const timeoutSecondsOf = (path: string): number => {
  if (/^\/api\/v1\/tenants\/[^/]+\/import$/u.test(path)) return archiveTimeoutSeconds
  if (/^\/api\/v1\/tenants\/[^/]+\/contacts\/[^/]+\/erase$/u.test(path)) return erasureTimeoutSeconds
  if (path.startsWith("/api/v1/tenants/") && path.endsWith("/pipeline/batch")) return batchTimeoutSeconds
  return path.startsWith("/api/v1/import/") || path.endsWith("/conversation/import")
    ? batchTimeoutSeconds
    : defaultTimeoutSeconds
}

/** The most bytes of the body of a request, by its method and URL. */
export type MaxBodyBytes = (method: string, url: string) => number

/** The limits of all routes (`api/BodyLimits`). Only requests that have a body are looked up. */
export const maxBodyBytes = (): MaxBodyBytes => {
  const nameOf = operationNames(Api, outsideRoutes)
  return (method, url) => {
    const operation = method === "GET" || method === "HEAD" ? null : nameOf(method, url)
    return (operation === null ? unroutedLimit : (bodyLimitOf(operation) ?? unroutedLimit)).bytes
  }
}
