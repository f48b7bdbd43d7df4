import { version } from "@leadloom/api/Api"
import { channels } from "@leadloom/core/domain/Channel"
import type { ArrivalOutcome } from "@leadloom/core/domain/conversation/Arrival"
import { queues } from "@leadloom/core/port/repository/pipeline/Backlogs"
import { makeFamilies } from "./Families.ts"

/** What arrivals come to. */
export const arrivalOutcomes = [
  "message",
  "duplicate_of",
  "auto",
  "bounce",
  "own",
  "quarantined",
  "failed"
] as const satisfies ReadonlyArray<ArrivalOutcome>

/** What an attempt at a signal comes to; `retried`: it was given back, to be tried again. */
export const runOutcomes = ["done", "failed", "retried"] as const
export type RunOutcome = (typeof runOutcomes)[number]

/** By what channels sends go, and how they end. */
export const sendChannels = ["email", "sms"] as const
export const sendStates = ["confirmed", "failed", "unknown"] as const

/** What an attempt to deliver an event comes to; `refused`: nothing was sent, because the URL is not allowed. */
export const attemptOutcomes = ["2xx", "3xx", "4xx", "5xx", "unanswered", "refused"] as const
export type AttemptOutcome = (typeof attemptOutcomes)[number]

/** What a model is asked for, and what comes of it; `unavailable`: asking again later may help. */
export const modelPurposes = ["classify", "reply"] as const
export type ModelPurpose = (typeof modelPurposes)[number]
export const modelOutcomes = ["answered", "failed", "unavailable"] as const
export type ModelOutcome = (typeof modelOutcomes)[number]

/** Who refuses requests for their number. */
export const limiters = ["admin", "webhook", "workflow", "public", "challenge", "session", "bad_credentials"] as const

/** Seconds that requests take: most are done in a few milliseconds, the longest that are bounded in 30. */
const requestBounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
/** Seconds until a receiver or a model has answered, which is waited for for up to 15 and 60. */
const outsideBounds = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30, 60]

/** Seconds that the main thread is blocked: shorter ones are not told (`watchdog/LoopWatchdog`). */
const blockBounds = [0.5, 1, 2.5, 5, 10, 30]

/** Everything that a server counts, in a registry of its own. */
export const makeMeter = () => {
  const families = makeFamilies()
  const { counter, gauge, histogram } = families
  return {
    families,
    build: gauge<"version" | "node" | "store">("leadloom_build_info", "What runs; always 1."),
    storeUp: gauge<never>("leadloom_store_up", "Whether the database answered when this was read."),
    due: gauge<"queue">("leadloom_backlog_due", "What waits though its time has come, counted up to 10000."),
    oldest: gauge<"queue">(
      "leadloom_backlog_oldest_seconds",
      "How long the longest of that has waited; 0 for nothing."
    ),
    requests: counter<"operation" | "method" | "status">("leadloom_http_requests_total", "Requests answered."),
    requestSeconds: histogram<"operation">(
      "leadloom_http_request_duration_seconds",
      "From the head of a request until its answer is sent.",
      requestBounds
    ),
    blocks: histogram<"operation">(
      "leadloom_event_loop_block_duration_seconds",
      "Times in which the main thread did one thing for 250 ms or more.",
      blockBounds
    ),
    limited: counter<"limiter">("leadloom_rate_limited_requests_total", "Requests refused for their number."),
    messages: counter<"channel" | "outcome">("leadloom_messages_total", "Messages that arrived."),
    runs: counter<"outcome">("leadloom_pipeline_runs_total", "Attempts at passing a message through the pipeline."),
    sends: counter<"channel" | "state">("leadloom_sends_total", "Emails and texts that have come to an end."),
    attempts: counter<"outcome">("leadloom_webhook_attempts_total", "Attempts to deliver an outbound event."),
    attemptSeconds: histogram<never>(
      "leadloom_webhook_attempt_duration_seconds",
      "Until a receiver has answered.",
      outsideBounds
    ),
    jobs: counter<"kind" | "outcome">("leadloom_jobs_total", "Attempts at what is to be done at providers'."),
    modelRequests: counter<"purpose" | "outcome">("leadloom_model_requests_total", "Questions to the language model."),
    modelSeconds: histogram<"purpose">(
      "leadloom_model_request_duration_seconds",
      "Until a question is answered, retries included.",
      outsideBounds
    ),
    modelTokens: counter<"direction">("leadloom_model_tokens_total", "Tokens read and written by the language model.")
  }
}

/** What a server counts with. */
export type Meter = ReturnType<typeof makeMeter>

/** Lets every series whose labels are known say 0, so that its first event is an increase. */
export const begin = (meter: Meter, store: "sqlite" | "postgres"): void => {
  meter.build({ version, node: process.versions.node, store }, 1)
  meter.storeUp({}, 0)
  for (const limiter of limiters) meter.limited({ limiter }, 0)
  for (const channel of channels) for (const outcome of arrivalOutcomes) meter.messages({ channel, outcome }, 0)
  for (const outcome of runOutcomes) meter.runs({ outcome }, 0)
  for (const channel of sendChannels) for (const state of sendStates) meter.sends({ channel, state }, 0)
  for (const outcome of attemptOutcomes) meter.attempts({ outcome }, 0)
}

/** The same for a server that has a model. */
export const beginModel = (meter: Meter): void => {
  for (const purpose of modelPurposes) for (const outcome of modelOutcomes) meter.modelRequests({ purpose, outcome }, 0)
}

/** The store does not answer: how far the workers are behind nobody knows. */
export const forgetBacklogs = (meter: Meter): void => {
  meter.storeUp({}, 0)
  for (const queue of queues) {
    meter.due({ queue }, null)
    meter.oldest({ queue }, null)
  }
}
