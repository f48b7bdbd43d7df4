/**
 * A webhook receiver as a fetch handler: `(Request) => Response`, for Cloudflare Workers, Deno, Bun, Vercel and other
 * platforms. `node.ts` runs it on Node.js without a framework.
 */
import { createClient, type EventEnvelope, isLeadloomError, webhooks, WebhookVerificationError } from "@leadloom/client"

/** The settings, which platforms pass to the handler or set as environment variables. */
export interface Settings {
  readonly LEADLOOM_URL?: string | undefined
  readonly LEADLOOM_API_KEY?: string | undefined
  readonly LEADLOOM_SIGNING_SECRET?: string | undefined
  /** The person who takes hot leads. */
  readonly ON_CALL?: string | undefined
}

/**
 * Assigns a lead that became hot. A repeated event assigns it to the same person again, so this receiver needs no
 * storage for the ids of processed events.
 */
const assignHotLead = async (event: EventEnvelope, settings: Settings): Promise<void> => {
  if (event.event_type !== "lead.tier_changed" || "redacted" in event.data || event.data.tier !== "hot") return
  const client = createClient({ baseUrl: settings.LEADLOOM_URL ?? "", credential: settings.LEADLOOM_API_KEY })
  await client.leads.update(event.tenant_id, event.data.lead_id, { assignee: settings.ON_CALL ?? null })
}

/** Responds to an error. Leadloom repeats a delivery after 5xx. */
const respondTo = (error: unknown): Response => {
  if (error instanceof WebhookVerificationError) return new Response(error.code, { status: 400 })
  // The lead was deleted or merged since the event, so a repetition would fail again.
  if (isLeadloomError(error, "NOT_FOUND")) return new Response(null, { status: 204 })
  console.error(error)
  return new Response("failed", { status: 500 })
}

/** Verifies a delivery and processes its event. */
export const handle = async (request: Request, settings: Settings): Promise<Response> => {
  if (request.method !== "POST")
    return new Response("Send a POST request.", { status: 405, headers: { allow: "POST" } })
  try {
    const event = await webhooks.verify(await request.text(), request.headers, settings.LEADLOOM_SIGNING_SECRET ?? "")
    await assignHotLead(event, settings)
    return new Response(null, { status: 204 })
  } catch (error) {
    return respondTo(error)
  }
}

/** The form that Cloudflare Workers and Bun expect. */
export default { fetch: handle }
