import { operationsOf } from "./DocumentTransport.ts"

/** A recorded request and its response (`examples.json`). */
export interface Example {
  readonly parameters: Readonly<Record<string, string>>
  readonly request?: unknown
  readonly status: number
  readonly response?: unknown
}

/** The recorded examples by operation. */
export interface Examples {
  readonly examples: Readonly<Record<string, Example>>
  /** Examples of schemas that no recorded body contains. */
  readonly schemas: Readonly<Record<string, unknown>>
}

interface Media {
  schema?: Schema
  example?: unknown
  examples?: Record<string, { readonly $ref: string }>
}

interface Schema {
  $ref?: string
  type?: string
  anyOf?: ReadonlyArray<Schema>
  items?: Schema
  properties?: Readonly<Record<string, Schema>>
  enum?: ReadonlyArray<unknown>
  required?: ReadonlyArray<string>
  additionalProperties?: boolean | Schema
  examples?: ReadonlyArray<unknown>
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null

/** The message of each error, as the server sends it in the demo, and `details` where the error has them. */
const failures: Readonly<Record<string, { readonly message: string; readonly details?: unknown }>> = {
  AI_LIMIT_REACHED: { message: "The plan's model calls of this month are used up." },
  BAD_REQUEST: {
    message: "The request contains an invalid field.",
    details: [{ path: "channel", message: "Expected one of email, sms" }]
  },
  CALL_NOT_ALLOWED: { message: "The contact cannot be called.", details: { reasons: ["opted out"] } },
  CONFLICT: {
    message: "The lead cannot change from won to open.",
    details: { state: "won", allowed: ["archived"] }
  },
  CONNECTION_EXISTS: {
    message: "The tenant already has a connected account.",
    details: { grant_id: "grant_06bxr0000000000000000000000", email: "hello@example.com" }
  },
  FORBIDDEN: { message: "This credential lacks the permission for this operation." },
  GUARDRAIL_BLOCKED: { message: "A guardrail blocks this text.", details: { guardrail_id: "no-prices" } },
  HIPAA_RESTRICTED: { message: "Email is not available to a HIPAA-enabled tenant." },
  IDEMPOTENCY_CONFLICT: { message: "This Idempotency-Key was used with another request." },
  IDEMPOTENCY_IN_PROGRESS: { message: "The first request with this Idempotency-Key is still in progress." },
  INTERNAL: { message: "An unexpected error occurred.", details: { request_id: "req_ec54c9ed4329b7ddfca3598b" } },
  KEY_LIMIT_REACHED: { message: "A tenant has at most 3 active API keys. Revoke one first." },
  METHOD_NOT_ALLOWED: { message: "This path does not support the method." },
  NOT_FOUND: { message: "This object does not exist." },
  PAYLOAD_TOO_LARGE: { message: "The body is larger than the limit of this endpoint." },
  PLAN_RESTRICTED: { message: "Batches need a larger plan.", details: { plan: "growth" } },
  PRECONDITION_FAILED: { message: "The configuration has changed since.", details: { version: 7 } },
  PROVIDER_ERROR: { message: "The provider rejected the request: invalid recipient." },
  RATE_LIMITED: { message: "Too many requests. Try again in 12 s." },
  SERVICE_UNAVAILABLE: { message: "The database does not answer. Try again later." },
  UNAUTHORIZED: { message: "Unknown or expired credential. Send a valid API key in `Authorization: Bearer`." },
  UNSUPPORTED_MEDIA_TYPE: { message: "Send the body as application/json." },
  USAGE_LIMIT_REACHED: { message: "The plan's actions of this month are used up." }
}

const prefix = "#/components/schemas/"

/** Adds examples to the schemas and bodies of a document. */
class Illustrator {
  private readonly schemas: Record<string, Schema>
  /** The examples that several responses share, by their names in the document. */
  readonly named: Record<string, { readonly summary: string; readonly value: unknown }> = {}
  constructor(schemas: Record<string, Schema>) {
    this.schemas = schemas
  }

  /** Returns a schema without references. */
  private resolve(schema: Schema): Schema {
    return schema.$ref === undefined ? schema : this.resolve(this.schemas[schema.$ref.slice(prefix.length)] ?? {})
  }

  /** Returns the error codes of a body, with an example for each. */
  failuresOf(schema: Schema): ReadonlyArray<readonly [code: string, value: unknown]> {
    if (schema.anyOf !== undefined) return schema.anyOf.flatMap((choice) => this.failuresOf(choice))
    const { properties } = this.resolve(schema)
    const code = properties?.["error"]?.properties?.["code"]?.enum?.[0]
    if (typeof code === "string") return [[code, { error: { code, ...(failures[code] ?? { message: code }) } }]]
    return properties?.["success"] === undefined
      ? []
      : [["ACTION_FAILED", { success: false, error: "LLM provider not configured. Set LEADLOOM_LLM_BASE_URL." }]]
  }

