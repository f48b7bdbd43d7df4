import { eventTypes } from "@leadloom/core/domain/webhook/Event"
import { exampleData } from "@leadloom/core/domain/webhook/ExampleData"

/** The pattern that Effect writes into the OpenAPI document for a number in a path or query. */
const numeric = "^[+-]?(?:\\d+(?:\\.\\d+)?|\\.\\d+)(?:[Ee][+-]?\\d+)?$"

interface Parameter {
  schema?: { pattern?: string; enum?: ReadonlyArray<unknown> }
}

const isParameterList = (value: unknown): value is Array<Parameter> => Array.isArray(value)

/**
 * Replaces the types of path and query parameters that Effect describes as encoded strings; the document states
 * integer or boolean.
 */
export const documentParameters = (spec: Record<string, unknown>): Record<string, unknown> => {
  const paths = Object.values((spec["paths"] ?? {}) as Record<string, Record<string, Record<string, unknown>>>)
  for (const path of paths) {
    for (const operation of Object.values(path)) {
      const parameters = operation["parameters"]
      if (!isParameterList(parameters)) continue
      for (const parameter of parameters) {
        if (parameter.schema?.pattern === numeric) Object.assign(parameter, { schema: { type: "integer" } })
        if (JSON.stringify(parameter.schema?.enum) === '["true","false"]') {
          Object.assign(parameter, { schema: { type: "boolean" } })
        }
      }
    }
  }
  return spec
}

interface Body {
  required?: boolean
  content?: Record<string, { schema?: { anyOf?: ReadonlyArray<{ type?: string }> } }>
}

const isBody = (value: unknown): value is Body => typeof value === "object" && value !== null

/** Marks a body that may be null as optional, and describes its other values only. */
export const documentBodies = (spec: Record<string, unknown>): Record<string, unknown> => {
  const paths = Object.values((spec["paths"] ?? {}) as Record<string, Record<string, Record<string, unknown>>>)
  for (const operation of paths.flatMap((path) => Object.values(path))) {
    const body = operation["requestBody"]
    if (!isBody(body)) continue
    for (const media of Object.values(body.content ?? {})) {
      const schemas = media.schema?.anyOf ?? []
      const others = schemas.filter(({ type }) => type !== "null")
      if (others.length === schemas.length || others[0] === undefined) continue
      Object.assign(body, { required: false })
      Object.assign(media, { schema: others.length === 1 ? others[0] : { anyOf: others } })
    }
  }
  return spec
}

const schemaOf = (type: string): string =>
  `${type
    .split(/[._]/u)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join("")}Event`

/** Describes the bodies of webhook deliveries under `webhooks` of OpenAPI 3.1, one entry per event type. */
export const documentWebhooks = (spec: Record<string, unknown>): Record<string, unknown> => {
  const header = (name: string, description: string) => ({
    name,
    in: "header",
    required: true,
    description,
    schema: { type: "string" }
  })
  const parameters = [
    header("X-Webhook-Event", "The event type"),
    header("X-Webhook-Delivery", "The id of the delivery, equal on every attempt"),
    header("X-Webhook-Timestamp", "The time of the signature of this attempt, in Unix epoch seconds"),
    header(
      "X-Webhook-Signature",
      "HMAC-SHA256 in hexadecimal over the timestamp, a full stop and the body, keyed with the secret"
    ),
    header(
      "X-Webhook-Sequence",
      "The sequence number of the event within its tenant, without gaps; 0 for a test event"
    ),
    header("webhook-id", "Standard Webhooks: the id of the event, equal on every attempt"),
    header("webhook-timestamp", "Standard Webhooks: equal to X-Webhook-Timestamp"),
    header("webhook-signature", "Standard Webhooks: one signature, or two after a rotation of the secret")
  ]
  const webhooks = eventTypes.map((type) => [
    type,
    {
      post: {
        operationId: `webhook.${type}`,
        summary: `${type} happened`,
        parameters,
        requestBody: {
          required: true,
          content: {
            "application/json": {
              schema: { $ref: `#/components/schemas/${schemaOf(type)}` },
              example: {
                event_id: "evt_00000000000000000000000000",
                event_type: type,
                tenant_id: "acme",
                timestamp: 1_772_442_000_000,
                data: exampleData[type]
              }
            }
          }
        },
        responses: { "2XX": { description: "Accepted. Any other status is retried; 410 disables the subscription." } }
      }
    }
  ])
  return { ...spec, webhooks: Object.fromEntries(webhooks) }
}
