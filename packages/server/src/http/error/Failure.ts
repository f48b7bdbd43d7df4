import { transportCodes } from "@leadloom/api/internal/errors"
import { HttpServerResponse } from "effect/http"

/** An error response that the HTTP layer sends instead of an endpoint. */
export interface Failure {
  readonly status: keyof typeof transportCodes
  readonly message: string
  readonly details?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
}

/** Returns the error envelope as JSON. */
export const envelopeText = (failure: Omit<Failure, "headers">): string =>
  JSON.stringify({
    error: {
      code: transportCodes[failure.status],
      message: failure.message,
      ...(failure.details === undefined ? {} : { details: failure.details })
    }
  })

/** Returns a response with the error envelope. */
export const failure = (of: Failure): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(envelopeText(of), {
    status: of.status,
    contentType: "application/json",
    ...(of.headers === undefined ? {} : { headers: of.headers })
  })

const messages: Readonly<Record<keyof typeof transportCodes, string>> = {
  400: "The request is not readable.",
  401: "This route requires a credential. Send it in the header Authorization: Bearer <credential>.",
  404: "There is no such route. See /api/v1/docs for all routes.",
  405: "This route does not support this method.",
  413: "The request body is too large.",
  415: "Send JSON, with the header Content-Type: application/json.",
  429: "Too many requests. Try again later.",
  500: "The server failed to process the request. Quote the request id when you report it.",
  503: "The server is starting, stopping or overloaded. Try again."
}

const isKnown = (status: number): status is keyof typeof transportCodes => Object.hasOwn(transportCodes, status)

/** Returns the default response of a status. An unknown status becomes 400 or 500. */
export const failureOf = (
  status: number,
  more: Pick<Failure, "details" | "headers"> = {}
): HttpServerResponse.HttpServerResponse => {
  const known = isKnown(status) ? status : status >= 500 ? 500 : 400
  return failure({ status: known, message: messages[known], ...more })
}
