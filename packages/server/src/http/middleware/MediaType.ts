import { Headers, type HttpServerRequest } from "effect/http"

const json = "application/json"

/** Returns whether a media type means JSON: it is missing, is `text/json` or has a `+json` suffix (RFC 6839). */
const meansJson = (contentType: string): boolean => {
  const [essence = ""] = contentType.toLowerCase().split(";")
  return essence.trim() === "" || essence.trim() === "text/json" || essence.trim().endsWith("+json")
}

/** Returns the request with a content type of `application/json` if it means JSON. */
export const normalizeMediaType = (
  request: HttpServerRequest.HttpServerRequest
): HttpServerRequest.HttpServerRequest => {
  const contentType = request.headers["content-type"]
  return contentType === undefined || contentType.startsWith(json) || !meansJson(contentType)
    ? request
    : request.modify({ headers: Headers.set(request.headers, "content-type", json) })
}
