import type { Batch, BatchPage, BatchProgress, PipelineRun, PipelineRunPage } from "@leadloom/client"
import { card, listing, minute } from "./Text.ts"

const replyOf = ({ reply, written }: PipelineRun): string => {
  if (reply !== null) return reply.requires_approval ? "draft" : "sent"
  return written === null ? "none" : "withheld"
}

/** Formats runs of the pipeline, one per line. `leadloom explain` shows a run with its reasons. */
export const formatRuns = ({ runs }: PipelineRunPage): string =>
  listing(
    "No runs.",
    [["TIME (UTC)", 16], ["SIGNAL", 30], ["INTENT", 12], ["TIER", 4], ["REPLY"]],
    runs.map((run) => [
      minute(run.created_at),
      run.signal_id,
      run.classification?.intent,
      run.score?.tier,
      replyOf(run)
    ])
  )

/** Formats batches, one per line. */
export const formatBatches = ({ batches }: BatchPage): string =>
  listing(
    "No batches.",
    [["BATCH", 30], ["CREATED (UTC)", 16], ["STATUS", 9], ["DONE", 9], ["FAILED"]],
    batches.map(({ batch_id, created_at, failed, progress, status, total }) => [
      batch_id,
      minute(created_at),
      status,
      `${progress.done}/${total}`,
      failed + progress.failed
    ])
  )

const formatBatch = ({ accepted, batch_id, created_at, duplicates, failed, progress, status, total }: Batch): string =>
  card([
    ["batch", batch_id],
    ["created", minute(created_at)],
    ["status", status],
    ["messages", `${total}: ${accepted} accepted, ${duplicates} duplicates, ${failed} rejected`],
    ["runs", `${progress.done} done, ${progress.running} running, ${progress.queued} queued, ${progress.failed} failed`]
  ])

/** Formats the progress of a batch and the results of its messages. */
export const formatBatchProgress = (batch: BatchProgress): string =>
  `${formatBatch(batch)}\n${listing(
    "No messages.",
    [["NUMBER", 6], ["STATUS", 9], ["SIGNAL", 30], ["RESULT"]],
    batch.items.map(({ error, index, result, signal_id, state, status }) => [
      index,
      status,
      signal_id,
      error?.message ?? result?.classification?.intent ?? state
    ])
  )}`
