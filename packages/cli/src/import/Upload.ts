import { type ImportResult, type Leadloom, LeadloomError } from "@leadloom/client"
import type { Mail } from "../mail/Mail.ts"

/** The maximum size of a mail that the server accepts, in bytes. */
export const maxMailBytes = 25 * 1024 * 1024

/** The timeout of a request. It is long, because the server processes a whole batch before it responds. */
const timeoutMs = 130_000
const maxRetries = 5

/**
 * Sends a batch and returns the result of each mail. If the batch is too large for the server or a proxy, sends its
 * halves separately, and divides them again if necessary. A single mail that is too large has the outcome `failed`.
 * @throws LeadloomError when the server rejects the batch for another reason
 */
export const upload = async (
  client: Leadloom,
  tenant: string,
  historical: boolean,
  batch: ReadonlyArray<Mail>
): Promise<ReadonlyArray<ImportResult>> => {
  const mails = batch.map(({ name, raw }) => ({ name, raw: raw.toString("base64") }))
  try {
    const { results } = await client.import.email(tenant, { historical, mails }, { timeoutMs, maxRetries })
    return results
  } catch (error) {
    if (!(error instanceof LeadloomError) || error.status !== 413) throw error
    if (batch.length === 1)
      return batch.map(({ name }) => failedResult(name, "The mail is larger than the server accepts."))
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
