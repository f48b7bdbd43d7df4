import type { Mail } from "../mail/Mail.ts"

/** Maximum bytes of mail per request. Base64 adds a third, and the server accepts 50 MiB. */
const bytesPerBatch = 16 * 1024 * 1024

/**
 * Groups mails into batches of at most `count` mails and the maximum request size. A larger mail forms its own batch.
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
