import progressBars from "cli-progress"
import type { Terminal } from "../Terminal.ts"

/** Shows the progress of an import. */
export interface Progress {
  /** Receives the processed bytes and the number of processed mails so far. */
  readonly update: (bytes: number, mails: number) => void
  readonly end: () => void
}

/** The interval between two progress lines in a log, in milliseconds. */
const lineEvery = 5_000

const barWidth = 30
/** The number of progress measurements from which the remaining time is estimated. */
const etaSamples = 50

const bar = (totalBytes: number): Progress => {
  const format = "{bar} {percentage}% | {mails} mails | {eta_formatted} left"
  const options = { format, barsize: barWidth, etaBuffer: etaSamples, hideCursor: true }
  const shown = new progressBars.SingleBar(options, progressBars.Presets.shades_classic)
  shown.start(totalBytes, 0, { mails: 0 })
  return { update: (bytes, mails) => shown.update(bytes, { mails }), end: () => shown.stop() }
}

const lines = (terminal: Terminal, totalBytes: number, now: () => number): Progress => {
  let last = now()
  return {
    update: (bytes, mails) => {
      if (now() - last < lineEvery) return
      last = now()
      const percent = totalBytes === 0 ? 100 : Math.floor((bytes / totalBytes) * 100)
      terminal.err(`${percent} %, ${mails} mails\n`)
    },
    end: () => undefined
  }
}

/** Shows no progress, for callers that read JSON from standard error. */
export const noProgress: Progress = { update: () => undefined, end: () => undefined }

/**
 * Shows the progress on standard error: on a terminal as a bar, in a log as one line every 5 s. `now` returns
 * milliseconds.
 */
export const startProgress = (terminal: Terminal, totalBytes: number, now: () => number): Progress =>
  terminal.isInteractive ? bar(totalBytes) : lines(terminal, totalBytes, now)
