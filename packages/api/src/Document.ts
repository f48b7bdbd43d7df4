import { eventTypes } from "@leadloom/core/internal/domain/webhook/Event"
import { exampleData } from "@leadloom/core/internal/domain/webhook/ExampleData"

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

const securityTexts: Readonly<Record<string, string>> = {
  bearer:
    "An API key (`llk_…`), an ID token of the identity provider, a session token, a source key (`lls_…`) or the operator admin key",
  sourceKey: "The key of an event source (`lls_…`), instead of a Bearer credential",
  workflowSecret: "The shared secret of the CRM's workflow actions, set by the operator"
}

/** Describes the credentials, and spells the Bearer scheme as its registry does. */
export const documentSecurity = (spec: Record<string, unknown>): Record<string, unknown> => {
  const { securitySchemes = {} } = (spec["components"] ?? {}) as {
    readonly securitySchemes?: Readonly<Record<string, object>>
  }
  for (const [name, scheme] of Object.entries(securitySchemes)) {
    const bearer = "scheme" in scheme && scheme.scheme === "Bearer" ? { scheme: "bearer" } : {}
    Object.assign(scheme, bearer, { description: securityTexts[name] })
  }
  return spec
}
