import type { IncomingMessage, ServerResponse } from "node:http"
import { Api } from "@leadloom/api/Api"
import { operationNames } from "../http/middleware/Methods.ts"
import { outsideRoutes } from "../http/OutsideRoutes.ts"
import type { Meter } from "./Meter.ts"

/** Node lets some thirty methods in; a client may choose among them, but not among our series. */
const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]

/** What nginx writes for somebody who hung up before the answer began. */
const hungUp = 499

/**
 * Counts requests as they leave, whoever answers them: by the operation that their path means, never by the path, and
 * `none` where it means nothing. What is no HTTP request is not counted.
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
