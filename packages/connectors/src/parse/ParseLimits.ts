import { availableParallelism } from "node:os"
import type { ParseJob } from "./ParseJob.ts"
import type { ProcessMemory } from "./ParseProcess.ts"

/** The limits of parsing. */
export interface ParseLimits {
  /** The maximum number of processes, at least two. One flow uses at most all usable processes except one. */
  readonly processes: number
  /**
   * The limit of the processor time of one job. Each megabyte of content extends it by `deadlineMillisPerMegabyte`. Where
   * the processor time cannot be read (it can on Linux), the limit concerns the elapsed time.
   */
  readonly deadlineMillis: number
  readonly deadlineMillisPerMegabyte: number
  /**
   * The maximum elapsed time of one job as a multiple of its deadline, at least 1. A process in the background receives
   * little processor time on a busy machine.
   */
  readonly elapsedDeadlines: number
  readonly memory: ProcessMemory
  /** The maximum number of waiting jobs. */
  readonly waiting: number
  /**
   * A job is heavy if its content exceeds `heavyBytes`, or if its flow has recently used more than `heavyMillis` of
   * processing time. Large ones run in processes with a lower priority. One process is reserved for other jobs.
   */
  readonly heavyBytes: number
  readonly heavyMillis: number
  /** The maximum number of jobs of one flow, all within `heavyBytes`, that a process receives at once. */
  readonly batch: number
  /** A process with more resident memory in MB after a heavy job is replaced. Linux only. */
  readonly recycleResident: number
  /** The idle time after which a process ends. */
  readonly idleMillis: number
}

/**
 * 1 MB of the most expensive HTML takes 0.4 s of one core, and its deadline is 6 s. 25 MB of attachments also take
 * 0.4 s, and their deadline is 30 s. The deadlines are this long because systems other than Linux limit the elapsed time,
 * and an overloaded machine must parse mail too. A job that uses its whole deadline does not delay other tenants, because one process is
 * reserved. Hostile mails of 24 MB need at most 98 MB of private memory.
 */
export const defaultLimits: ParseLimits = {
  processes: Math.max(3, Math.min(4, availableParallelism())),
  deadlineMillis: 5_000,
  deadlineMillisPerMegabyte: 1_000,
  elapsedDeadlines: 4,
  memory: { oldSpace: 128, semiSpace: 8, resident: 384 },
  waiting: 2_000,
  heavyBytes: 65_536,
  heavyMillis: 500,
  batch: 8,
  recycleResident: 112,
  idleMillis: 300_000
}

const bytesOf = (job: ParseJob): number => {
  if (job.kind === "html") return job.html.length
  return job.kind === "json" ? (job.message.body?.length ?? 0) : job.raw.length
}

/** Returns the time limit of a job in milliseconds. */
export const deadlineOf = (job: ParseJob, limits: ParseLimits): number =>
  limits.deadlineMillis + (bytesOf(job) / 1_048_576) * limits.deadlineMillisPerMegabyte

/** Returns whether the content of a job exceeds `heavyBytes`. */
export const isLarge = (job: ParseJob, { heavyBytes }: ParseLimits): boolean => bytesOf(job) > heavyBytes
