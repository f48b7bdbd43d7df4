import { transportCodes } from "@leadloom/api/errors"
import { HttpServerResponse } from "effect/http"

/** A failure of the HTTP layer itself: an answer that no endpoint gives. */
export interface Failure {
  readonly status: keyof typeof transportCodes
  readonly message: string
  readonly details?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
}

/** The text of the error envelope. */
export const envelopeText = (failure: Omit<Failure, "headers">): string =>
  JSON.stringify({
    error: {
      code: transportCodes[failure.status],
      message: failure.message,
      ...(failure.details === undefined ? {} : { details: failure.details })
    }
  })

/** A response in the error envelope. */
export const failure = (of: Failure): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(envelopeText(of), {
    status: of.status,
    contentType: "application/json",
    ...(of.headers === undefined ? {} : { headers: of.headers })
  })

const messages: Readonly<Record<keyof typeof transportCodes, string>> = {
  400: "The request could not be read.",
  401: "This route needs a credential.",
  404: "There is no such route. The routes are listed at /api/v1/docs.",
  405: "This route does not know this method.",
  413: "The request body is too large.",
  415: "Send JSON, with the header Content-Type: application/json.",
  429: "Too many requests. Try again later.",
  500: "Something went wrong here. Nobody can tell what from the outside: quote the request id when you report it.",
  503: "The server is starting, stopping or too busy. Try again."
}

const isKnown = (status: number): status is keyof typeof transportCodes => Object.hasOwn(transportCodes, status)

/** The usual answer for a status; statuses without one become 400 or 500. */
export const failureOf = (
  status: number,
  more: Pick<Failure, "details" | "headers"> = {}
): HttpServerResponse.HttpServerResponse => {
  const known = isKnown(status) ? status : status >= 500 ? 500 : 400
  return failure({ status: known, message: messages[known], ...more })
}
