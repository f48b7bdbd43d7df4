import { BadRequest } from "@leadloom/api/internal/errors"
import type * as Wire from "@leadloom/api/internal/workspace/Events"
import { millisOf } from "@leadloom/api/internal/schema/Field"
import type { CustomEvent } from "@leadloom/core/internal/workflow/intake/IngestEvent"
import { Effect } from "effect"

type Json = typeof Wire.CustomEvent.Type

const given = (text: string | number | null | undefined): string | null => {
  const trimmed = String(text ?? "").trim()
  return trimmed === "" ? null : trimmed
}

const issue = (path: string, message: string) =>
  Effect.fail(BadRequest.of("The event is invalid.", [{ path, message }]))

const timeOf = (timestamp: string | null | undefined): Effect.Effect<number | null, BadRequest> => {
  const text = given(timestamp)
  if (text === null) return Effect.succeed(null)
  const millis = millisOf(text)
  return Number.isNaN(millis) ? issue("timestamp", "Expected an ISO 8601 time.") : Effect.succeed(millis)
}

const bodyOf = ({ content, event_type }: Json): Effect.Effect<string, BadRequest> => {
  const body = given(content?.body) ?? given(event_type)
  return body === null
    ? issue("content.body", "Expected a text in content.body or in event_type.")
    : Effect.succeed(body)
}

const messageIdOf = (metadata: Readonly<Record<string, unknown>> | undefined): string | null => {
  const id = metadata?.["message_id"]
  return typeof id === "string" || typeof id === "number" ? given(id) : null
}

/**
 * Returns all values of an event as one flat record, so that rules can use `metadata.<key>`. The metadata of the
 * message takes precedence.
 */
const metadataOf = ({ content, context, entity, event_type }: Json): Readonly<Record<string, unknown>> => ({
  ...entity.metadata,
  ...context,
  ...content?.metadata,
  ...(given(content?.type) === null ? {} : { type: content?.type }),
  ...(given(event_type) === null ? {} : { event_type })
})

/** Decodes an event and applies defaults. Fails if it has no text or an invalid time. */
export const eventFromJson = Effect.fnUntraced(function* (json: Json): Effect.fn.Return<CustomEvent, BadRequest> {
  const { content, entity } = json
  return {
    entity: {
      id: given(entity.id),
      name: given(entity.name),
      email: given(entity.email),
      phone: given(entity.phone),
      company: given(entity.company)
    },
    body: yield* bodyOf(json),
    subject: given(content?.subject),
    channel: content?.channel ?? "webhook",
    direction: content?.direction ?? "inbound",
    metadata: metadataOf(json),
    timestamp: yield* timeOf(json.timestamp),
    messageId: messageIdOf(content?.metadata)
  }
})
