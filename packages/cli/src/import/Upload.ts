import { randomUUID } from "node:crypto"
import { type ImportResult, type Leadloom, LeadloomError } from "@leadloom/client"
import type { Mail } from "../mail/Mail.ts"

/** Largest mail the server takes, in bytes. */
export const maxMailBytes = 25 * 1024 * 1024

/** The server works on a whole batch before it answers. */
const timeoutMs = 130_000
const maxRetries = 5

/**
 * Sends a batch and gives the result of each mail. A batch that is too large for the server, or for a proxy before it, is
 * halved until it fits; a mail that is too large by itself comes back as `failed`.
 * @throws LeadloomError when the server does not take the batch for another reason
 */
export const upload = async (
  client: Leadloom,
  tenant: string,
  historical: boolean,
  batch: ReadonlyArray<Mail>
): Promise<ReadonlyArray<ImportResult>> => {
  const mails = batch.map(({ name, raw }) => ({ name, raw: raw.toString("base64") }))
  try {
    // The key lets the client repeat the request; copies are recognised by what they are, not by it.
    const options = { idempotencyKey: randomUUID(), timeoutMs, maxRetries }
    const { results } = await client.import.email(tenant, { historical, mails }, options)
    return results
  } catch (error) {
    if (!(error instanceof LeadloomError) || error.status !== 413) throw error
    if (batch.length === 1)
      return batch.map(({ name }) => failedResult(name, "The server does not take mail of this size."))
    const middle = Math.ceil(batch.length / 2)
    const first = await upload(client, tenant, historical, batch.slice(0, middle))
    return [...first, ...(await upload(client, tenant, historical, batch.slice(middle)))]
  }
}

const failedResult = (name: string, detail: string): ImportResult => ({
  name,
  outcome: "failed",
  message_id: null,
  contact_id: null,
  lead_id: null,
  thread_id: null,
  signal_id: null,
  detail
})