  /** Returns whether a value can have this schema. It compares types and the names of properties. */
  private fits(schema: Schema, value: unknown): boolean {
    const { additionalProperties, anyOf, enum: values, properties, required = [], type } = this.resolve(schema)
    if (anyOf !== undefined) return anyOf.some((choice) => this.fits(choice, value))
    if (values !== undefined) return values.includes(value)
    if (type === "null") return value === null
    if (type === "array") return Array.isArray(value)
    if (type !== "object") return type === undefined || typeof value === (type === "integer" ? "number" : type)
    if (!isRecord(value) || Array.isArray(value)) return false
    const isKnown = (name: string): boolean =>
      additionalProperties !== false || (properties !== undefined && Object.hasOwn(properties, name))
    return (
      required.every((name) => Object.hasOwn(value, name)) &&
      Object.keys(value).every(isKnown) &&
      Object.entries(properties ?? {}).every(
        ([name, part]) => value[name] === undefined || this.fits(part, value[name])
      )
    )
  }

  /** Gives every named schema within a body the first value that has it. */
  spread(schema: Schema, value: unknown): void {
    if (schema.$ref !== undefined) {
      const named = this.schemas[schema.$ref.slice(prefix.length)]
      if (named === undefined) return
      named.examples ??= [value]
      this.spread(named, value)
      return
    }
    if (schema.anyOf !== undefined) {
      const choice = schema.anyOf.find((one) => this.fits(one, value))
      if (choice !== undefined) this.spread(choice, value)
      return
    }
    if (Array.isArray(value)) {
      const { items } = schema
      if (items !== undefined) for (const item of value) this.spread(items, item)
      return
    }
    if (!isRecord(value)) return
    for (const [name, inner] of Object.entries(value)) {
      const property = schema.properties?.[name]
      if (property !== undefined) this.spread(property, inner)
      else if (typeof schema.additionalProperties === "object") this.spread(schema.additionalProperties, inner)
    }
  }
}

const jsonMedia = (body: unknown): Media | undefined => {
  const content = isRecord(body) && isRecord(body["content"]) ? body["content"] : {}
  const media = content["application/json"]
  return isRecord(media) ? media : undefined
}

const withBody = (media: Media | undefined, value: unknown, illustrator: Illustrator): void => {
  if (media === undefined || value === undefined) return
  media.example = value
  if (media.schema !== undefined) illustrator.spread(media.schema, value)
}

const describeFailures = (status: string, response: unknown, illustrator: Illustrator): void => {
  const media = jsonMedia(response)
  if (Number(status) < 400 || media?.schema === undefined) return
  const found = illustrator.failuresOf(media.schema)
  for (const [, value] of found) illustrator.spread(media.schema, value)
  if (found.length > 0)
    media.examples = Object.fromEntries(found.map(([code]) => [code, { $ref: `#/components/examples/${code}` }]))
  for (const [code, value] of found) illustrator.named[code] ??= { summary: code, value }
}

/**
 * Adds the recorded examples to requests, responses, parameters and schemas, and an example of each error code to the
 * error responses. The server does not hold the examples in its schemas: they exist in the generated document only.
 */
export const withExamples = (
  spec: Record<string, unknown>,
  { examples, schemas }: Examples
): Record<string, unknown> => {
  const components = spec["components"] as { readonly schemas: Record<string, Schema> }
  const illustrator = new Illustrator(components.schemas)
  for (const [, operation] of operationsOf(spec)) {
    for (const [status, response] of Object.entries(operation.responses))
      describeFailures(status, response, illustrator)
    const example = examples[operation.operationId]
    if (example === undefined) continue
    withBody(jsonMedia(operation.requestBody), example.request, illustrator)
    withBody(jsonMedia(operation.responses[String(example.status)]), example.response, illustrator)
    for (const parameter of (operation.parameters ?? []) as ReadonlyArray<{
      name: string
      schema?: Schema
      example?: unknown
    }>) {
      const value = example.parameters[parameter.name]
      if (value === undefined) continue
      const isText = parameter.schema?.type !== "integer" && parameter.schema?.type !== "boolean"
      parameter.example = isText ? value : JSON.parse(value)
    }
  }
  for (const item of Object.values(
    (spec["webhooks"] ?? {}) as Record<string, { readonly post: { readonly requestBody: unknown } }>
  )) {
    const media = jsonMedia(item.post.requestBody)
    withBody(media, media?.example, illustrator)
  }
  for (const [name, value] of Object.entries(schemas)) illustrator.spread({ $ref: `${prefix}${name}` }, value)
  return { ...spec, components: { ...components, examples: illustrator.named } }
}
