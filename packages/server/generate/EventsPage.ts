import { type EventType, eventTypes } from "@leadloom/core/internal/domain/webhook/Event"
import { exampleData } from "@leadloom/core/internal/domain/webhook/ExampleData"
import { eventNotes } from "./EventNotes.ts"
import { cell, markdownTable } from "./MarkdownTable.ts"
import { type JsonSchema, resolveSchema, schemas, typeName } from "./OpenApi.ts"

/** Returns the schema of `data`. The other member of the union is the data of an erased contact. */
const dataOf = (type: EventType): JsonSchema => {
  const envelope = Object.values(schemas).find(({ properties }) => properties?.["event_type"]?.enum?.[0] === type)
  return resolveSchema(envelope?.properties?.["data"]?.anyOf?.[0] ?? {})
}

const fieldRows = ({ properties = {}, required = [] }: JsonSchema): ReadonlyArray<ReadonlyArray<string>> =>
  Object.entries(properties).map(([name, schema]) => [
    `\`${name}\`${required.includes(name) ? "" : " (optional)"}`,
    cell(typeName(schema)),
    cell(resolveSchema(schema).description ?? "")
  ])

const example = (type: EventType): string =>
  JSON.stringify(
    {
      event_id: "evt_00000000000000000000000000",
      event_type: type,
      tenant_id: "acme",
      timestamp: 1_767_225_600_000,
      data: exampleData[type]
    },
    null,
    2
  )

const section = (type: EventType): ReadonlyArray<string> => [
  `## ${type}`,
  "",
  eventNotes[type],
  "",
  ...markdownTable(["field of `data`", "type", "meaning"], fieldRows(dataOf(type))),
  "",
  "```json",
  example(type),
  "```",
  ""
]

/** Returns the reference of outbound events, `docs/reference/events.md`. */
export const eventsPage = (): string =>
  [
    "# Events",
    "",
    "Generated from `packages/api/openapi.json`, `packages/core/src/domain/webhook/ExampleData.ts` and",
    "`packages/server/generate/EventNotes.ts` by `npm run generate`. Do not edit.",
    "",
    "An event reports a change. The server stores it in the same transaction as the change, delivers it to",
    "[webhooks](../how-to/verify-webhooks.md), and returns it from `GET /api/v1/tenants/{tenant_id}/events` and",
    "`GET /api/v1/tenants/{tenant_id}/events/stream`. [Deliveries](../explanation/deliveries.md) describes order, retries and",
    "duplicates.",
    "",
    "Each event has `event_id`, `event_type`, `tenant_id`, `timestamp` (Unix epoch milliseconds) and `data`. `event_id` is the",
    'same on every attempt. After the erasure of a contact, `data` is `{ "redacted": true }`. Receivers must ignore fields and',
    "types that they do not know.",
    "",
    ...markdownTable(
      ["type", "recorded when"],
      eventTypes.map((type) => [`[\`${type}\`](#${type.replaceAll(".", "")})`, eventNotes[type]])
    ),
    "",
    ...eventTypes.flatMap(section)
  ].join("\n")
