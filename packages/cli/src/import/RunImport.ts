import type { Leadloom } from "@leadloom/client"
import { type Mail, mailsOf, type SkippedMail } from "../mail/Mail.ts"
import type { MailFile } from "../mail/MailFiles.ts"
import { batchesOf } from "./Batches.ts"
import type { Progress } from "./Progress.ts"
import type { Resume } from "./Resume.ts"
import { arrivals, type Counter } from "./Tally.ts"
import { maxMailBytes, upload } from "./Upload.ts"

/** An import, ready to run. */
export interface ImportJob {
  readonly client: Leadloom
  readonly tenant: string
  readonly files: ReadonlyArray<MailFile>
  readonly historical: boolean
  readonly concurrency: number
  readonly batch: number
  readonly resume: Resume
  readonly counter: Counter
  readonly progress: Progress
  /** Ends the import after the batches that are on their way. */
  readonly signal: AbortSignal
}

/**
 * Sends every mail that is not finished yet, a few batches at a time, and remembers each batch as soon as it is answered.
 * The first error of a batch ends the import, once the other batches on their way are answered and remembered.
 */
export const runImport = async (job: ImportJob): Promise<void> => {
  const { counter, progress, resume } = job
  const failure = new AbortController()
  const stop = AbortSignal.any([job.signal, failure.signal])
  let bytes = 0
  const advance = (more: number): void => {
    bytes += more
    progress.update(bytes, arrivals(counter.tally()))
  }

  /** Whether a mail is still to be sent; counts it when it is not. */
  const isPending = (mail: Mail | SkippedMail): mail is Mail => {
    if (mail.raw !== null && mail.raw.length <= maxMailBytes) return true
    if (mail.raw === null) counter.skip()
    else counter.fail(mail.name, "Larger than 25 MiB.")
    advance(mail.bytes)
    return false
  }
  async function* pending(): AsyncGenerator<Mail> {
    for await (const mail of mailsOf(job.files, resume.isFinished)) {
      if (stop.aborted) return
      if (isPending(mail)) yield mail
    }
  }

  const batches = batchesOf(pending(), job.batch)
  const work = async (): Promise<void> => {
    for await (const batch of { [Symbol.asyncIterator]: () => ({ next: () => batches.next() }) }) {
      if (stop.aborted) return
      const results = await upload(job.client, job.tenant, job.historical, batch)
      counter.add(results)
      const failed = new Set(results.filter((result) => result.outcome === "failed").map((result) => result.name))
      await resume.finish(batch.filter((mail) => !failed.has(mail.name)).map((mail) => mail.key))
      advance(batch.reduce((sum, mail) => sum + mail.bytes, 0))
    }
  }
  const worker = (): Promise<void> =>
    work().catch((error: unknown) => {
      failure.abort()
      throw error
    })
  const ended = await Promise.allSettled(Array.from({ length: job.concurrency }, worker))
  for (const result of ended) if (result.status === "rejected") throw result.reason
}
