/**
 * `leadloom import`: batches, uploads and records mail. Finding and splitting mail files is in `mail`. Tests:
 * `packages/cli/test/import` and `packages/cli/test/command/Import.test.ts`.
 */
import type { Leadloom } from "@leadloom/client"
import { type Mail, mailsOf, type SkippedMail } from "../mail/Mail.ts"
import type { MailFile } from "../mail/MailFiles.ts"
import { batchesOf } from "./Batches.ts"
import type { Progress } from "./Progress.ts"
import type { Resume } from "./Resume.ts"
import { arrivals, type Counter } from "./Tally.ts"
import { maxMailBytes, upload } from "./Upload.ts"

/** The input of an import. */
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
  /** Stops the import after the batches in flight. */
  readonly signal: AbortSignal
}

/**
 * Sends all unfinished mails in concurrent batches, and records each batch after its response. After a failed batch,
 * the import waits for the batches in flight, records them and ends.
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

  /** Returns whether a mail has to be sent. Counts a mail that need not or cannot be sent as skipped or failed. */
  const isPending = (mail: Mail | SkippedMail): mail is Mail => {
    if (mail.raw !== null && mail.raw.length <= maxMailBytes) return true
    if (mail.raw === null) counter.skip()
    else counter.fail(mail.name, "The mail is larger than 25 MiB.")
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
