import { BadRequest, PayloadTooLarge } from "@leadloom/api/errors"
import { Metadata } from "@leadloom/api/Field"
import type { FormFields } from "@leadloom/core/form/Submission"
import { Effect, Schema } from "effect"
import type { HttpServerRequest } from "effect/http"

/** Most bytes of a form. */
export const longestForm = 65_536

/** How a form travels. */
export type FormMedia = "json" | "form"

/** How the body of a request is to be read; null: in no way that forms travel. */
export const formMediaOf = (contentType: string | undefined): FormMedia | null => {
  const essence = (contentType ?? "").split(";", 1)[0]?.trim().toLowerCase()
  if (essence === "application/json") return "json"
  return essence === "application/x-www-form-urlencoded" || essence === "multipart/form-data" ? "form" : null
}

const isFields = Schema.is(Metadata)

const malformed = BadRequest.of("The body could not be read.", [
  { path: "", message: "Expected the fields of a form." }
])

const fieldsOfJson = (bytes: Uint8Array): FormFields | null => {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes))
    return isFields(value) && !Array.isArray(value) ? value : null
  } catch {
    return null
  }
}

/** Several fields of one name are a list. Files are left out: this takes none. */
const fieldsOfForm = async (bytes: Uint8Array<ArrayBuffer>, contentType: string): Promise<FormFields | null> => {
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

/** The fields of a form as they came. */
export const readFormBody = Effect.fnUntraced(function* (
  request: HttpServerRequest.HttpServerRequest,
  media: FormMedia
) {
  const bytes = new Uint8Array(yield* Effect.orDie(request.arrayBuffer))
  if (bytes.length > longestForm) {
    return yield* new PayloadTooLarge({
      error: { code: "PAYLOAD_TOO_LARGE", message: `A form has at most ${longestForm} bytes.` }
    })
  }
  const contentType = request.headers["content-type"] ?? ""
  const fields = media === "json" ? fieldsOfJson(bytes) : yield* Effect.promise(() => fieldsOfForm(bytes, contentType))
  return fields ?? (yield* malformed)
})
