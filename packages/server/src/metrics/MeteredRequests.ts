import type { IncomingMessage, ServerResponse } from "node:http"
import { Api } from "@leadloom/api/internal/Api"
import { operationNames } from "../http/middleware/Methods.ts"
import { outsideRoutes } from "../http/OutsideRoutes.ts"
import type { Meter } from "./Meter.ts"

/**
 * The methods with a series of their own. Clients choose the method, and Node.js accepts about thirty, so all other
 * methods share one series.
 */
const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]

/** The status of a request whose client closed the connection before the response. nginx logs the same status. */
const hungUp = 499

/**
 * Counts every request when its response ends. The label is the operation, never the path; for an unknown path it is
 * `none`. Invalid HTTP is not counted.
 */
export const countRequests = ({
  requests,
  requestSeconds
}: Meter): ((request: IncomingMessage, response: ServerResponse) => void) => {
  const nameOf = operationNames(Api, outsideRoutes)
  return (request, response) => {
    const startedAt = performance.now()
    const given = request.method ?? ""
    const operation = nameOf(given, request.url ?? "") ?? "none"
    const method = methods.includes(given) ? given : "other"
    response.once("close", () => {
      const status = String(response.headersSent ? response.statusCode : hungUp)
      requests({ operation, method, status })
      requestSeconds({ operation }, (performance.now() - startedAt) / 1_000)
    })
  }
}
