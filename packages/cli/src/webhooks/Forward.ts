/**
 * `leadloom webhooks listen`: forwards events of the stream to a local receiver. Subscriptions do not belong here; the
 * server delivers to them. Tests: `packages/cli/test/command/Webhooks.test.ts`.
 */
import { createHmac, randomBytes } from "node:crypto"
import type { ServerEvent } from "@leadloom/client"

/** Creates a signing secret that only this machine knows. */
export const localSecret = (): string => `whsec_${randomBytes(32).toString("base64")}`

const eventIdOf = (data: string): string => {
  const envelope: unknown = JSON.parse(data)
  return typeof envelope === "object" && envelope !== null && "event_id" in envelope ? String(envelope.event_id) : ""
}

/** Creates the headers of a delivery in the format of the server, signed with the local secret. */
const headersOf = ({ data, id, type }: ServerEvent, secret: string): Readonly<Record<string, string>> => {
  const timestamp = String(Math.floor(Date.now() / 1_000))
  const eventId = eventIdOf(data)
  const key = Buffer.from(secret.replace(/^whsec_/u, ""), "base64")
  const standard = createHmac("sha256", key).update(`${eventId}.${timestamp}.${data}`).digest("base64")
  return {
    "content-type": "application/json",
    "x-webhook-event": type,
    "x-webhook-delivery": `local_${id}`,
    "x-webhook-timestamp": timestamp,
    "x-webhook-sequence": id,
    "x-webhook-signature": createHmac("sha256", secret).update(`${timestamp}.${data}`).digest("hex"),
    "webhook-id": eventId,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${standard}`
  }
}

/** Posts an event to a receiver. Returns the status, or the reason why the request failed. */
export const forward = async (
  url: string,
  event: ServerEvent,
  secret: string,
  signal: AbortSignal
): Promise<number | string> => {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: headersOf(event, secret),
      body: event.data,
      redirect: "manual",
      signal: AbortSignal.any([signal, AbortSignal.timeout(15_000)])
    })
    await response.arrayBuffer()
    return response.status
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
