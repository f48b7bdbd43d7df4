import type { Mail } from "../mail/Mail.ts"

/**
 * The maximum size of the mail in one request, in bytes. The server accepts requests of 50 MiB, and base64 adds a
 * third.
 */
const bytesPerBatch = 16 * 1024 * 1024

/**
 * Groups mails into batches. A batch has at most `count` mails and the maximum size of a request. A mail above this
 * size is a batch of its own.
 */
export async function* batchesOf(mails: AsyncIterable<Mail>, count: number): AsyncGenerator<ReadonlyArray<Mail>> {
  let batch: Array<Mail> = []
  let bytes = 0
  for await (const mail of mails) {
    if (batch.length > 0 && (batch.length >= count || bytes + mail.raw.length > bytesPerBatch)) {
      yield batch
      batch = []
      bytes = 0
    }
    batch.push(mail)
    bytes += mail.raw.length
  }
  if (batch.length > 0) yield batch
}
