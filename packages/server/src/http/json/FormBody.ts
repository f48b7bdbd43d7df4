import { bodyLimits, formatBytes, maxBodyDepth } from "@leadloom/api/internal/BodyLimits"
import { BadRequest, PayloadTooLarge } from "@leadloom/api/internal/errors"
import { Metadata } from "@leadloom/api/internal/schema/Field"
import type { FormFields } from "@leadloom/core/internal/workflow/intake/Submission"
import { Effect, Schema } from "effect"
import type { HttpServerRequest } from "effect/http"
import { shapeOf } from "../validation/BodyShape.ts"

const limit = bodyLimits["publicLeads.submit"]

/** The encoding of a submitted form. */
export type FormMedia = "json" | "form"

/** Returns the encoding of a request body; null if forms do not use its media type. */
export const formMediaOf = (contentType: string | undefined): FormMedia | null => {
  const essence = (contentType ?? "").split(";", 1)[0]?.trim().toLowerCase()
  if (essence === "application/json") return "json"
  return essence === "application/x-www-form-urlencoded" || essence === "multipart/form-data" ? "form" : null
}

const isFields = Schema.is(Metadata)

const malformed = BadRequest.of("The body is not readable.", [
  { path: "", message: `Expected at most ${limit.values} form fields, as JSON, URL-encoded or multipart.` }
])

const fieldsOfJson = (bytes: Uint8Array): FormFields | null => {
  const text = new TextDecoder().decode(bytes)
  const { depth, values } = shapeOf(text, limit.values, maxBodyDepth)
  if (values > limit.values || depth > maxBodyDepth) return null
  try {
    const value: unknown = JSON.parse(text)
    return isFields(value) && !Array.isArray(value) ? value : null
  } catch {
    return null
  }
}

/**
 * Returns whether a form has at most the permitted number of fields. The check counts the separators: `&` between
 * URL-encoded fields, and the header of each multipart field.
 */
const isFew = (bytes: Uint8Array): boolean => {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1")
  return (
    text.split("&", limit.values + 1).length <= limit.values &&
    text.split("\r\n\r\n", limit.values + 1).length <= limit.values
  )
}

/**
 * Reads the fields. Several fields with the same name become a list. Files are ignored, because forms do not accept
 * them.
 */
const fieldsOfForm = async (bytes: Uint8Array<ArrayBuffer>, contentType: string): Promise<FormFields | null> => {
  if (!isFew(bytes)) return null
  try {
    const form = await new Response(bytes, { headers: { "content-type": contentType } }).formData()
    const texts = [...form].flatMap(([name, value]) => (typeof value === "string" ? [{ name, value }] : []))
    return Object.fromEntries(
      [...Map.groupBy(texts, ({ name }) => name)].map(([name, [first, ...more]]) => [
        name,
        more.length === 0 ? first?.value : [first?.value, ...more.map(({ value }) => value)]
      ])
    )
  } catch {
    return null
  }
}

/** Reads the raw fields of a form. */
export const readFormBody = Effect.fnUntraced(function* (
  request: HttpServerRequest.HttpServerRequest,
  media: FormMedia
) {
  const body = yield* Effect.catch(request.arrayBuffer, (error) =>
    error.reason._tag === "RequestParseError" && error.reason.reason === "BodyTooLarge"
      ? Effect.fail(PayloadTooLarge.of(`A form may have at most ${formatBytes(limit.bytes)}.`))
      : Effect.die(error)
  )
  const bytes = new Uint8Array(body)
  const contentType = request.headers["content-type"] ?? ""
  const fields = media === "json" ? fieldsOfJson(bytes) : yield* Effect.promise(() => fieldsOfForm(bytes, contentType))
  return fields ?? (yield* malformed)
})
