/**
 * Prometheus metrics of the server and of its ports. Workflows do not depend on them. Metrics are described in
 * `docs/how-to/metrics.md`. Tests: `packages/server/test/metrics`.
 */

import { version } from "@leadloom/api/internal/Api"
import { channels } from "@leadloom/core/internal/domain/Channel"
import type { ArrivalOutcome } from "@leadloom/core/internal/domain/conversation/Arrival"
import { queues } from "@leadloom/core/internal/port/repository/pipeline/Backlogs"
import { makeFamilies } from "./Families.ts"

/** The possible results of an arriving message. */
export const arrivalOutcomes = [
  "message",
  "duplicate_of",
  "auto",
  "bounce",
  "own",
  "quarantined",
  "failed"
] as const satisfies ReadonlyArray<ArrivalOutcome>

/** The results of one attempt to process a signal. `retried`: the signal waits for another attempt. */
export const runOutcomes = ["done", "failed", "retried"] as const
export type RunOutcome = (typeof runOutcomes)[number]

/** The channels of sends, and their final states. */
export const sendChannels = ["email", "sms"] as const
export const sendStates = ["confirmed", "failed", "unknown"] as const

/** The results of a delivery attempt. `refused`: the URL is not permitted, so no request was sent. */
export const attemptOutcomes = ["2xx", "3xx", "4xx", "5xx", "unanswered", "refused"] as const
export type AttemptOutcome = (typeof attemptOutcomes)[number]

/** The results of downloading a mail from a mailbox. */
const downloadOutcomes = ["done", "failed"] as const

/** The purposes and results of model requests. `unavailable`: a later retry may help. */
export const modelPurposes = ["classify", "reply"] as const
export type ModelPurpose = (typeof modelPurposes)[number]
export const modelOutcomes = ["answered", "failed", "unavailable"] as const
export type ModelOutcome = (typeof modelOutcomes)[number]

/** The rate limiters. */
export const limiters = ["admin", "webhook", "workflow", "public", "challenge", "session", "bad_credentials"] as const

/**
 * The bucket boundaries of request durations in seconds. Most requests take a few milliseconds, and the default timeout
 * is 30 s.
 */
const requestBounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
/**
 * The bucket boundaries of requests to receivers and models in seconds. The timeouts of these requests are 15 s and 60
 * s.
 */
const outsideBounds = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30, 60]

/**
 * The bucket boundaries for blocks of the main thread in seconds. `watchdog/LoopWatchdog` does not report shorter
 * blocks.
 */
const blockBounds = [0.5, 1, 2.5, 5, 10, 30]

/**
 * Creates all metrics of a server, in a separate registry.
 */
export const makeMeter = () => {
  const families = makeFamilies()
  const { counter, gauge, histogram } = families
  return {
    families,
    build: gauge<"version" | "node" | "store">(
      "leadloom_build_info",
      "Version of the server, Node and store; always 1."
    ),
    storeUp: gauge<never>("leadloom_store_up", "1 if the database answered during this scrape, otherwise 0."),
    due: gauge<"queue">("leadloom_backlog_due", "Entries of a queue that are due, counted up to 10000."),
    oldest: gauge<"queue">(
      "leadloom_backlog_oldest_seconds",
      "Waiting time of the oldest due entry; 0 if no entry is due."
    ),
    requests: counter<"operation" | "method" | "status">("leadloom_http_requests_total", "Answered requests."),
    requestSeconds: histogram<"operation">(
      "leadloom_http_request_duration_seconds",
      "Time from the header of a request to its response.",
      requestBounds
    ),
    blocks: histogram<"operation">(
      "leadloom_event_loop_block_duration_seconds",
      "Operations that blocked the main thread for 250 ms or more.",
      blockBounds
    ),
    limited: counter<"limiter">("leadloom_rate_limited_requests_total", "Requests rejected by a rate limiter."),
    messages: counter<"channel" | "outcome">("leadloom_messages_total", "Messages that arrived."),
    runs: counter<"outcome">("leadloom_pipeline_runs_total", "Attempts to process a message in the pipeline."),
    sends: counter<"channel" | "state">("leadloom_sends_total", "Emails and texts that reached their final state."),
    attempts: counter<"outcome">("leadloom_webhook_attempts_total", "Attempts to deliver an outbound event."),
    attemptSeconds: histogram<never>(
      "leadloom_webhook_attempt_duration_seconds",
      "Time until the receiver answers.",
      outsideBounds
    ),
    mailboxesConnected: gauge<never>(
      "leadloom_mailboxes_connected",
      "Open connections of this server to IMAP mailboxes."
    ),
    mailboxesFailing: gauge<never>("leadloom_mailboxes_failing", "Mailboxes of all servers that cannot be read."),
    mailboxLag: gauge<never>(
      "leadloom_mailbox_lag_seconds",
      "Time since the last sync of the mailbox with the oldest one; 0 without mailboxes."
    ),
    mailboxDownloads: counter<"outcome">("leadloom_mailbox_downloads_total", "Emails downloaded from mailboxes."),
    jobs: counter<"kind" | "outcome">("leadloom_jobs_total", "Attempts to carry out jobs at providers."),
    modelRequests: counter<"purpose" | "outcome">("leadloom_model_requests_total", "Requests to the language model."),
    modelSeconds: histogram<"purpose">(
      "leadloom_model_request_duration_seconds",
      "Time until the language model answers, including retries.",
      outsideBounds
    ),
    modelTokens: counter<"direction">("leadloom_model_tokens_total", "Tokens read and written by the language model.")
  }
}

/** The metrics of a server. */
export type Meter = ReturnType<typeof makeMeter>

/** Creates every series with known labels and sets it to 0, so that its first increment is visible. */
export const begin = (meter: Meter, store: "sqlite" | "postgres"): void => {
  meter.build({ version, node: process.versions.node, store }, 1)
  meter.storeUp({}, 0)
  for (const limiter of limiters) meter.limited({ limiter }, 0)
  for (const channel of channels) for (const outcome of arrivalOutcomes) meter.messages({ channel, outcome }, 0)
  for (const outcome of runOutcomes) meter.runs({ outcome }, 0)
  for (const channel of sendChannels) for (const state of sendStates) meter.sends({ channel, state }, 0)
  for (const outcome of attemptOutcomes) meter.attempts({ outcome }, 0)
  for (const outcome of downloadOutcomes) meter.mailboxDownloads({ outcome }, 0)
}

/** Creates the series of a server with a language model and sets them to 0. */
export const beginModel = (meter: Meter): void => {
  for (const purpose of modelPurposes) for (const outcome of modelOutcomes) meter.modelRequests({ purpose, outcome }, 0)
}

/** Removes the backlog series while the store does not answer, because their values are unknown. */
export const forgetBacklogs = (meter: Meter): void => {
  meter.storeUp({}, 0)
  meter.mailboxesFailing({}, null)
  meter.mailboxLag({}, null)
  for (const queue of queues) {
    meter.due({ queue }, null)
    meter.oldest({ queue }, null)
  }
}
