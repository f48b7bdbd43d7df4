import type { Mail } from "../mail/Mail.ts"

/** Bytes of mail that one request carries at most: base64 makes a third more of them, and the server takes 50 MiB. */
const bytesPerBatch = 16 * 1024 * 1024

/** Mails in batches of at most `count` and of a size that a request may have; a larger mail goes alone. */
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
