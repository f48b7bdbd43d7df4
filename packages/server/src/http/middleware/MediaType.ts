import { Headers, type HttpServerRequest } from "effect/http"

const json = "application/json"

/** Whether a media type says JSON in other words: none at all, `text/json`, or a `+json` suffix (RFC 6839). */
const meansJson = (contentType: string): boolean => {
  const [essence = ""] = contentType.toLowerCase().split(";")
  return essence.trim() === "" || essence.trim() === "text/json" || essence.trim().endsWith("+json")
}

/** The request, with a content type that means JSON spelled the usual way. */
export const normalizeMediaType = (
  request: HttpServerRequest.HttpServerRequest
): HttpServerRequest.HttpServerRequest => {
  const contentType = request.headers["content-type"]
  return contentType === undefined || contentType.startsWith(json) || !meansJson(contentType)
    ? request
    : request.modify({ headers: Headers.set(request.headers, "content-type", json) })
}
