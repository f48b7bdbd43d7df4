import type { UnparsedReason } from "@leadloom/core/internal/domain/email/ParsedMail"
import { createHash } from "node:crypto"
import { mimeSource } from "@leadloom/core/internal/domain/email/MailSource"
import { type ReadMail, splitMail } from "@leadloom/core/internal/domain/email/ReadMail"
import { scanMail, maxScannedBytes, unparsedMail } from "@leadloom/core/internal/domain/conversation/UnparsedMail"
import { MailParser, ParserUnavailable } from "@leadloom/core/internal/port/provider/MailParser"
import { Effect, Layer, Option, Schema } from "effect"
import { TaggedError } from "@leadloom/core/internal/domain/TaggedError"
import { headerDecoding } from "../mime/HeaderDecoding.ts"
import { MessageEnvelope, type MessageJson } from "../nylas/MessageJson.ts"
import { headerFieldsOf } from "../nylas/ReadMessage.ts"
import { type ParseJob, type ParseResults, runJob } from "./ParseJob.ts"
import { defaultLimits, type ParseLimits } from "./ParseLimits.ts"
import { type Outcome, ParseProcesses } from "./ParseProcesses.ts"
import { log } from "../provider/LogEvents.ts"

/**
 * The `MailParser` of the server. Child processes parse untrusted content within a deadline and a memory limit, so that
 * no content can end or block the server. A mail that exceeds a limit is stored as an unparsed message. The parsing
 * rules belong in `connectors/mime`. Tests: `packages/connectors/test/parse`.
 */

class ParseStopped extends TaggedError("ParseStopped")<{
  readonly reason: UnparsedReason
  readonly message: string
}> {}

type Failure = ParseStopped | ParserUnavailable

/** A function that runs one parse job. */
type Run = <Kind extends ParseJob["kind"]>(
  flow: string,
  job: Extract<ParseJob, { readonly kind: Kind }>
) => Effect.Effect<ParseResults[Kind], Failure>

const decodeMessage = Schema.decodeUnknownOption(Schema.fromJsonString(MessageEnvelope))

/** Returns the message in the stored JSON of a provider; null when it contains none. */
const messageIn = (source: Uint8Array): MessageJson | null =>
  Option.match(decodeMessage(Buffer.from(source).toString("utf8")), { onNone: () => null, onSome: ({ data }) => data })

const scanned = (raw: Uint8Array, reason: UnparsedReason): ReadMail => {
  const start = Buffer.from(raw.buffer, raw.byteOffset, Math.min(raw.byteLength, maxScannedBytes)).toString("latin1")
  // The hash of an unparsed mail is always needed. Here it is native; the hash of core takes about ten times as long.
  const rawFingerprint = createHash("sha256").update(raw).digest("hex")
  return { ...splitMail(scanMail(start, reason, headerDecoding)), rawFingerprint }
}

const warn = (flow: string, bytes: number) => (stopped: ParseStopped) =>
  log("mail.unparsed", { flow, bytes, reason: stopped.reason, detail: stopped.message })

const make = (run: Run, keepReady: Effect.Effect<void>): MailParser["Service"] => ({
  keepReady,
  parse: (raw, { flow, mediaType }) => {
    const message = mediaType === mimeSource ? null : messageIn(raw)
    if (mediaType !== mimeSource && message === null) return Effect.sync(() => scanned(new Uint8Array(), "failed"))
    const parsed: Effect.Effect<ReadMail, Failure> =
      message === null ? run<"mail">(flow, { kind: "mail", raw }) : run<"json">(flow, { kind: "json", message })
    return parsed.pipe(
      Effect.tapErrorTag("ParseStopped", warn(flow, raw.length)),
      Effect.catchTag("ParseStopped", ({ reason }) =>
        Effect.sync(() =>
          message === null
            ? scanned(raw, reason)
            : splitMail(unparsedMail(headerFieldsOf(message), reason, headerDecoding))
        )
      )
    )
  },
  renderHtml: (html, { flow }) =>
    run<"html">(flow, { kind: "html", html }).pipe(
      Effect.tapErrorTag("ParseStopped", warn(flow, html.length)),
      Effect.catchTag("ParseStopped", ({ message }) => Effect.fail(new ParserUnavailable({ reason: message })))
    ),
  attachment: (raw, index, { flow }) =>
    run<"attachment">(flow, { kind: "attachment", raw, index }).pipe(
      Effect.tapErrorTag("ParseStopped", warn(flow, raw.length)),
      Effect.catchTag("ParseStopped", () => Effect.succeed(null))
    )
})

const settled = (outcome: Outcome): Effect.Effect<never, Failure> | null => {
  switch (outcome._tag) {
    case "Done":
      return null
    case "Stopped":
      return Effect.fail(new ParseStopped({ reason: outcome.reason, message: outcome.message }))
    case "Refused":
      return Effect.fail(new ParserUnavailable({ reason: outcome.message }))
  }
}

/** Runs jobs in processes. If the caller is interrupted before a process starts the job, the job is dropped. */
const inProcesses =
  (processes: ParseProcesses): Run =>
  <Kind extends ParseJob["kind"]>(flow: string, job: Extract<ParseJob, { readonly kind: Kind }>) =>
    Effect.callback<ParseResults[Kind], Failure>((resume) => {
      const cancel = processes.submit(flow, job, (outcome) => {
        // The kind of a job determines the type of its result; the program returns no other type.
        const done = outcome._tag === "Done" ? Effect.succeed(outcome.result as ParseResults[Kind]) : null
        resume(done ?? settled(outcome) ?? Effect.die(outcome))
      })
      return Effect.sync(cancel)
    })

/**
 * Provides parsing in processes. `program` is the file that each process runs; by default, the parse program of this
 * package.
 */
export const layerOf = (limits: ParseLimits, program?: URL): Layer.Layer<MailParser> =>
  Layer.effect(
    MailParser,
    Effect.map(
      Effect.acquireRelease(
        Effect.sync(() => new ParseProcesses(limits, program)),
        (processes) => Effect.promise(() => processes.close())
      ),
      (processes) =>
        make(
          inProcesses(processes),
          Effect.sync(() => processes.keepReady())
        )
    )
  )

/** Provides parsing in processes. The processes end when the layer closes. */
export const layer: Layer.Layer<MailParser> = layerOf(defaultLimits)

/**
 * Provides parsing on the caller's thread without a deadline, for tests and for programs that parse only content of
 * their own user.
 */
export const layerInProcess: Layer.Layer<MailParser> = Layer.succeed(
  MailParser,
  make(
    <Kind extends ParseJob["kind"]>(_: string, job: Extract<ParseJob, { readonly kind: Kind }>) =>
      // The kind of a job determines the type of its result.
      Effect.sync(() => runJob(job) as ParseResults[Kind]),
    Effect.void
  )
)
