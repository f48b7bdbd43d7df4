import { Headers, type HttpServerRequest } from "effect/http"

const json = "application/json"

/**
 * Returns whether a body is JSON according to its media type. It is JSON if the type is missing, is `text/json`, or has
 * the suffix `+json` (RFC 6839).
 */
const meansJson = (contentType: string): boolean => {
  const [essence = ""] = contentType.toLowerCase().split(";")
  return essence.trim() === "" || essence.trim() === "text/json" || essence.trim().endsWith("+json")
}

/** Returns the request with the content type `application/json` if its body is JSON. */
export const normalizeMediaType = (
  request: HttpServerRequest.HttpServerRequest
): HttpServerRequest.HttpServerRequest => {
  const contentType = request.headers["content-type"]
  return contentType === undefined || contentType.startsWith(json) || !meansJson(contentType)
    ? request
    : request.modify({ headers: Headers.set(request.headers, "content-type", json) })
}
