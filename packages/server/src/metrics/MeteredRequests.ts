import type { IncomingMessage, ServerResponse } from "node:http"
import { Api } from "@leadloom/api/Api"
import { operationNames } from "../http/middleware/Methods.ts"
import { outsideRoutes } from "../http/OutsideRoutes.ts"
import type { Meter } from "./Meter.ts"

/** Node accepts some thirty methods. The client chooses the method, so other methods share one series. */
const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]

/** The status that nginx logs if the client closes the connection before the response. */
const hungUp = 499

/**
 * Counts every request when its response ends, labelled by the operation of its path and never by the path itself. An
 * unknown path has the operation `none`. Invalid HTTP is not counted.
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
